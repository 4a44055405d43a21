import * as z from 'zod/mini';
import { about, named, optionalText, optionalTime } from '#lib/wire/words/fields.ts';
import { party } from '#lib/wire/partners/portal-billing.ts';

export const Payer = named(
  'Payer',
  z.strictObject({
    ...party,
    iban_masked: about('The account from which the brand pays.', optionalText),
    bic: optionalText,
    updated_at: optionalTime,
  }),
  'Who pays the partners of a workspace, for statements and bank files.',
);
export type Payer = z.output<typeof Payer>;
