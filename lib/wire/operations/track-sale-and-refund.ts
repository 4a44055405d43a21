import * as z from 'zod/mini';
import * as refusals from '#lib/domain/refusals.ts';
import { currencies, subscriptionIntervals } from '#lib/domain/sale.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#lib/wire/openapi/error-bodies.ts';
import { about, cents, id, text } from '#lib/wire/fields.ts';
import { type Family, type Operation, operation } from '#lib/wire/openapi/operation.ts';
import {
  additional,
  base,
  customerKey,
  message,
  optional,
  sentClickId,
  success,
  testData,
} from '#lib/wire/operations/tracking.ts';
import { Refund, refundTexts } from '#lib/wire/requests/refund.ts';
import { saleTexts, TestSale } from '#lib/wire/requests/sale.ts';

const serverOnly: Family = {
  ...base,
  name: 'SaleAndRefund',
  security: ['programKey'],
  errors: { stableCodes: true },
  refusals: [],
};
const keyRefusals = Object.values(refusals.programKeyTexts).map(refusals.unauthorized);
const refused = (...texts: readonly string[]) => texts.map(refusals.badRequest);

const SaleRequest = z.object({
  transaction_id: about(
    'Unique over all programs; makes the call safe to repeat. Only test mode goes without.',
    TestSale.shape.transaction_id,
  ),
  amount_cents: TestSale.shape.amount_cents,
  currency: about(`One of ${currencies.join(', ')}, in any case; USD when absent.`, optional(text)),
  customer_key: optional(customerKey),
  click_id: optional(sentClickId),
  occurred_at: about(
    'When the payment was made: ISO 8601 with offset, within the last 30 days; now when absent.',
    optional(text),
  ),
  provider: optional(TestSale.shape.provider),
  provider_payment_id: optional(TestSale.shape.provider_payment_id),
  livemode: optional(TestSale.shape.livemode),
  sale_type: optional(z.enum(['payment', 'subscription'])),
  is_recurring: optional(z.boolean()),
  subscription_id: optional(text),
  subscription_interval: optional(z.enum(subscriptionIntervals)),
  product_id: optional(text),
  event_name: optional(text),
  line_items: about('Any JSON up to 16 KiB.', z.optional(z.any())),
  additional_data: optional(additional({})),
});

const RefundRequest = z.object({
  transaction_id: about('Of the sale.', text),
  reason: optional(Refund.shape.reason),
  refund_reason: about('Free text.', optional(text)),
  refund_amount_cents: about(
    'The total refunded so far, not the step; absent, 0 or the whole amount = full.',
    optional(Refund.shape.refund_amount_cents),
  ),
});

const refunded = (status: 'reversed' | 'refunded', constant: string) =>
  z.strictObject({
    ...success,
    status: z.literal(status),
    sale_id: id,
    commission_id: id,
    refunded_amount_cents: about('The total so far.', cents),
    deduction_cents: about('What this call deducted.', cents),
    reason: z.optional(z.literal('chargeback')),
    message: message(constant),
  });

/** What only servers may send (contracts 7 and 8). */
export const saleAndRefundRoutes: Readonly<Record<string, Operation>> = {
  'track/sale': operation(serverOnly, {
    id: 'trackSale',
    summary: 'Record a sale',
    description:
      'From a server only. The customer is found by `customer_key`, then by `click_id`. Treat 409 as success: the sale is recorded. After `Failed to create commission` and `partnerId required to create commission` the sale is stored, so do not send it again.',
    body: SaleRequest,
    ok: [
      z.strictObject({
        ...success,
        sale_id: id,
        commission_id: id,
        attributed: z.literal(true),
        message: message('Sale tracked successfully'),
      }),
      z.strictObject({
        ...success,
        sale_id: id,
        commission_id: z.null(),
        attributed: z.literal(true),
        reason: z.literal('commission_not_due'),
        message: message('Sale tracked; no commission is due for this payment'),
      }),
      z.strictObject({
        ...success,
        sale_id: z.null(),
        commission_id: z.null(),
        attributed: z.literal(false),
        reason: z.literal('attribution_window_expired'),
        click_age_days: z.int(),
        window_days: z.int(),
        message: message('Sale not attributed: outside the attribution window'),
      }),
      z.strictObject({ ...success, message: message('Test sale event tracked successfully'), data: testData(id) }),
    ],
    refusals: [
      ...keyRefusals,
      ...bodyRefusals,
      ...refused(...Object.values(saleTexts)),
      refusals.saleIdentifierMissing(),
      refusals.saleCustomerNotFound(),
      refusals.attributedElsewhere(),
      refusals.noPartnerRelation(),
      refusals.partnerMissing(),
      refusals.duplicateTransaction(ANY_NUMBER),
      refusals.currencyUnsupported(ANY_TEXT),
      refusals.commissionNotCreated(),
    ],
    failures: ['Sale tracking failed'],
  }),

  'track/refund': operation(serverOnly, {
    id: 'trackRefund',
    summary: 'Record a refund or a chargeback',
    description: 'From a server only. Safe to repeat: `refund_amount_cents` is the total refunded so far.',
    body: RefundRequest,
    ok: [
      refunded('reversed', 'Commission reversed'),
      refunded('refunded', 'Commission reduced'),
      z.strictObject({
        ...success,
        status: z.literal('skipped'),
        sale_id: id,
        commission_id: id,
        reason: z.enum(['already reversed', 'already refunded']),
        message: message('Refund already recorded'),
      }),
      z.strictObject({
        ...success,
        status: z.literal('skipped'),
        sale_id: id,
        commission_id: id,
        reason: z.literal('commission rejected'),
        message: message('Refund recorded; the commission was rejected before, so nothing is deducted'),
      }),
      z.strictObject({
        ...success,
        status: z.literal('no_commission'),
        sale_id: id,
        commission_id: z.null(),
        message: message('Sale has no commission to reverse'),
      }),
    ],
    refusals: [
      ...[refusals.programKeyTexts.malformed, refusals.programKeyTexts.unknown].map(refusals.unauthorized),
      ...bodyRefusals,
      ...refused(...Object.values(refundTexts)),
      refusals.saleToRefundNotFound(),
    ],
    failures: ['Refund tracking failed'],
  }),
};
