import * as z from 'zod/mini';
import { LONGEST_IDENTIFIER } from '#lib/service/ground/values/identifier.ts';
import { about, text } from '#lib/wire/words/fields.ts';

// Common parts of click, lead, sale and refund.

export const base = { tag: 'Tracking', errors: {}, isCounted: true, rotates: true } as const;

export const optional = z.nullish;
const shortText = z.string().check(z.maxLength(LONGEST_IDENTIFIER));
const identifier = z.union([shortText, z.number()]);
export const customerKey = about(
  'Your own id of the user. It must be the same at signup and at every sale.',
  identifier,
);
export const sentClickId = about(
  'The value of the cookie `service_click_id`. By default, a click without signup or sale expires 90 days after the attribution window, and its id is then unknown.',
  identifier,
);
export const testMode = {
  test_mode: about('Exactly true stores a test event, without customer, commission and fee.', z.boolean()),
  program_id: about('The program of a test event without a key.', z.union([z.int(), text])),
};
export const additional = (fields: z.core.$ZodLooseShape) =>
  z.looseObject({ ...z.partial(z.object(testMode)).shape, ...fields });
