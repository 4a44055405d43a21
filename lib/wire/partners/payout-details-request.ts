import * as z from 'zod/mini';
import { ibanOf, payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { chosenFrom, emailField, readAs } from '#lib/wire/words/fields-request.ts';

export const payoutDetailsTexts = {
  account_holder: 'account_holder must be a string of 1 to 120 characters',
  account_number: 'account_number must be a string of 1 to 34 characters',
  routing_number: 'routing_number must be a string of 1 to 34 characters',
  instructions: 'instructions must be a string of 1 to 1000 characters',
  iban: 'iban must be a valid IBAN',
  country: 'country must be a two-letter country code',
};

/**
 * Control characters and direction marks, which make the shown text differ from the copied one. Line breaks are
 * allowed.
 */
const HIDDEN = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const visibleText = (maxLength: number, text: string) =>
  z.string(text).check(
    z.overwrite((sent) => sent.replaceAll('\r\n', '\n').trim()),
    z.refine(
      (sent) => sent.length >= 1 && sent.length <= maxLength && sent.isWellFormed() && !HIDDEN.test(sent),
      outOfBounds(text, { minLength: 1, maxLength }),
    ),
  );

const line = (maxLength: number, text: string) =>
  visibleText(maxLength, text).check(z.refine((sent) => !sent.includes('\n'), text));

/**
 * Letters and digits, optionally separated by a space, `-`, `.` or `/`, so that no spreadsheet treats them as a
 * formula.
 */
const ACCOUNT_PART = /^[A-Za-z0-9]+(?:[ ./-][A-Za-z0-9]+)*$/;

const accountPart = (text: string) => line(34, text).check(z.refine((sent) => ACCOUNT_PART.test(sent), text));

const countryOf = (sent: string): string | undefined => (/^[A-Za-z]{2}$/.test(sent) ? sent.toUpperCase() : undefined);

const accountHolder = line(120, payoutDetailsTexts.account_holder);

export const PayoutMethod = z.object({ method: chosenFrom('method', payoutMethods) });

/** The fields of each method, in the order in which wrong ones are reported. */
export const ToAddress = z.object({ email: emailField });
export const ToIban = z.object({
  account_holder: accountHolder,
  iban: readAs(z.string(payoutDetailsTexts.iban), ibanOf, payoutDetailsTexts.iban),
});
export const ToAccountNumber = z.object({
  account_holder: accountHolder,
  account_number: accountPart(payoutDetailsTexts.account_number),
  routing_number: accountPart(payoutDetailsTexts.routing_number),
  country: readAs(z.string(payoutDetailsTexts.country), countryOf, payoutDetailsTexts.country),
});
export const ToOther = z.object({ instructions: visibleText(1_000, payoutDetailsTexts.instructions) });
