import { type Currency, decimalsOf } from '#lib/service/ground/values/currency.ts';
import { halfUp, MOST_CENTS } from '#lib/service/ground/values/money.ts';
import type { Fields } from '#lib/service/conversions/stripe/event-fields.ts';
import type { Reversal } from '#lib/service/conversions/refunds/reversals.ts';

/** How many decimals Stripe's amounts have, for currencies in which this differs from ISO 4217. */
const decimalsAtStripe: ReadonlyMap<Currency, number> = new Map([
  // ISK is charged in whole units, but Stripe sends two decimals for compatibility with older integrations.
  ['ISK', 2],
  ['UGX', 2],
  // ISO 4217 has two decimals, but Stripe sends whole units.
  ['MGA', 0],
]);

/**
 * Converts an amount of an event to the currency's smallest unit. Computed amounts, such as a discounted one, may have
 * a fraction and are rounded half up. Invalid amounts become 0, and amounts too large to be exact become the largest
 * exact integer.
 */
export function amountFromStripe(sent: unknown, currency: Currency): number {
  if (!Number.isInteger(sent)) return 0;
  const amount = sent as number;
  const decimals = decimalsOf(currency);
  const more = (decimalsAtStripe.get(currency) ?? decimals) - decimals;
  // Negative amounts are rejected later, so they need no conversion.
  if (more === 0 || amount < 0) return exact(amount);
  return exact(more > 0 ? Number(halfUp(BigInt(amount), 10n ** BigInt(more))) : amount * 10 ** -more);
}

const exact = (amount: number): number => Math.min(Math.max(amount, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);

/** The currency of a Stripe object in upper case, not restricted to supported currencies. */
export const currencyOf = ({ currency }: Fields): string =>
  typeof currency === 'string' ? currency.toUpperCase() : '';

/** An amount of a Stripe object in its own currency. */
export const amountOf = (object: Fields, name: string): number => amountFromStripe(object[name], currencyOf(object));

/** A refunded or disputed amount. It may exceed the sale's amount; later steps limit it to that. */
export const takenOf = (object: Fields, name: string): number => Math.min(amountOf(object, name), MOST_CENTS);

const CURRENCY = /^[A-Z]{3}$/;

/** What was paid by a charge. Old API versions do not say how much of the authorized amount was captured. */
const paidOf = (charge: Fields): number =>
  takenOf(charge, typeof charge.amount_captured === 'number' ? 'amount_captured' : 'amount');

/**
 * What was refunded of a charge in total. Stripe also counts the part of the authorized amount that was never captured,
 * and so never paid.
 */
export const refundedOf = (charge: Fields): number =>
  takenOf(charge, 'amount_refunded') - Math.max(0, takenOf(charge, 'amount') - paidOf(charge));

/** The currency of a charge and what was paid by it. @param charge empty if only its id is known */
export const chargedBy = (object: Fields, charge: Fields): Pick<Reversal, 'currency' | 'chargeCents'> => ({
  // The currency is stored until the sale arrives, and it comes from outside, so only a well-formed code is accepted.
  currency: CURRENCY.test(currencyOf(object)) ? currencyOf(object) : undefined,
  chargeCents: paidOf(charge) || undefined,
});
