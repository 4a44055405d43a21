import * as z from 'zod/mini';
import { commissionStatuses } from '#lib/domain/commission.ts';
import {
  about,
  cents,
  clickId,
  CommissionType,
  currency,
  id,
  named,
  optionalId,
  optionalText,
  optionalTime,
  rate,
  text,
  time,
} from '#lib/wire/fields.ts';

export const CommissionStatus = named('CommissionStatus', z.enum(commissionStatuses));
export type CommissionStatus = z.output<typeof CommissionStatus>;

export const Commission = named(
  'Commission',
  z.strictObject({
    id,
    program_id: id,
    partner_id: id,
    partner_name: optionalText,
    click_id: clickId,
    sale_id: id,
    transaction_id: text,
    status: CommissionStatus,
    commission_type: CommissionType,
    commission_rate: rate,
    base_amount_cents: cents,
    amount_cents: cents,
    deducted_cents: cents,
    payable_cents: cents,
    paid_out_cents: cents,
    currency,
    refund_state: z.enum(['none', 'partial', 'full']),
    reversal_reason: z.nullable(z.enum(['refund', 'chargeback'])),
    rejection_reason: optionalText,
    needs_review: about(
      'It was reduced after it was paid; a payout that makes up for it clears the mark.',
      z.boolean(),
    ),
    platform_fee: z.strictObject({ amount_cents: cents, reduced_cents: cents, bps: z.int(), currency }),
    occurred_at: time,
    hold_until: time,
    approved_at: optionalTime,
    paid_at: optionalTime,
    reversed_at: optionalTime,
    payout_id: optionalId,
    created_at: time,
  }),
  'Rate and type are those of the time of the sale.',
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
