import { monthOf } from '#lib/domain/counters.ts';
import type { AttributedCustomer } from '#lib/domain/customer.ts';
import { lastClosedMonth } from '#lib/domain/day.ts';
import { FIRST_VERSION, type Program } from '#lib/domain/program.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { type AgreedTerms, hasTiers, type TermsInForce } from '#lib/domain/terms.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { findMonthlySales, fixMonthlySales } from '#lib/service/store/agreements.ts';
import { countedTierSales } from '#lib/service/store/counter-readings.ts';
import { termsInForce, termsOfVersion } from '#lib/service/use-cases/terms-in-force.ts';

/**
 * The terms by which a payment of a customer is paid. They come with what a sale reads first, but for the version of a
 * first sale that was recorded while its program paid by current terms, and for what a partner sold in a month of which
 * nobody has asked yet.
 */
export async function termsOfPayment(
  deps: OperatorDeps,
  program: Program,
  customer: AttributedCustomer,
  { isRecurring }: Pick<Sale, 'isRecurring'>,
): Promise<AgreedTerms> {
  const isByFirstSale = program.termsApply === 'first_sale' && isRecurring && customer.firstPurchaseAt !== undefined;
  const first = isByFirstSale ? await firstTermsOf(deps, program, customer) : undefined;
  const terms = first ?? (await termsInForce(deps, program, customer.partnerId));
  return withMonthlySales(deps, program, customer.partnerId, terms, deps.now);
}

/** The terms of a sale that was recorded before: of the version that it names, else those in force. */
export async function termsOfRecordedSale(
  deps: OperatorDeps,
  program: Program,
  { termsVersion, attribution, createdAt }: Sale,
): Promise<AgreedTerms> {
  const named = termsVersion && (await termsOfVersion(deps, program, termsVersion.version));
  const terms = named ?? (await termsInForce(deps, program, attribution?.partnerId));
  return withMonthlySales(deps, program, attribution?.partnerId, terms, new Date(createdAt));
}

/** A customer who first paid before there were versions is paid for by the program's first one. */
const firstTermsOf = async (
  deps: OperatorDeps,
  program: Program,
  { firstTerms = FIRST_VERSION }: AttributedCustomer,
): Promise<TermsInForce | undefined> =>
  typeof firstTerms === 'number' ? termsOfVersion(deps, program, firstTerms) : firstTerms;

const withMonthlySales = async (
  deps: OperatorDeps,
  program: Program,
  partnerId: number | undefined,
  terms: TermsInForce,
  at: Date,
): Promise<AgreedTerms> => ({
  terms,
  monthlySales: partnerId === undefined || !hasTiers(terms) ? 0 : await monthlySalesOf(deps, program.id, partnerId, at),
});

/**
 * What a partner sold in the last closed month. The number is fixed by the first request that needs it, so it depends on
 * the counters' delay no longer. A request from before midnight may come after one of the next month: its own month is
 * counted for good by then, and the later number stays.
 */
async function monthlySalesOf(
  { table }: OperatorDeps,
  programId: number,
  partnerId: number,
  at: Date,
): Promise<number> {
  const period = lastClosedMonth(at);
  const month = monthOf(period.from);
  const fixed = await findMonthlySales(table, programId, partnerId);
  if (fixed?.month === month) return fixed.sales;
  const counted = { month, sales: await countedTierSales(table, programId, partnerId, period) };
  if (fixed && fixed.month > month) return counted.sales;
  const now = await fixMonthlySales(table, programId, partnerId, fixed, counted);
  return (now.month === month ? now : counted).sales;
}
