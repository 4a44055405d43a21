import * as z from 'zod/mini';
import { bicOf, ibanOf } from '#lib/service/ground/parties/bank-account.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { readAs } from '#lib/wire/words/fields-request.ts';

// The fields that describe people and companies who pay or are paid.

export const partyTexts = {
  name: 'name must be a string of 1 to 120 characters',
  address: 'address must be a string of 1 to 500 characters',
  country: 'country must be a two-letter country code',
  tax_id: 'tax_id must be a string of 1 to 40 characters',
  iban: 'iban must be a valid IBAN',
  bic: 'bic must be a valid BIC',
};

/**
 * Characters that can make a text look different from what is copied: control characters, except line breaks, and
 * direction marks.
 */
const HIDDEN = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const visibleText = (maxLength: number, text: string) =>
  z.string(text).check(
    z.overwrite((sent) => sent.replaceAll('\r\n', '\n').trim()),
    z.refine(
      (sent) => sent.length >= 1 && sent.length <= maxLength && sent.isWellFormed() && !HIDDEN.test(sent),
      outOfBounds(text, { minLength: 1, maxLength }),
    ),
  );

export const line = (maxLength: number, text: string) =>
  visibleText(maxLength, text).check(z.refine((sent) => !sent.includes('\n'), text));

const countryOf = (sent: string): string | undefined => (/^[A-Za-z]{2}$/.test(sent) ? sent.toUpperCase() : undefined);

export const countryField = readAs(z.string(partyTexts.country), countryOf, partyTexts.country);
export const ibanField = readAs(z.string(partyTexts.iban), ibanOf, partyTexts.iban);
export const bicField = readAs(z.string(partyTexts.bic), bicOf, partyTexts.bic);

/** A payer or payee. */
export const Party = z.object({
  name: z.optional(line(120, partyTexts.name)),
  address: z.optional(visibleText(500, partyTexts.address)),
  country: z.optional(countryField),
  tax_id: z.optional(line(40, partyTexts.tax_id)),
});

/** The account that a brand pays from. */
export const Payer = z.extend(Party, { iban: z.optional(ibanField), bic: z.optional(bicField) });

export const payerFields = Object.keys(Payer.shape) as (keyof typeof Payer.shape)[];
/** The payer's fields that replies show unmasked. */
export const readablePayerFields = payerFields.filter((field) => field !== 'iban');
