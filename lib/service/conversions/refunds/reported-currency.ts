import { proportionOf } from '#lib/service/ground/values/money.ts';

/**
 * The currency in which the processor reports a refund or dispute. It can differ from the sale's, if the brand's server
 * recorded the payment in another currency than the charge.
 */
export interface InCurrency {
  /** The currency in upper case. Undefined means the currency of the sale. */
  readonly currency?: string;
  /** The amount of the whole charge, in `currency`. Undefined if the report does not contain it. */
  readonly chargeCents?: number;
}

/**
 * Converts an amount to the sale's currency in proportion: the whole charge corresponds to the whole sale. If the
 * charge's amount is unknown, as for most disputes, the result is the whole amount of the sale.
 */
export function inCurrencyOf(
  { amountCents, currency }: { readonly amountCents: number; readonly currency: string },
  reported: InCurrency,
  cents: number,
): number {
  if (reported.currency === undefined || reported.currency === currency) return cents;
  return reported.chargeCents
    ? proportionOf(amountCents, Math.min(cents, reported.chargeCents), reported.chargeCents)
    : amountCents;
}
