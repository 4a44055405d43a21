import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import { mailDomainOf } from '#lib/service/ground/addresses/email.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { type RulesPreview, rulesPreviewOf, type TriedCommission } from '#lib/service/reports/stories/rules-preview.ts';
import { rulesThatFit } from '#lib/service/earnings/commissions/rules-that-fit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { loadMailDomains, type MailDomains } from '#lib/service/ground/addresses/load-mail-domains.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { commissionsOf } from '#lib/service/earnings/commissions/commissions-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';

const DAYS = 30;
const MOST_COMMISSIONS = 1_000;
/** How many commissions are checked at once: one batch of reads. */
const AT_ONCE = 100;

export interface PreviewedRules {
  readonly rules: RulesPreview;
  /** Whether all commissions of the period were checked. */
  readonly isComplete: boolean;
}

type PreviewDeps = Pick<Deps, 'table' | 'now' | 'log'>;

interface Known {
  readonly agreements: Awaited<ReturnType<typeof findAgreements>>;
  readonly lists: MailDomains | undefined;
}

/**
 * Applies the program's rules to its newest commissions, with what is now known of their customers. Changes nothing.
 */
export async function previewRules(deps: PreviewDeps, program: Program): Promise<PreviewedRules> {
  const { table, now } = deps;
  const from = dayLater(dayOf(now), 1 - DAYS);
  const [agreements, lists] = await Promise.all([findAgreements(table, program.id), loadMailDomains(deps.log)]);
  const known = { agreements, lists };
  const tried: TriedCommission[] = [];
  let after: string | undefined;
  for (let read = 0; read < MOST_COMMISSIONS; read += AT_ONCE) {
    const page = await commissionsOf(table, program.id, 'all', { most: AT_ONCE, after, from }, () => true);
    const some = await Promise.all(page.items.map((commission) => triedCommission(deps, program, known, commission)));
    tried.push(...some.flat());
    after = page.next;
    if (after === undefined) break;
  }
  return { rules: rulesPreviewOf(program, tried), isComplete: after === undefined };
}

/** Applies the rules to a commission. Empty for a manual commission, or if the customer's data were deleted. */
async function triedCommission(
  { table }: PreviewDeps,
  program: Program,
  { agreements, lists }: Known,
  commission: Commission,
): Promise<TriedCommission[]> {
  if (commission.kind === 'manual') return [];
  const [customer, sale] = await Promise.all([
    findRecordedCustomer(table, commission.clickId),
    commission.kind === 'lead' ? undefined : findSale(table, commission.transactionId),
  ]);
  if (!customer) return [];
  const { amountCents, currency } = commission;
  const { email, traits } = customer;
  const domain = traits?.mailDomain ?? (email && mailDomainOf(email));
  const isDisposable = domain === undefined ? undefined : lists?.isDisposableDomain(domain);
  const { isByAddressAlone } = sale?.attribution ?? {};
  const fits = rulesThatFit(program, customer, { ...agreements, isDisposable, isByAddressAlone });
  return [{ amountCents, currency, fitting: new Set(fits.keys()) }];
}
