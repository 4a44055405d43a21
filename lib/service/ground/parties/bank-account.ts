// This file checks and masks the numbers of banks and accounts.

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** An IBAN without spaces; undefined when its check digits (ISO 7064) are wrong. */
export function ibanOf(sent: string): string | undefined {
  const iban = upperAscii(sent.replaceAll(/\s/g, ''));
  if (!IBAN.test(iban)) return undefined;
  const moved = iban.slice(4) + iban.slice(0, 4);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n ? iban : undefined;
}

/**
 * The form of a BIC (ISO 9362): four letters or digits, two letters for the country, two more characters, and
 * optionally three for the branch.
 */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/** A BIC without spaces, in upper case; undefined when its form is wrong. */
export function bicOf(sent: string): string | undefined {
  const bic = upperAscii(sent.replaceAll(/\s/g, ''));
  return BIC.test(bic) ? bic : undefined;
}

/**
 * Converts only ASCII letters to upper case: some other letters have an ASCII letter as their upper case, and an
 * invalid number could become valid.
 */
const upperAscii = (text: string): string => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

export const maskedIban = (iban: string): string => `${iban.slice(0, 2)}** **** ${iban.slice(-SHOWN)}`;

/** How many of its last characters a masked number shows. A short number shows none. */
const SHOWN = 4;

export const maskedNumber = (number: string): string => `****${number.length > SHOWN * 2 ? number.slice(-SHOWN) : ''}`;
