import type { Code } from '#lib/service/programs/links/code.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { addressOf, emailOf, traceEmail } from '#lib/service/ground/addresses/email.ts';
import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { isTestLink, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import {
  codeResult,
  customerResult,
  firstResults,
  linkResult,
  partnerResult,
  saleResult,
  type SearchResult,
} from '#lib/service/reports/stories/search.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { customersByEmail, findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { findLink } from '#lib/service/programs/links/links-items.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import {
  codesByWords,
  customersByPart,
  linksByWords,
  partnersByWords,
  salesByPart,
} from '#lib/service/reports/stories/search-words.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';

/**
 * Searches a program in three steps: for exactly this identifier, for partners, links and codes with words that begin
 * with the text, and for recent sales and customers whose identifier contains the text. Sales are only found by
 * transaction id, because they have no number.
 */
export async function searchProgram(deps: Deps, program: Program, sent: string): Promise<SearchResult[]> {
  const text = sent.trim();
  if (text === '' || !isPlainText(text)) return [];
  const { table } = deps;
  const [sales, customers, partners, links, codes, ...others] = await Promise.all([
    saleById(deps, program, text),
    customersBy(deps, program, text),
    partnerByAddress(deps, program, text),
    linkByName(deps, program, text),
    codeByName(deps, program, text),
    partnersByWords(table, program, text),
    linksByWords(table, program.id, text),
    codesByWords(table, program.id, text).then((found) => codeResults(deps, program, found)),
    salesByPart(table, program.id, text),
    customersByPart(table, program.id, text),
  ]);
  const [begunPartners, begunLinks, begunCodes, partSales, partCustomers] = others;
  return firstResults([
    ...sales.map(saleResult),
    ...customers.map(customerResult),
    ...partners.map(partnerResult),
    ...links.map(linkResult),
    ...codes,
    ...begunPartners.map(partnerResult),
    ...begunLinks.map(linkResult),
    ...begunCodes,
    ...partSales.map(saleResult),
    ...partCustomers.map(customerResult),
  ]);
}

async function saleById({ table }: Deps, { id }: Program, text: string): Promise<Sale[]> {
  const sale = await findSale(table, text);
  return sale?.programId === id ? [sale] : [];
}

/** Finds customers by click id, by customer key and by e-mail address. */
async function customersBy({ table }: Deps, { id, emailSalt }: Program, text: string): Promise<Customer[]> {
  const email = emailOf(text);
  const [clicked, keyed, addressed] = await Promise.all([
    findRecordedCustomer(table, text),
    findCustomerByKey(table, id, text).then((holder) => findRecordedCustomer(table, holder?.clickId)),
    email === undefined ? [] : customersByEmail(table, id, traceEmail(email, emailSalt).hash),
  ]);
  return [clicked, keyed, ...addressed].filter((customer) => customer?.programId === id) as Customer[];
}

async function partnerByAddress({ table }: Deps, { id, workspaceId }: Program, text: string): Promise<Partner[]> {
  const address = addressOf(text);
  const known = address === undefined ? undefined : await findPartnerByEmail(table, workspaceId, address);
  const partner = known && (await findPartner(table, id, known.id));
  return partner ? [partner] : [];
}

async function linkByName({ table }: Deps, { id }: Program, text: string): Promise<ReferralLink[]> {
  const link = isTestLink(text) ? undefined : await findLink(table, text);
  return link?.programId === id ? [link] : [];
}

async function codeByName(deps: Deps, program: Program, text: string): Promise<SearchResult[]> {
  const code = await findCode(deps.table, program.id, text);
  return codeResults(deps, program, code ? [code] : []);
}

async function codeResults({ table }: Deps, { id }: Program, codes: readonly Code[]): Promise<SearchResult[]> {
  const partners = await Promise.all(codes.map(({ partnerId }) => findPartner(table, id, partnerId)));
  return codes.flatMap((code, index) => (partners[index] ? [codeResult(code, partners[index].name)] : []));
}
