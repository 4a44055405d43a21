import * as z from 'zod/mini';
import { PAYOUT_REFERENCE_INVALID } from '#lib/service/ground/values/refusals.ts';
import { trimmedText } from '#lib/wire/words/fields-request.ts';

/** The owner's reference for the payment. */
export const PayoutReference = z.object({ reference: trimmedText(200, PAYOUT_REFERENCE_INVALID) });
