import * as z from 'zod/mini';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import { about, named, optionalTime, text, time } from '#lib/wire/words/fields.ts';

const shown = { method: z.enum(payoutMethods), masked: text, updated_at: time };

export const PayoutDetails = named(
  'PayoutDetails',
  z.strictObject(shown),
  "A person's payout details, masked so that only the person recognizes them.",
);
export type PayoutDetails = z.output<typeof PayoutDetails>;

export const Deleted = z.strictObject({ deleted: z.literal(true) });
export type Deleted = z.output<typeof Deleted>;

export const PartnersPayout = named(
  'PartnersPayout',
  z.strictObject({
    ...shown,
    held_until: about(
      'Payouts leave the partner out until this time: for a day after a change of the payout details, or after first details if something was due already; for 72 hours after a change of the e-mail address. The time may be past. Null if payouts were never held.',
      optionalTime,
    ),
  }),
  'The payout details of a partner.',
);
export type PartnersPayout = z.output<typeof PartnersPayout>;
