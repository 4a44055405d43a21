import * as z from 'zod/mini';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import { about, named, optionalTime, text, time } from '#lib/wire/words/fields.ts';

const shown = { method: z.enum(payoutMethods), masked: text, updated_at: time };

export const PayoutDetails = named(
  'PayoutDetails',
  z.strictObject(shown),
  'Where payouts of a person go, of which no more is shown than lets the person recognize it.',
);
export type PayoutDetails = z.output<typeof PayoutDetails>;

export const Deleted = z.strictObject({ deleted: z.literal(true) });
export type Deleted = z.output<typeof Deleted>;

export const PartnersPayout = named(
  'PartnersPayout',
  z.strictObject({
    ...shown,
    held_until: about(
      'Payouts leave the partner out until then: a day after a change of where they go, or after first details when something was due; 72 hours after a change of the address. It may be over; null = never held.',
      optionalTime,
    ),
  }),
  'Where payouts of a partner go.',
);
export type PartnersPayout = z.output<typeof PartnersPayout>;
