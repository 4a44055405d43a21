import type { AttributedCustomer, Customer } from '#lib/service/traffic/customers/customer.ts';
import { type EmailTrace, endOfDomain, isOfMailbox, mailDomainOf } from '#lib/service/ground/addresses/email.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { type CustomerTraits, rulesOf } from '#lib/service/programs/terms/rules.ts';
import type { RuleFacts } from '#lib/service/earnings/commissions/rules-that-fit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { loadMailDomains } from '#lib/service/ground/addresses/load-mail-domains.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findPartnerOf } from '#lib/service/programs/partners/partners-items.ts';

/** The dependencies of a comparison. The log is optional, because operator commands have none. */
type AddressDeps = Pick<Deps, 'table'> & Partial<Pick<Deps, 'log'>>;
type LogDeps = Pick<AddressDeps, 'log'>;

/** The facts about a customer's e-mail address that rules check. @param email the payer's address */
export async function addressFacts(
  deps: AddressDeps,
  program: Program,
  customer: AttributedCustomer & Pick<Partial<Customer>, 'email'>,
  email?: EmailTrace,
): Promise<Pick<RuleFacts, 'compared' | 'isDisposable'>> {
  const [compared, isDisposable] = await Promise.all([
    compareAddress(deps, program, customer, email),
    isOfDisposable(deps, program, customer, email),
  ]);
  return { compared, isDisposable };
}

/**
 * Compares the e-mail addresses of payer and customer with the address of the customer's partner. The customer's own
 * address is compared again if the customer has another partner since the last comparison.
 * @returns undefined if there is nothing new to compare: the rules are off, no address is known, or the partner was
 * removed
 */
async function compareAddress(
  deps: AddressDeps,
  program: Program,
  customer: AttributedCustomer & Pick<Partial<Customer>, 'email'>,
  payer: EmailTrace | undefined,
): Promise<CustomerTraits['compared']> {
  const { clickId, partnerId, traits } = customer;
  const { self_referral, same_domain } = rulesOf(program);
  if (self_referral === 'off' && same_domain === 'off') return undefined;
  const { table } = deps;
  const noted = traits?.compared?.partnerId === partnerId ? traits?.compared : undefined;
  const hasOwn = !noted && (customer.email ?? traits?.mailDomain) !== undefined;
  if (!payer && !hasOwn) return undefined;
  const [partner, own] = await Promise.all([
    findPartnerOf(table, customer),
    // The item of a customer key contains no e-mail address, so the customer is loaded.
    hasOwn && customer.email === undefined ? findCustomer(table, clickId) : customer,
  ]);
  if (!partner) return undefined;
  const traces = [payer, hasOwn ? own?.email : undefined].filter((trace) => trace !== undefined);
  const found = await Promise.all(traces.map((trace) => comparedWith(deps, program, trace, partner)));
  return found.reduce((all, one) => ({ ...all, ...one }), { ...noted, partnerId: partner.id });
}

/**
 * Whether the payer's or customer's e-mail address belongs to a provider of disposable addresses. The lists of such
 * providers are only read if the program's rule is on.
 */
export async function isOfDisposable(
  { log }: LogDeps,
  program: Program,
  { email, traits }: Pick<AttributedCustomer, 'traits'> & Pick<Partial<Customer>, 'email'>,
  paidWith?: EmailTrace,
): Promise<boolean | undefined> {
  if (rulesOf(program).disposable_email === 'off') return undefined;
  const domains = [paidWith && mailDomainOf(paidWith), traits?.mailDomain ?? (email && mailDomainOf(email))];
  const known = domains.filter((domain) => domain !== undefined);
  const lists = known.length > 0 ? await loadMailDomains(log) : undefined;
  return lists && known.some(lists.isDisposableDomain);
}

/** The fields of a partner that the comparison uses. */
export type ComparedPartner = Pick<Partner, 'id' | 'email'>;

async function comparedWith(
  { log }: LogDeps,
  { emailSalt }: Program,
  trace: EmailTrace,
  { id, email }: ComparedPartner,
) {
  if (email === undefined) return { partnerId: id };
  const [one, other] = [mailDomainOf(trace), mailDomainOf({ masked: email })];
  // Two domains whose last two labels differ cannot be the same organization, so most comparisons need no list of mail
  // domains.
  const lists = endOfDomain(one) === endOfDomain(other) ? await loadMailDomains(log) : undefined;
  return {
    partnerId: id,
    ...(isOfMailbox(trace, email, emailSalt) && ({ address: true } as const)),
    ...(lists?.isSameOwnDomain(one, other) && ({ domain: true } as const)),
  };
}

/** The customer's traits, with the results of the address rules, after its e-mail address became known. */
export const traitsWithAddress = async (
  deps: LogDeps,
  program: Program,
  traits: CustomerTraits | undefined,
  trace: EmailTrace | undefined,
  partner: ComparedPartner | undefined,
): Promise<CustomerTraits | undefined> =>
  trace && {
    ...traits,
    mailDomain: mailDomainOf(trace),
    compared: partner ? await comparedWith(deps, program, trace, partner) : traits?.compared,
  };
