import * as z from 'zod/mini';
import { clickId, text, time } from '#lib/wire/fields.ts';

/** A customer that an owner unlinked: nothing new is attributed to it. */
export const UnlinkedCustomer = z.strictObject({
  click_id: clickId,
  unlinked: z.literal(true),
  unlinked_at: time,
  reason: text,
});
export type UnlinkedCustomer = z.output<typeof UnlinkedCustomer>;
