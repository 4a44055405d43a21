import * as z from 'zod/mini';
import { about, flag, id } from '#lib/wire/words/fields.ts';
import { success, testData } from '#lib/wire/traffic/tracked.ts';

const is_recurring = about('Whether the service counts the payment as a renewal.', flag);

export const CommissionedSale = z.strictObject({
  ...success,
  sale_id: id,
  commission_id: id,
  attributed: z.literal(true),
  is_recurring,
  message: z.literal('Sale tracked successfully'),
});

export const SaleWithoutCommission = z.strictObject({
  ...success,
  sale_id: id,
  commission_id: z.null(),
  attributed: z.literal(true),
  is_recurring,
  reason: z.literal('commission_not_due'),
  message: z.literal('Sale tracked; no commission is due for this payment'),
});

/** The sale came after the attribution window: nothing was recorded. */
export const LateSale = z.strictObject({
  ...success,
  sale_id: z.null(),
  commission_id: z.null(),
  attributed: z.literal(false),
  reason: z.literal('attribution_window_expired'),
  click_age_days: z.int(),
  window_days: z.int(),
  message: z.literal('Sale not attributed: outside the attribution window'),
});

/** The click came after the payment: nothing was recorded. */
export const SaleBeforeClick = z.strictObject({
  ...success,
  sale_id: z.null(),
  commission_id: z.null(),
  attributed: z.literal(false),
  reason: z.literal('click_after_payment'),
  message: z.literal('Sale not attributed: the click came after the payment'),
});

export const TestSale = z.strictObject({
  ...success,
  message: z.literal('Test sale event tracked successfully'),
  data: testData(id),
});

/** The reply to a real sale. */
export type RecordedSale =
  | z.output<typeof CommissionedSale>
  | z.output<typeof SaleWithoutCommission>
  | z.output<typeof LateSale>
  | z.output<typeof SaleBeforeClick>;

export type SaleReply = RecordedSale | z.output<typeof TestSale>;
