import { type Currency, decimalsOf } from '#lib/service/ground/values/currency.ts';
import { halfUp } from '#lib/service/ground/values/money.ts';
import type { Fields } from '#lib/service/conversions/stripe/event-fields.ts';

/** Where Stripe's smallest unit has other decimals than ISO 4217. */
const decimalsAtStripe: ReadonlyMap<Currency, number> = new Map([
  // Charged in whole units, of which Stripe still sends hundredths, so that older integrations need not change.
  ['ISK', 2],
  ['UGX', 2],
  // ISO 4217 has two decimals, Stripe sends whole ones.
  ['MGA', 0],
]);

/**
 * An amount of an event in the currency's smallest unit. Stripe charges them whole, but what is computed, such as a
 * discounted amount, may have a rest: half up, as all other amounts are rounded. What is no amount is 0.
 */
export function amountFromStripe(sent: unknown, currency: Currency): number {
  if (!Number.isInteger(sent)) return 0;
  const amount = sent as number;
  const decimals = decimalsOf(currency);
  const more = (decimalsAtStripe.get(currency) ?? decimals) - decimals;
  // What is negative is refused, whatever it is.
  if (more === 0 || amount < 0) return amount;
  return more > 0 ? Number(halfUp(BigInt(amount), 10n ** BigInt(more))) : amount * 10 ** -more;
}

/** In upper case; any. */
export const currencyOf = ({ currency }: Fields): string =>
  typeof currency === 'string' ? currency.toUpperCase() : '';

/** An amount that an object of Stripe's has in its own currency. */
export const amountOf = (object: Fields, name: string): number => amountFromStripe(object[name], currencyOf(object));
