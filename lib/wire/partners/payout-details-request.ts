import * as z from 'zod/mini';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import { chosenFrom, emailField } from '#lib/wire/words/fields-request.ts';
import { bicField, countryField, ibanField, line, partyTexts, visibleText } from '#lib/wire/words/party-request.ts';

export const payoutDetailsTexts = {
  account_holder: 'account_holder must be a string of 1 to 120 characters',
  account_number: 'account_number must be a string of 1 to 34 characters',
  routing_number: 'routing_number must be a string of 1 to 34 characters',
  instructions: 'instructions must be a string of 1 to 1000 characters',
  iban: partyTexts.iban,
  country: partyTexts.country,
  bic: partyTexts.bic,
};

/**
 * A part of an account's number: letters and digits, optionally separated by a space, `-`, `.` or `/`. A spreadsheet
 * cannot read it as a formula.
 */
const ACCOUNT_PART = /^[A-Za-z0-9]+(?:[ ./-][A-Za-z0-9]+)*$/;

const accountPart = (text: string) => line(34, text).check(z.refine((sent) => ACCOUNT_PART.test(sent), text));

const accountHolder = line(120, payoutDetailsTexts.account_holder);

export const PayoutMethod = z.object({ method: chosenFrom('method', payoutMethods) });

/** The fields of payout details for each method, in the order in which wrong ones are reported. */
export const ToAddress = z.object({ email: emailField });
export const ToIban = z.object({
  account_holder: accountHolder,
  iban: ibanField,
});
export const ToAccountNumber = z.object({
  account_holder: accountHolder,
  account_number: accountPart(payoutDetailsTexts.account_number),
  routing_number: accountPart(payoutDetailsTexts.routing_number),
  country: countryField,
});
/** The BIC of a bank account, which is optional and checked last. */
export const WithBic = z.object({ bic: z.optional(bicField) });
export const ToOther = z.object({ instructions: visibleText(1_000, payoutDetailsTexts.instructions) });
