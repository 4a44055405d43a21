import type { Currency } from '#lib/service/ground/values/currency.ts';
import { proportionOf } from '#lib/service/ground/values/money.ts';

/** The part of a sale from which percent commissions are computed. */
export const commissionBases = ['gross', 'excluding_tax'] as const;
export type CommissionBase = (typeof commissionBases)[number];

export const DEFAULT_COMMISSION_BASE: CommissionBase = 'gross';

/** Amounts of a sale, in the smallest unit of its currency. */
interface TaxedAmount {
  /** The gross amount. */
  readonly amountCents: number;
  /** Tax included in the amount; absent = not known. */
  readonly taxCents?: number;
}

/** The commission base that is stored with a sale; undefined if percentages are computed from the whole amount. */
export const storedBaseCents = (
  base: CommissionBase | undefined,
  { amountCents, taxCents = 0 }: TaxedAmount,
): number | undefined => (base === 'excluding_tax' ? amountCents - taxCents : undefined);

/** The amount from which percent commissions of a stored sale are computed. */
export const baseCentsOf = ({
  amountCents,
  baseCents = amountCents,
}: {
  readonly amountCents: number;
  readonly baseCents?: number;
}): number => baseCents;

/** A payment's amount and its tax, as an event reports them. */
export interface TaxReport extends Required<TaxedAmount> {
  readonly currency: Currency;
}

/** The tax of an amount, taken from a report of the same payment; undefined if the report does not contain it. */
export const reportedTaxCents = (
  report: TaxReport | undefined,
  { amountCents, currency }: { readonly amountCents: number; readonly currency: Currency },
): number | undefined =>
  report?.currency === currency ? proportionOf(report.taxCents, amountCents, report.amountCents) : undefined;
