import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { reportedTaxCents, type TaxReport } from '#lib/service/programs/terms/commission-base.ts';
import { isFinal, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { recalculated } from '#lib/service/conversions/tiers/recalculated-commission.ts';
import type { RefundShare, StoredStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';

/** A sale and its commission, with the shares that its recorded refunds have in the commission. */
interface TaxedSale {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
  /** In the order of the refunds; none where they stay as they are. */
  readonly shares: readonly RefundShare[];
}

const TAX_KNOWN = 'the tax of the sale became known';

/** Whether the tax of a sale is still to be learned. */
export const lacksTax = ({ taxCents }: Pick<Sale, 'taxCents'>): boolean => taxCents === undefined;

/** The tax that a record of a payment tells to another one of the same payment. */
export const taxOf = ({
  taxCents,
  amountCents,
  currency,
}: Omit<TaxReport, 'taxCents'> & { readonly taxCents?: number }): TaxReport | undefined =>
  taxCents === undefined ? undefined : { taxCents, amountCents, currency };

/**
 * Fills in a tax that was not known when the sale was recorded. Base and commission are made anew, unless the
 * commission was paid or rejected: then only the tax is noted. Refunds take the same share of the commission as before.
 * @param refunds every recorded one of the sale
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
