import * as z from 'zod/mini';
import { commissionStatuses } from '#lib/service/earnings/commissions/commission.ts';
import { flagNames } from '#lib/service/programs/terms/rules.ts';
import {
  about,
  balanceCents,
  cents,
  clickId,
  CommissionType,
  count,
  currency,
  id,
  named,
  optionalId,
  optionalText,
  optionalTime,
  rate,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { LineStatus } from '#lib/wire/earnings/line-status.ts';
import { TermsVersion } from '#lib/wire/programs/terms.ts';

export const CommissionStatus = named('CommissionStatus', z.enum(commissionStatuses));
export type CommissionStatus = z.output<typeof CommissionStatus>;

export const ReversalReason = named(
  'ReversalReason',
  z.nullable(z.enum(['refund', 'chargeback', 'duplicate'])),
  'Why the commission is `reversed`, otherwise null. `duplicate`: an event showed that another sale records the same payment, and that sale counts.',
);

const Flag = named(
  'CommissionFlag',
  z.strictObject({
    rule: z.enum(flagNames),
    at: time,
    evidence: about('A sentence without personal data.', text),
  }),
);

export const ByHand = named(
  'ByHand',
  z.boolean(),
  'A person reopened it: only a person approves it, even after its hold.',
);

/** The fields of all kinds of commissions. */
const common = {
  id,
  program_id: id,
  partner_id: id,
  partner_name: optionalText,
  status: CommissionStatus,
  amount_cents: balanceCents,
  deducted_cents: cents,
  payable_cents: balanceCents,
  paid_out_cents: about('What standing payout lines hold of it.', balanceCents),
  currency,
  refund_state: z.enum(['none', 'partial', 'full']),
  reversal_reason: ReversalReason,
  rejection_reason: optionalText,
  by_hand: ByHand,
  needs_review: about(
    'True if the commission was reduced after it was paid, until a payout compensates for it.',
    z.boolean(),
  ),
  occurred_at: about('The amounts count on this day.', time),
  hold_until: time,
  flags: about('Fraud rules of the program that matched when the commission was created.', z.array(Flag)),
  held_at: about('When a rule held the commission. It counts nowhere until it is released.', optionalTime),
  released_at: optionalTime,
  approved_at: optionalTime,
  paid_at: optionalTime,
  reversed_at: optionalTime,
  payout_id: about('The oldest payout of which a standing line holds any of it.', optionalId),
  payout_status: about('The status of that line; null without one.', z.nullable(LineStatus)),
  created_at: time,
  version: about('The number of changes of the commission, including its creation.', count),
};

export const SaleCommission = named(
  'SaleCommission',
  z.strictObject({
    ...common,
    kind: z.literal('sale'),
    click_id: clickId,
    sale_id: id,
    transaction_id: text,
    lead_id: z.null(),
    commission_type: CommissionType,
    commission_rate: rate,
    terms: TermsVersion,
    base_amount_cents: cents,
    platform_fee: z.strictObject({ amount_cents: cents, reduced_cents: cents, bps: z.int(), currency }),
    reason: z.null(),
    external_id: z.null(),
  }),
  'The commission of a sale. Rate and type are those at the time of the sale.',
);
export type SaleCommission = z.output<typeof SaleCommission>;

const withoutSale = {
  sale_id: z.null(),
  transaction_id: z.null(),
  commission_rate: z.null(),
  base_amount_cents: z.null(),
  platform_fee: z.null(),
};

export const LeadCommission = named(
  'LeadCommission',
  z.strictObject({
    ...common,
    kind: z.literal('lead'),
    click_id: clickId,
    lead_id: id,
    ...withoutSale,
    commission_type: z.literal('lead'),
    terms: TermsVersion,
    reason: z.null(),
    external_id: z.null(),
  }),
  'The commission of a settled lead, created once per customer. Refunds of sales do not change it.',
);
export type LeadCommission = z.output<typeof LeadCommission>;

export const ManualCommission = named(
  'ManualCommission',
  z.strictObject({
    ...common,
    kind: z.literal('manual'),
    click_id: z.null(),
    lead_id: z.null(),
    ...withoutSale,
    commission_type: z.literal('manual'),
    terms: z.null(),
    reason: about('Why the owner granted the commission.', text),
    external_id: about("The owner's own id of the commission.", optionalText),
  }),
  'A commission that an owner granted, such as a bonus, or with a negative amount a deduction. It is approved at once.',
);
export type ManualCommission = z.output<typeof ManualCommission>;

export const Commission = named(
  'Commission',
  z.discriminatedUnion('kind', [SaleCommission, LeadCommission, ManualCommission]),
);
export type Commission = z.output<typeof Commission>;

export const DecidedCommission = named(
  'DecidedCommission',
  z.strictObject({
    id: about('The id that was sent.', z.int()),
    status: about(
      'The present status. Null if the commission was not found, or after a failure.',
      z.nullable(CommissionStatus),
    ),
    error: about('Null, or the error with which the route for a single commission would reply.', optionalText),
  }),
  'The result for one of the commissions in the request.',
);
export type DecidedCommission = z.output<typeof DecidedCommission>;
