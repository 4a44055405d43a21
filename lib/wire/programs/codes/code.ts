import * as z from 'zod/mini';
import { codeStatuses } from '#lib/service/programs/links/code.ts';
import { about, count, id, named, optionalText, text, time } from '#lib/wire/words/fields.ts';

/** A partner's coupon code. */
export const Code = named(
  'Code',
  z.strictObject({
    code: about('The code as it was created. Upper and lower case are not distinguished.', text),
    partner_id: id,
    partner_name: optionalText,
    status: about(
      'A disabled code does not attribute payments, nor does a code of a removed partner.',
      z.enum(codeStatuses),
    ),
    processor_code_id: about("The id of Stripe's promotion code for this coupon code.", optionalText),
    discount: about('What the buyer gets, in the words of the brand. Partners see it.', optionalText),
    redemptions: about('The number of recorded payments with this code, whichever partner got them.', count),
    sales: about('The number of those payments that the code attributed to its partner.', count),
    created_at: time,
  }),
  'A coupon code of a partner. It is never deleted and never given to another partner. Figures are updated within seconds of a sale.',
);
export type Code = z.output<typeof Code>;
