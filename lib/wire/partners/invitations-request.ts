import * as z from 'zod/mini';
import { INVITATIONS_INVALID, PREVIEW_INVALID } from '#lib/service/ground/values/refusals.ts';

export const MOST_INVITATIONS = 200;

/**
 * Invitations that are sent together. The fields of each invitation are checked separately, so that an invalid one does
 * not affect the others.
 */
export const Invitations = z.object({
  invitations: z
    .array(z.record(z.string(), z.unknown(), INVITATIONS_INVALID), INVITATIONS_INVALID)
    .check(z.minLength(1, INVITATIONS_INVALID), z.maxLength(MOST_INVITATIONS, INVITATIONS_INVALID)),
  preview: z.optional(z.boolean(PREVIEW_INVALID)),
});
