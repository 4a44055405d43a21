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
  'Why it is `reversed`, else null. `duplicate`: an event told that another sale is of the same payment; that one counts.',
);

const Flag = named(
  'CommissionFlag',
  z.strictObject({
    rule: z.enum(flagNames),
    at: time,
    evidence: about('In words, without personal data.', text),
  }),
);

/** The fields of all kinds of commissions. */
const common = {
  id,
  program_id: id,
  partner_id: id,
  partner_name: optionalText,
  status: CommissionStatus,
  amount_cents: cents,
  deducted_cents: cents,
  payable_cents: cents,
  paid_out_cents: about('What standing payout lines hold of it.', balanceCents),
  currency,
  refund_state: z.enum(['none', 'partial', 'full']),
  reversal_reason: ReversalReason,
  rejection_reason: optionalText,
  needs_review: about('It was reduced after it was paid; a payout that makes up for it clears the mark.', z.boolean()),
  occurred_at: about('On whose day its amounts count.', time),
  hold_until: time,
  flags: about('Rules of the program that fitted when it was made.', z.array(Flag)),
  held_at: about('When a rule held it. It counts nowhere until it is released.', optionalTime),
  released_at: optionalTime,
  approved_at: optionalTime,
  paid_at: optionalTime,
  reversed_at: optionalTime,
  payout_id: about('The oldest payout of which a standing line holds any of it.', optionalId),
  payout_status: about('The status of that line; null without one.', z.nullable(LineStatus)),
  created_at: time,
  version: about('How often it has changed, with its creation.', count),
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
  }),
  'What a sale earned. Rate and type are those of the time of the sale.',
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
  }),
  'What a settled lead earned, once per customer. Refunds of sales do not touch it.',
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
    reason: about('Why the owner granted it.', text),
  }),
  'What an owner granted, such as a bonus: approved at once.',
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
    id: about('As it was sent.', z.int()),
    status: about('As it reads now; null when it is not found, or after a failure.', z.nullable(CommissionStatus)),
    error: about('Null, or what the route of the single commission would say.', optionalText),
  }),
  'One of several commissions that were to be decided.',
);
export type DecidedCommission = z.output<typeof DecidedCommission>;
