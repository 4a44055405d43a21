import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { reportedTaxCents, type TaxReport } from '#lib/service/programs/terms/commission-base.ts';
import { isFinal, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { recalculated } from '#lib/service/conversions/tiers/recalculated-commission.ts';
import type { RefundShare, StoredStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';

/** A sale and its commission, and what each of the sale's refunds now deducts from that commission. */
interface TaxedSale {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
  /** What each refund deducts, in the order of the refunds. Empty if the deductions do not change. */
  readonly shares: readonly RefundShare[];
}

const TAX_KNOWN = 'the tax of the sale became known';

/** Whether the tax of a sale is unknown. */
export const lacksTax = ({ taxCents }: Pick<Sale, 'taxCents'>): boolean => taxCents === undefined;

/** The tax in a record of a payment, for copying to another record of the same payment. Undefined if it is unknown. */
export const taxOf = ({
  taxCents,
  amountCents,
  currency,
}: Omit<TaxReport, 'taxCents'> & { readonly taxCents?: number }): TaxReport | undefined =>
  taxCents === undefined ? undefined : { taxCents, amountCents, currency };

/**
 * Adds a tax that was unknown when the sale was recorded. Base amount and commission are computed again, unless the
 * commission was paid or rejected: then only the tax is stored. Each refund deducts the same share of the new
 * commission as of the former one.
 * @param refunds all recorded refunds of the sale
 */
export function withLateTax(
  sale: Sale,
  commission: SaleCommission | undefined,
  report: TaxReport | undefined,
  refunds: readonly StoredStep[],
  change: StatusChange,
): TaxedSale {
  const taxCents = reportedTaxCents(report, sale);
  if (taxCents === undefined || !lacksTax(sale)) return { sale, commission, shares: [] };
  const excludesTax = sale.baseCents !== undefined && !(commission && isFinal(commission));
  const taxed: Sale = { ...sale, taxCents, ...(excludesTax && { baseCents: sale.amountCents - taxCents }) };
  if (!commission || taxed.baseCents === sale.baseCents) return { sale: taxed, commission, shares: [] };
  return { sale: taxed, ...recalculated(commission, taxed, refunds, change, TAX_KNOWN) };
}
