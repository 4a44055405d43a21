import * as z from 'zod/mini';
import { id } from '#lib/wire/words/fields.ts';

// Common parts of the replies to click, lead, sale and refund.

export const success = { success: z.literal(true) };

/** The event that a test-mode request stored. */
export const testData = <Program extends z.ZodMiniType>(programId: Program) =>
  z.strictObject({ eventId: id, programId, test_mode: z.literal(true) });
