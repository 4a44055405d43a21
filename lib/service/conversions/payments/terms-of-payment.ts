import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { lastClosedMonth, monthOf } from '#lib/service/ground/values/day.ts';
import { FIRST_VERSION, type Program } from '#lib/service/programs/program/program.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { type AgreedTerms, hasTiers, type TermsInForce } from '#lib/service/programs/terms/terms.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { monthlySalesOf } from '#lib/service/conversions/tiers/monthly-sales.ts';
import { termsInForce, termsOfVersion } from '#lib/service/programs/terms/terms-in-force.ts';

/**
 * The terms for a payment of a customer. Usually they were already read, with the sale's first reads. A further read is
 * needed in two cases: the customer's first sale was recorded while its program paid by current terms, or the partner's
 * monthly number of sales is not stored or not final.
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

/** The terms of a recorded sale: those of its stored version, else those in force. */
export async function termsOfRecordedSale(
  deps: OperatorDeps,
  program: Program,
  { termsVersion, attribution, createdAt }: Sale,
): Promise<AgreedTerms> {
  const named = termsVersion && (await termsOfVersion(deps, program, termsVersion.version));
  const terms = named ?? (await termsInForce(deps, program, attribution?.partnerId));
  return withMonthlySales(deps, program, attribution?.partnerId, terms, new Date(createdAt));
}

/** The terms of a customer's first sale. If the customer has no stored version, it was the program's first version. */
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
): Promise<AgreedTerms> => {
  if (partnerId === undefined || !hasTiers(terms)) return { terms };
  const month = monthOf(lastClosedMonth(at).from);
  return { terms, monthlySales: await monthlySalesOf(deps, program.id, partnerId, month) };
};
