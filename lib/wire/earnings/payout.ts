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
import { leftOutReasons } from '#lib/service/earnings/recording/planned-lines.ts';
import { PartnersPayout } from '#lib/wire/partners/portal-payout-details.ts';

const item = { partner_id: id, partner_name: optionalText, partner_email: optionalText, currency, amount_cents: cents };

const listed = {
  program_id: id,
  status: about(
    '`open` while commissions may still be added, because the payout is in progress or was interrupted.',
    z.enum(['open', 'made']),
  ),
  through: z.nullable(day),
  reference: about("The owner's reference of the payment.", z.nullable(text)),
  created_by: about('Who created the payout, as `account:<id>`.', text),
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
    'The number of commissions that a rule flagged, such as `address_only`, and that were never held. Commissions paid before are not counted.',
    count,
  ),
  payout: about('The payout details. Null for a partner without any.', z.nullable(PartnersPayout)),
  new_since_last_payout: about(
    'True if no payout of the program went to these details: the partner was never paid, or changed them since. False for a paid partner without details.',
    flag,
  ),
  same_account: about(
    'For owners: ids of other partners of the workspace with the same payout details. Empty for others.',
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
  from: about('Whose terms changed: those of the program, of a group or of a partner.', z.enum(termsSources)),
  id,
  name: about('The name of the program or group at that time, or the present one of the partner.', optionalText),
  at: time,
  by: about('Who changed the terms: the name of an account, or `agent key` and its name.', optionalText),
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
      "The latest 100 changes of terms since the program's last payout, newest first. Before the first payout: since the program was created.",
      z.array(ChangedTerms),
    ),
  }),
);
export type PayoutPreview = z.output<typeof PayoutPreview>;

const OwedAmounts = z.strictObject({
  pending_cents: balanceCents,
  approved_cents: about('Net of deductions, including those by hand, without held amounts.', balanceCents),
  held_cents: about(
    "Approved, but not paid at present, because the partner's payout details or e-mail address changed.",
    balanceCents,
  ),
  due_now_cents: about('What a payout would pay now.', cents),
  balance_cents: about(
    'The amount by which refunds of paid commissions exceed what is approved, summed over partners with such an excess: 0 or negative. Later payouts withhold it.',
    balanceCents,
  ),
  by_date: about(
    'What becomes due on each day on which the hold of pending commissions ends, less what payouts withhold for `balance_cents`. The last row sums everything after 90 days.',
    z.array(z.strictObject({ on: day, amount_cents: cents })),
  ),
});
export type OwedAmounts = z.output<typeof OwedAmounts>;

export const Owed = named('Owed', byCurrency(OwedAmounts), 'What partners are owed, in each currency.');
export type Owed = z.output<typeof Owed>;
