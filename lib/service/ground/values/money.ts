// Integer arithmetic only: money never passes through binary floating point.

import { type Currency, decimalsOf } from '#lib/service/ground/values/currency.ts';

/** n ÷ d for n ≥ 0, rounded half up. */
export const halfUp = (n: bigint, d: bigint): bigint => (2n * n + d) / (2n * d);

/**
 * Converts a decimal number to an integer of units of 10^-decimals, rounded half up, by its shortest decimal spelling.
 */
export function scaled(value: number, decimals: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = decimals + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : halfUp(digits, 10n ** BigInt(-shift));
}

/** `amount` × `part` ÷ `whole`, rounded half up. All in cents. */
export const proportionOf = (amount: number, part: number, whole: number): number =>
  Number(halfUp(BigInt(amount) * BigInt(part), BigInt(whole)));

/**
 * The largest amount of a single sale, refund or commission, in cents. Nine thousand such amounts still add up exactly,
 * so one caller's mistake cannot break the sums of a report or payout.
 */
export const MOST_CENTS = 1_000_000_000_000;

/**
 * A computed amount as a number. It is limited, so that a sale with an absurdly high commission rate can still be
 * recorded.
 */
export const toCents = (cents: bigint): number => (cents > BigInt(MOST_CENTS) ? MOST_CENTS : Number(cents));

/** The nearest number that JSON and the table represent exactly. */
export const safeInteger = (number: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));

/** A sum, limited to what JSON represents exactly. */
export const sumOf = (amounts: readonly number[]): number =>
  safeInteger(amounts.reduce((total, amount) => total + amount, 0));

/** An amount as a decimal number with exactly the decimals of its currency, such as `49.00`. */
export function decimalText(amountCents: number, currency: Currency): string {
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(amountCents);
  const digits = String(Math.abs(amountCents)).padStart(decimals + 1, '0');
  return `${amountCents < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount for display, such as `49.00 USD`. */
export const moneyText = (amountCents: number, currency: Currency): string =>
  `${decimalText(amountCents, currency)} ${currency}`;
