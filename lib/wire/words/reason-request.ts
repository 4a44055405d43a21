import * as z from 'zod/mini';
import { reasonMissing } from '#lib/service/ground/values/refusals.ts';
import { trimmedText } from '#lib/wire/words/fields-request.ts';

/** The reason of a decision. */
export const Reason = z.object({ reason: trimmedText(500, reasonMissing().message) });
