import * as z from 'zod/mini';
import {
  about,
  balanceCents,
  byCurrency,
  cents,
  count,
  currency,
  day,
  id,
  list,
  named,
  optionalText,
  text,
  time,
} from '#lib/wire/fields.ts';
import { PartnersPayout } from '#lib/wire/portal/payout-details.ts';

const item = { partner_id: id, partner_name: optionalText, partner_email: optionalText, currency, amount_cents: cents };

const listed = {
  program_id: id,
  status: about(
    '`open` while it may still take commissions: it was interrupted, or is under way.',
    z.enum(['open', 'made']),
  ),
  through: z.nullable(day),
  reference: about('What the owner calls the payment.', z.nullable(text)),
  created_by: about('Who began it, as `account:<id>`; null on older ones.', z.nullable(text)),
  created_at: time,
  items: z.array(z.strictObject(item)),
  totals: byCurrency(cents),
};

const items = z.array(z.strictObject({ ...item, commission_ids: list(id) }));

const previewed = {
  ...item,
  payout: about('Where the money goes; null for a partner who has not said so.', z.nullable(PartnersPayout)),
  same_account: about(
    'For owners: ids of other partners of the workspace who are paid to the same account. Empty for others.',
    list(id),
  ),
};

/** In a list. */
export const ListedPayout = named('ListedPayout', z.strictObject({ id, ...listed }));
export type ListedPayout = z.output<typeof ListedPayout>;

export const Payout = named(
  'Payout',
  z.strictObject({ id, ...listed, items }),
  'What each partner is due. The money itself is sent outside the service.',
);
export type Payout = z.output<typeof Payout>;

const CarriedOver = z.strictObject({ partners: count, currency, amount_cents: cents, minimum_cents: cents });

export const PayoutPreview = named(
  'PayoutPreview',
  z.strictObject({
    ...listed,
    items: z.array(z.strictObject({ ...previewed, commission_ids: list(id) })),
    held: about(
      'What it would hold too, were it not of partners who have changed where their payouts go within the last day.',
      z.array(z.strictObject(previewed)),
    ),
    carried_over: about(
      "What is due to partners, but below the program's minimum: later payouts pay it. Null where there is none.",
      z.nullable(CarriedOver),
    ),
  }),
);
export type PayoutPreview = z.output<typeof PayoutPreview>;

const OwedAmounts = z.strictObject({
  pending_cents: cents,
  approved_cents: about('Net of deductions, without what is held.', cents),
  held_cents: about(
    'Approved, but held back from payouts: of partners who have changed where their payouts go within the last day.',
    cents,
  ),
  due_now_cents: about('What a payout of this moment would hold.', cents),
  balance_cents: about(
    'Of the partners whose refunds since they were paid exceed what is approved: by how much, as 0 or a negative number. ' +
      'Later payouts withhold it.',
    balanceCents,
  ),
  by_date: about(
    'What a payout would hold in addition from the day on which the hold of pending commissions ends, less what it ' +
      'withholds of `balance_cents`. What comes after 90 days is in the last row.',
    z.array(z.strictObject({ on: day, amount_cents: cents })),
  ),
});
export type OwedAmounts = z.output<typeof OwedAmounts>;

export const Owed = named('Owed', byCurrency(OwedAmounts), 'What partners are owed, by currency.');
export type Owed = z.output<typeof Owed>;
