import * as z from 'zod/mini';
import { about, named, optionalText, time } from '#lib/wire/words/fields.ts';

/** A payer or payee as statements name it. */
export const party = {
  name: optionalText,
  address: about('May have several lines.', optionalText),
  country: about('ISO 3166-1 alpha-2.', optionalText),
  tax_id: optionalText,
};

export const Billing = named(
  'Billing',
  z.strictObject({ ...party, updated_at: time }),
  'How statements of payouts name the person. With `?as=` the tax id shows its last four characters at most.',
);
export type Billing = z.output<typeof Billing>;
