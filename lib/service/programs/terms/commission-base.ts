import type { Currency } from '#lib/service/ground/values/currency.ts';
import { proportionOf } from '#lib/service/ground/values/money.ts';

/** From which part of a sale percent commissions are computed. */
export const commissionBases = ['gross', 'excluding_tax'] as const;
export type CommissionBase = (typeof commissionBases)[number];

export const DEFAULT_COMMISSION_BASE: CommissionBase = 'gross';

/** Amounts of a sale, in the smallest unit of its currency. */
interface TaxedAmount {
  /** Gross. */
  readonly amountCents: number;
  /** Part of it; absent = not known. */
  readonly taxCents?: number;
}

/** The base that is stored with a sale; undefined where it is the whole amount whatever the tax is. */
export const storedBaseCents = (
  base: CommissionBase | undefined,
  { amountCents, taxCents = 0 }: TaxedAmount,
): number | undefined => (base === 'excluding_tax' ? amountCents - taxCents : undefined);

/** From what percent commissions of a stored sale are computed. */
export const baseCentsOf = ({
  amountCents,
  baseCents = amountCents,
}: {
  readonly amountCents: number;
  readonly baseCents?: number;
}): number => baseCents;

/** A payment with its tax, as an event tells it. */
export interface TaxReport extends Required<TaxedAmount> {
  readonly currency: Currency;
}

/** The tax that a report of the same payment gives for an amount; undefined where it says nothing of it. */
export const reportedTaxCents = (
  report: TaxReport | undefined,
  { amountCents, currency }: { readonly amountCents: number; readonly currency: Currency },
): number | undefined =>
  report?.currency === currency ? proportionOf(report.taxCents, amountCents, report.amountCents) : undefined;
