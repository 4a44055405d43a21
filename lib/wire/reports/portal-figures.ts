import * as z from 'zod/mini';
import { commissionKinds } from '#lib/service/earnings/commissions/commission.ts';
import { partnersCommissionStatuses } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { customerStatuses } from '#lib/service/traffic/customers/customer.ts';
import { storyKinds } from '#lib/service/reports/stories/commission-story.ts';
import { ReversalReason } from '#lib/wire/earnings/commission.ts';
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

// The figures that a partner may see: nothing about other partners, and only these about customers.

const totals = {
  ...countsForPartners,
  amounts: byCurrency(z.strictObject({ revenue_cents: cents, commission_cents: balanceCents })),
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
  'Of this partner alone. A sale counts on the day of its payment; commissions are net of the deductions of their day.',
);
export type PortalPerformance = z.output<typeof PortalPerformance>;

const PortalBalance = z.strictObject({
  pending_cents: cents,
  approved_cents: about('Net of deductions, and without what is held back.', cents),
  paid_cents: about('The sum of all payout lines but failed and void ones.', balanceCents),
  on_the_way_cents: about('The part of it whose line is `recorded` or `sent`.', cents),
  held_cents: about('Approved, but held back from payouts for now.', cents),
  withheld_cents: about('What the next payouts withhold for refunds of commissions that were paid before.', cents),
  next: about(
    'Pending amounts by the day on which their hold ends, today included. Empty where the program approves by hand.',
    z.array(z.strictObject({ on: day, amount_cents: cents })),
  ),
  next_payout: about(
    'What a payout on `next_payout_on` of the program would hold if nothing else happens; 0 also of what is below the minimum.',
    z.nullable(z.strictObject({ on: day, amount_cents: cents })),
  ),
});

export const PortalBalances = named(
  'PortalBalances',
  byCurrency(PortalBalance),
  'What a partner has earned, by currency.',
);
export type PortalBalances = z.output<typeof PortalBalances>;

export const PortalCustomer = named(
  'PortalCustomer',
  z.strictObject({
    id: about('What this partner calls the customer; it means nothing elsewhere.', text),
    first_click_at: time,
    signup_at: optionalTime,
    first_purchase_at: optionalTime,
    status: z.enum(customerStatuses),
    link: about("The partner's link that brought the customer; null when a code did.", optionalText),
    email_masked: about('Null unless the program shares it.', optionalText),
    amounts: byCurrency(CustomerAmounts),
  }),
  'Revenue is gross; the commission is net of deductions. Both follow the sales within seconds.',
);
export type PortalCustomer = z.output<typeof PortalCustomer>;

const commission = {
  id,
  kind: z.enum(commissionKinds),
  status: z.enum(partnersCommissionStatuses),
  amount_cents: cents,
  deducted_cents: cents,
  payable_cents: about('The amount less the deductions, whatever the status: a rejected one pays nothing.', cents),
  currency,
  base_amount_cents: about('From which it was computed; null where there is no sale.', z.nullable(cents)),
  occurred_at: about('On whose day its amounts count.', time),
  hold_until: time,
  approved_at: optionalTime,
  paid_at: optionalTime,
  payout_id: optionalId,
  rejection_reason: optionalText,
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
      'What the payout paid for it then. Negative where it took back what an earlier one had paid.',
      balanceCents,
    ),
  }),
  'A commission of one payout.',
);
export type PaidCommission = z.output<typeof PaidCommission>;

const CommissionStep = z.strictObject({ at: time, kind: z.enum(storyKinds), text });

export const ExplainedCommission = named(
  'ExplainedCommission',
  z.strictObject({
    ...commission,
    why: z.strictObject({
      terms: about(
        'What was agreed at that time; null where no version is known.',
        z.nullable(z.extend(TermsVersion, { text })),
      ),
      steps: z.array(CommissionStep),
      window: about('How the attribution window was checked; null where there is no sale.', optionalText),
    }),
  }),
  'A commission with its story, in order of time.',
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
  'What a payout paid to the partner in one currency.',
);
export type PortalPayout = z.output<typeof PortalPayout>;
