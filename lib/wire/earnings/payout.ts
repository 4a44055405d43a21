import * as z from 'zod/mini';
import { termsSources } from '#lib/service/programs/terms/terms.ts';
import {
  about,
  balanceCents,
  byCurrency,
  cents,
  count,
  currency,
  day,
  flag,
  id,
  list,
  named,
  optionalText,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { leftOutReasons } from '#lib/service/earnings/payouts/planned-lines.ts';
import { PartnersPayout } from '#lib/wire/partners/portal-payout-details.ts';

const item = { partner_id: id, partner_name: optionalText, partner_email: optionalText, currency, amount_cents: cents };

const listed = {
  program_id: id,
  status: about(
    '`open` while it may still take commissions: it was interrupted, or is under way.',
    z.enum(['open', 'made']),
  ),
  through: z.nullable(day),
  reference: about('What the owner calls the payment.', z.nullable(text)),
  created_by: about('Who began it, as `account:<id>`.', text),
  created_at: time,
  items: about('What was recorded, whatever becomes of it. Empty above 1,000 lines.', z.array(z.strictObject(item))),
  totals: byCurrency(cents),
};

const byStatus = z.strictObject({ lines: count, totals: byCurrency(cents) });

const recorded = {
  ...listed,
  lines: about('How many there are: one for each partner and currency.', count),
  by_status: z.strictObject({ recorded: byStatus, sent: byStatus, paid: byStatus, failed: byStatus, void: byStatus }),
  progress: about(
    'While it is open: how many commissions it contains, and is to contain. Else null.',
    z.nullable(z.strictObject({ commissions: count, of: count })),
  ),
};

const items = z.array(z.strictObject({ ...item, commission_ids: list(id) }));

const previewed = {
  ...item,
  flagged: about(
    'How many of the commissions that it is still to take carry a flag of a rule, such as `address_only`, and were never held for review. What is paid already and only settled is not among them.',
    count,
  ),
  payout: about('Where the money goes; null for a partner who has not said so.', z.nullable(PartnersPayout)),
  new_since_last_payout: about(
    'The money would go where no payout of the program has gone: the partner was never paid, or the details were changed since. False for a partner who was paid and has no details.',
    flag,
  ),
  same_account: about(
    'For owners: ids of other partners of the workspace who are paid to the same account. Empty for others.',
    list(id),
  ),
};

/** A payout as a row of the list. */
export const ListedPayout = named('ListedPayout', z.strictObject({ id, ...recorded }));
export type ListedPayout = z.output<typeof ListedPayout>;

export const Payout = named(
  'Payout',
  z.strictObject({ id, ...recorded, items }),
  'What each partner is due. The money itself is sent outside the service.',
);
export type Payout = z.output<typeof Payout>;

const LeftOut = z.strictObject({
  ...item,
  payout: previewed.payout,
  reason: about(
    'The first that fits. `held`: where the money goes, or the address, was changed within the last days. `below_minimum` of the program: carried over.',
    z.enum(leftOutReasons),
  ),
});

const ChangedTerms = z.strictObject({
  from: about('Whose terms: those of the program, of a group, or of a partner.', z.enum(termsSources)),
  id,
  name: about('Of the program or group at that time; of a partner, the present one.', optionalText),
  at: time,
  by: about('Whose change it was: the name of an account, or `agent key` and its name.', optionalText),
});

export const PayoutPreview = named(
  'PayoutPreview',
  z.strictObject({
    ...listed,
    items: z.array(z.strictObject({ ...previewed, commission_ids: list(id) })),
    left_out: about(
      'Everything above 0 that it would not pay, by partner and currency: the first 1,000.',
      z.array(LeftOut),
    ),
    counts: about(
      'Of all of it; `items` and `left_out` show the first 1,000 each.',
      z.strictObject({ lines: count, partners: count, commissions: count, left_out: count }),
    ),
    changed_terms: about(
      "The latest 100 changes of terms since the program's last payout, newest first; before its first one, since its creation.",
      z.array(ChangedTerms),
    ),
  }),
);
export type PayoutPreview = z.output<typeof PayoutPreview>;

const OwedAmounts = z.strictObject({
  pending_cents: cents,
  approved_cents: about('Net of deductions, without what is held.', cents),
  held_cents: about(
    'Approved, but held back from payouts: of partners of whom it was changed where they go, or their address.',
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
