import type { Code } from '#lib/service/programs/links/code.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { isTestLink, type ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { MOST_RESULTS } from '#lib/service/reports/stories/search.ts';
import { beginAll, folded, wordsOf, wordsOfIdentifier, wordsOfPartner } from '#lib/service/programs/words/words.ts';
import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { findLink } from '#lib/service/programs/links/links-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { allPartnersOf, findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { newestListed } from '#lib/service/reports/lists/events-items.ts';
import { idsByWords } from '#lib/service/programs/words/words-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

// What a search finds by the beginnings of words, or by a part of an identifier. Each list is newest first.

/**
 * Partners whose name and address contain, for each word of the text, a word that begins with it. Removed partners come
 * last.
 */
export async function partnersByWords(table: Table, program: Program, text: string): Promise<Partner[]> {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const found = program.listsWords
    ? await listedPartners(table, program, wanted)
    : (await allPartnersOf(table, program.id)).filter((partner) => beginAll(wordsOfPartner(partner), wanted));
  return found.toSorted(
    (a, b) =>
      Number(a.status === 'removed') - Number(b.status === 'removed') ||
      compared(b.createdAt, a.createdAt) ||
      b.id - a.id,
  );
}

/** How many partners are read per step. */
const STEP = 100;

/** Reads partners until there are enough. Some partners in the workspace's list may not be in this program. */
async function listedPartners(
  table: Table,
  { id, workspaceId, removedPartnerIds }: Program,
  wanted: readonly string[],
): Promise<Partner[]> {
  const removed = new Set(removedPartnerIds);
  const ids = (await idsByWords(table, 'PARTNER', workspaceId, wanted)).map(Number);
  const inOrder = [...ids.filter((one) => !removed.has(one)), ...ids.filter((one) => removed.has(one))];
  const found: Partner[] = [];
  for (let at = 0; at < inOrder.length && found.length < MOST_RESULTS; at += STEP) {
    const read = await Promise.all(inOrder.slice(at, at + STEP).map((partnerId) => findPartner(table, id, partnerId)));
    found.push(...read.filter((one) => one !== undefined).filter((one) => beginAll(wordsOfPartner(one), wanted)));
  }
  return found;
}

export async function linksByWords(table: Table, programId: number, text: string): Promise<ReferralLink[]> {
  const names = await identifiersByWords(table, 'LINK', programId, text);
  const links = await Promise.all(names.filter((name) => !isTestLink(name)).map((name) => findLink(table, name)));
  return links.filter((link) => link !== undefined);
}

export async function codesByWords(table: Table, programId: number, text: string): Promise<Code[]> {
  const names = await identifiersByWords(table, 'CODE', programId, text);
  const codes = await Promise.all(names.map((name) => findCode(table, programId, name)));
  return codes.filter((code) => code !== undefined);
}

async function identifiersByWords(
  table: Table,
  list: 'LINK' | 'CODE',
  programId: number,
  text: string,
): Promise<string[]> {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const ids = await idsByWords(table, list, programId, wanted);
  return ids.filter((id) => beginAll(wordsOfIdentifier(id), wanted)).slice(0, MOST_RESULTS);
}

/** A text must have this many characters to be searched within identifiers. */
const LEAST_CHARACTERS = 4;

/** Real sales among the newest 1,000 whose transaction id contains the text. */
export async function salesByPart(table: Table, programId: number, text: string): Promise<Sale[]> {
  if (text.length < LEAST_CHARACTERS) return [];
  const part = folded(text);
  const entries = await newestListed(table, programId, 'sale');
  const ids = entries.map(({ pk }) => pk.slice('SALE#'.length)).filter((id) => folded(id).includes(part));
  const sales = await Promise.all(ids.slice(0, MOST_RESULTS).map((id) => findSale(table, id)));
  return sales.filter((sale) => sale !== undefined);
}

/** Customers of the newest 1,000 leads and the newest 1,000 sales whose key contains the text. */
export async function customersByPart(table: Table, programId: number, text: string): Promise<Customer[]> {
  if (text.length < LEAST_CHARACTERS) return [];
  const part = folded(text);
  const [leads, sales] = await Promise.all([
    newestListed(table, programId, 'lead'),
    newestListed(table, programId, 'sale'),
  ]);
  const ofLeads = leads.map(({ pk, position }) => ({ position, clickId: pk.slice('CUSTOMER#'.length) }));
  const ofSales = await Promise.all(
    sales.map(async ({ pk, sk, position }) => {
      const sale = await table.get<Sale>({ pk, sk });
      return { position, clickId: sale?.attribution?.clickId };
    }),
  );
  const placed = [...ofLeads, ...ofSales];
  const clickIds = placed.toSorted((a, b) => compared(b.position, a.position)).map(({ clickId }) => clickId);
  const read = await Promise.all([...new Set(clickIds)].map((clickId) => findRecordedCustomer(table, clickId)));
  return read
    .filter((customer) => customer !== undefined)
    .filter(({ customerKey }) => customerKey !== undefined && folded(customerKey).includes(part))
    .slice(0, MOST_RESULTS);
}

// Compares texts independently of the locale, because language rules are slow and differ between runtimes.
const compared = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
