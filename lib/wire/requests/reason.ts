import * as z from 'zod/mini';
import { reasonMissing } from '#lib/domain/refusals.ts';
import { trimmedText } from '#lib/wire/requests/fields.ts';

/** The reason of a decision. */
export const Reason = z.object({ reason: trimmedText(500, reasonMissing().message) });
