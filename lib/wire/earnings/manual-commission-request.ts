import * as z from 'zod/mini';
import type { Currencies } from '#lib/service/ground/values/currency.ts';
import { MOST_CENTS } from '#lib/service/ground/values/money.ts';
import { integer } from '#lib/wire/programs/bounds-request.ts';
import { currencyField } from '#lib/wire/programs/settings/program-request.ts';
import { trimmedText } from '#lib/wire/words/fields-request.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';

export const GRANTED_AMOUNT_INVALID = 'amount_cents must be a positive integer';

export const DEDUCTION_INVALID = 'deduction must be a boolean';
export const EXTERNAL_ID_INVALID = 'external_id must be a string of 1 to 255 characters';

export const grantedAmount = integer({ exclusiveMinimum: 0, maximum: MOST_CENTS }, GRANTED_AMOUNT_INVALID);

/** The optional fields of a manual commission. */
export const grantOptions = {
  deduction: z.nullish(z.boolean(DEDUCTION_INVALID)),
  external_id: z.nullish(trimmedText(255, EXTERNAL_ID_INVALID)),
};

/**
 * The fields of a manual commission, in the order in which wrong ones are reported.
 * @param currencies the currencies of the installation
 */
export const manualCommission = (currencies: Currencies) =>
  z.object({ amount_cents: grantedAmount, currency: currencyField(currencies), ...Reason.shape, ...grantOptions });
