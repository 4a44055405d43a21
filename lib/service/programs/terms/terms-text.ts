import { type Currency, decimalsOf } from '#lib/service/ground/values/currency.ts';
import { commissionsText, waitText } from '#lib/service/programs/terms/offer-text.ts';
import type { Terms } from '#lib/service/programs/terms/terms.ts';

/** How mails and replies write numbers and money. */
export const notationOf = (currency: Currency) => ({ language: 'en-US', currency, decimals: decimalsOf(currency) });

/**
 * Terms as sentences, for example `20% of each sale, renewals for 12 months. Commissions wait 15 days for refunds.`
 * @param currency the currency of the program
 */
export function termsText(terms: Terms, currency: Currency): string {
  const notation = notationOf(currency);
  return `${commissionsText(terms, notation)}. ${waitText(terms.holdPeriodDays, notation)}`;
}
