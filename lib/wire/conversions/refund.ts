import * as z from 'zod/mini';
import { about, balanceCents, cents, id, named } from '#lib/wire/words/fields.ts';
import { success } from '#lib/wire/traffic/tracked.ts';

const deducted = {
  sale_id: id,
  commission_id: id,
  refunded_amount_cents: about('The total refunded so far.', cents),
  deduction_cents: about('The amount that this call deducted from the commission.', cents),
  reason: z.optional(z.literal('chargeback')),
};

export const FullRefund = z.strictObject({
  ...success,
  status: z.literal('reversed'),
  ...deducted,
  message: z.literal('Commission reversed'),
});

export const PartialRefund = z.strictObject({
  ...success,
  status: z.literal('refunded'),
  ...deducted,
  message: z.literal('Commission reduced'),
});

export const RefundCorrection = z.strictObject({
  ...success,
  status: z.literal('corrected'),
  sale_id: id,
  commission_id: id,
  refunded_amount_cents: about('The total refunded so far.', cents),
  deduction_cents: about('The amount that this call gave back to the commission, as a negative number.', balanceCents),
  message: z.literal('Refund corrected'),
});

export const RepeatedRefund = z.strictObject({
  ...success,
  status: z.literal('skipped'),
  sale_id: id,
  commission_id: id,
  reason: about(
    '`reported by the processor`: the correction changes nothing, because the processor itself reported this refund.',
    z.enum(['already reversed', 'already refunded', 'reported by the processor']),
  ),
  message: z.literal('Refund already recorded'),
});

export const RefundOfRejected = z.strictObject({
  ...success,
  status: z.literal('skipped'),
  sale_id: id,
  commission_id: id,
  reason: z.literal('commission rejected'),
  message: z.literal('Refund recorded; the commission was rejected before, so nothing is deducted'),
});

export const RefundWithoutCommission = z.strictObject({
  ...success,
  status: z.literal('no_commission'),
  sale_id: id,
  commission_id: z.null(),
  message: z.literal('Sale has no commission to reverse'),
});

export type RefundReply =
  | z.output<typeof RefundCorrection>
  | z.output<typeof FullRefund>
  | z.output<typeof PartialRefund>
  | z.output<typeof RepeatedRefund>
  | z.output<typeof RefundOfRejected>
  | z.output<typeof RefundWithoutCommission>;

const whole = { success: true, message: true } as const;

/** `data` of an owner's correction, with one schema for each case. */
export const OwnersRefund = named(
  'OwnersRefund',
  z.union([
    z.omit(RefundCorrection, whole),
    z.omit(FullRefund, whole),
    z.omit(PartialRefund, whole),
    z.omit(RepeatedRefund, whole),
    z.omit(RefundOfRejected, whole),
    z.omit(RefundWithoutCommission, whole),
  ]),
);
export type OwnersRefund = z.output<typeof OwnersRefund>;
