import * as z from 'zod/mini';
import { codeStatuses } from '#lib/service/programs/links/code.ts';
import { about, count, id, named, optionalText, text, time } from '#lib/wire/words/fields.ts';

/** A partner's coupon code. */
export const Code = named(
  'Code',
  z.strictObject({
    code: about('As it was created. Codes are compared without case.', text),
    partner_id: id,
    partner_name: optionalText,
    status: about('A disabled code brings nothing, nor does one of a removed partner.', z.enum(codeStatuses)),
    processor_code_id: about("Stripe's id of the promotion code.", optionalText),
    redemptions: about('Recorded payments that carried it, whoever got them.', count),
    sales: about('Those of them that it brought to its partner.', count),
    created_at: time,
  }),
  'A code is never deleted and never given to another partner. Counters follow the sales within seconds.',
);
export type Code = z.output<typeof Code>;
