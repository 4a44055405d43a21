import * as z from 'zod/mini';
import { about, named, optionalText, time } from '#lib/wire/words/fields.ts';

/** A payer or payee, as printed on a statement. */
export const party = {
  name: optionalText,
  address: about('May have several lines.', optionalText),
  country: about('ISO 3166-1 alpha-2.', optionalText),
  tax_id: optionalText,
};

export const Billing = named(
  'Billing',
  z.strictObject({ ...party, updated_at: time }),
  "The person's details on payout statements. With `?as=`, at most the last four characters of the tax id are shown.",
);
export type Billing = z.output<typeof Billing>;
