import * as z from 'zod/mini';
import { commissionKinds } from '#lib/service/earnings/commissions/commission.ts';
import { partnersCommissionStatuses } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { customerStatuses } from '#lib/service/traffic/customers/customer.ts';
import { storyKinds } from '#lib/service/reports/stories/commission-story.ts';
import { ByHand, ReversalReason } from '#lib/wire/earnings/commission.ts';
import { CustomerAmounts } from '#lib/wire/traffic/customer.ts';
import {
  about,
  balanceCents,
  byCurrency,
  cents,
  currency,
  day,
  id,
  list,
  named,
  optionalId,
  optionalText,
  optionalTime,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { countsForPartners, dayBefore } from '#lib/wire/reports/performance.ts';
import { LineStatus } from '#lib/wire/earnings/line-status.ts';
import { TermsVersion } from '#lib/wire/programs/terms.ts';

// What partners see of figures: nothing about other partners, and about customers only what is listed here.

const totals = {
  ...countsForPartners,
  amounts: byCurrency(
    z.strictObject({
      revenue_cents: cents,
      refunded_cents: balanceCents,
      commission_cents: balanceCents,
      rejected_cents: about('What rejections leave unpaid of the commissions of that day.', balanceCents),
    }),
  ),
};
const PortalTotals = z.strictObject(totals);
export type PortalTotals = z.output<typeof PortalTotals>;

export const PortalPerformance = named(
  'PortalPerformance',
  z.strictObject({
    from: day,
    to: day,
    days: z.array(z.strictObject({ date: day, ...totals })),
    totals: PortalTotals,
    previous: z.strictObject({ from: dayBefore, to: dayBefore, totals: PortalTotals }),
  }),
  'Totals of this partner. A sale counts on the day of its payment. Commissions are net of the deductions of that day.',
);
export type PortalPerformance = z.output<typeof PortalPerformance>;

const PortalBalance = z.strictObject({
  pending_cents: balanceCents,
  in_review_cents: about('What waits until the program accepts or rejects it.', balanceCents),
  approved_cents: about('Without held amounts. `withheld_cents` is not subtracted.', cents),
  restored_cents: about(
    'What won disputes restored of paid commissions after a payout had taken it back, without held amounts. The next payout pays it besides `approved_cents`.',
    cents,
  ),
  paid_cents: about('The sum of all payout lines but failed and void ones.', balanceCents),
  on_the_way_cents: about('The part of it whose line is `recorded` or `sent`.', cents),
  held_cents: about('Approved, but not paid at present, because payouts are held.', cents),
  withheld_cents: about(
    'The amount that the next payouts withhold for deductions and for refunds of paid commissions.',
    cents,
  ),
  next: about(
    'Pending amounts by the day on which their hold period ends, from today on, without commissions that are approved by hand. Empty if the program approves commissions manually.',
    z.array(z.strictObject({ on: day, amount_cents: cents })),
  ),
  next_payout: about(
    'What a payout on `next_payout_on` of the program would pay if nothing changes until then. 0 if it is below the minimum.',
    z.nullable(z.strictObject({ on: day, amount_cents: cents })),
  ),
});

export const PortalBalances = named(
  'PortalBalances',
  byCurrency(PortalBalance),
  'What a partner has earned, in each currency.',
);
export type PortalBalances = z.output<typeof PortalBalances>;

export const PortalCustomer = named(
  'PortalCustomer',
  z.strictObject({
    id: about('An id of the customer that only this partner sees. It is valid nowhere else.', text),
    first_click_at: time,
    signup_at: optionalTime,
    first_purchase_at: optionalTime,
    status: z.enum(customerStatuses),
    link: about("The partner's link that brought the customer. Null if a coupon code did.", optionalText),
    email_masked: about('Null unless the program shares it with partners.', optionalText),
    amounts: byCurrency(CustomerAmounts),
  }),
  'Revenue is gross. The commission is net of deductions. Both are updated within seconds of a sale.',
);
export type PortalCustomer = z.output<typeof PortalCustomer>;

const commission = {
  id,
  kind: z.enum(commissionKinds),
  status: z.enum(partnersCommissionStatuses),
  amount_cents: balanceCents,
  deducted_cents: cents,
  payable_cents: about(
    'The amount less the deductions, whatever the status. A rejected commission pays nothing.',
    balanceCents,
  ),
  currency,
  base_amount_cents: about(
    'The amount from which the commission was computed. Null if there is no sale.',
    z.nullable(cents),
  ),
  occurred_at: about('The amounts count on this day.', time),
  hold_until: time,
  approved_at: optionalTime,
  paid_at: optionalTime,
  payout_id: optionalId,
  rejection_reason: optionalText,
  by_hand: ByHand,
  reversal_reason: ReversalReason,
  payout_status: about('The status of the line of that payout; null without one.', z.nullable(LineStatus)),
};

export const PortalCommission = named('PortalCommission', z.strictObject(commission));
export type PortalCommission = z.output<typeof PortalCommission>;

export const PaidCommission = named(
  'PaidCommission',
  z.strictObject({
    ...commission,
    paid_in_payout_cents: about(
      'The amount that the payout paid for it. Negative if it took back an amount paid earlier.',
      balanceCents,
    ),
  }),
  'A commission as part of a payout.',
);
export type PaidCommission = z.output<typeof PaidCommission>;

const CommissionStep = z.strictObject({ at: time, kind: z.enum(storyKinds), text });

export const ExplainedCommission = named(
  'ExplainedCommission',
  z.strictObject({
    ...commission,
    why: z.strictObject({
      terms: about(
        'The terms at that time. Null if no version is known.',
        z.nullable(z.extend(TermsVersion, { text })),
      ),
      steps: z.array(CommissionStep),
      window: about('How the attribution window was checked. Null if there is no sale.', optionalText),
    }),
  }),
  'A commission with its history, oldest first.',
);
export type ExplainedCommission = z.output<typeof ExplainedCommission>;

export const PortalPayout = named(
  'PortalPayout',
  z.strictObject({
    id,
    created_at: time,
    currency,
    amount_cents: cents,
    commission_ids: list(id),
    reference: about('What the program calls the payment.', optionalText),
    line_id: text,
    number: about('Payout and line: what the payment names.', text),
    status: LineStatus,
    reason: about('Why it failed or is void.', optionalText),
    sent_at: optionalTime,
    paid_at: optionalTime,
  }),
  'The amount that a payout paid to the partner in one currency.',
);
export type PortalPayout = z.output<typeof PortalPayout>;
