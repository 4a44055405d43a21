import * as z from 'zod/mini';
import { id } from '#lib/wire/fields.ts';

// What the replies to click, lead, sale and refund have in common.

export const success = { success: z.literal(true) };

/** What test mode stored. */
export const testData = <Program extends z.ZodMiniType>(programId: Program) =>
  z.strictObject({ eventId: id, programId, test_mode: z.literal(true) });
