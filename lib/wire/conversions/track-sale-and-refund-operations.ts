import * as z from 'zod/mini';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { subscriptionIntervals } from '#lib/service/conversions/sales/sale.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { about, text } from '#lib/wire/words/fields.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import {
  FullRefund,
  PartialRefund,
  RefundCorrection,
  RefundOfRejected,
  RefundWithoutCommission,
  RepeatedRefund,
} from '#lib/wire/conversions/refund.ts';
import {
  CommissionedSale,
  LateSale,
  SaleBeforeClick,
  SaleWithoutCommission,
  TestSale,
} from '#lib/wire/conversions/sale.ts';
import { additional, base, customerKey, optional, sentClickId } from '#lib/wire/traffic/tracking-operations.ts';
import { CorrectedRefund, Correction, Refund, refundTexts } from '#lib/wire/conversions/refund-request.ts';
import { saleTexts, TestSaleFields } from '#lib/wire/conversions/sale-request.ts';

const namesRefused = refusals.unknownField(ANY_TEXT, ANY_TEXT);
const serverOnly: Family = {
  ...base,

  security: ['programKey'],
  errors: { stableCodes: true },
  refusals: [],
};
const keyRefusals = Object.values(refusals.programKeyTexts).map(refusals.unauthorized);
const refused = (...texts: readonly string[]) => texts.map(refusals.badRequest);

const SaleRequest = z.object({
  transaction_id: about(
    "Unique over all programs; makes the call safe to repeat. Only test mode goes without. Where it is one of Stripe's ids of the payment (session, intent, charge or invoice), the sale and Stripe's events are one payment.",
    TestSaleFields.shape.transaction_id,
  ),
  amount_cents: TestSaleFields.shape.amount_cents,
  tax_cents: about(
    'How much of the amount is tax, from 0 to `amount_cents`; absent when it is not known. Programs may compute commissions without it.',
    optional(TestSaleFields.shape.tax_cents),
  ),
  currency: about("One of the installation's currencies, in any case; the program's when absent.", optional(text)),
  customer_key: optional(customerKey),
  click_id: optional(sentClickId),
  coupon_code: about(
    "As the buyer typed it, in any case. Where it is one of the program's codes, it may find the partner, by the program's `code_precedence`. Anything else counts as absent.",
    optional(text),
  ),
  occurred_at: about(
    'When the payment was made: ISO 8601 with offset, within the last 30 days; now when absent.',
    optional(text),
  ),
  provider: optional(TestSaleFields.shape.provider),
  provider_payment_id: about(
    "The payment's id at `provider`. Sales of a program with the same one are one payment; where `provider` is `stripe` or absent, so are a sale and Stripe's events that name this id.",
    optional(TestSaleFields.shape.provider_payment_id),
  ),
  livemode: optional(TestSaleFields.shape.livemode),
  sale_type: about(
    '`payment` when absent. Without `subscription_id`, a payment of type `subscription` is a renewal if the customer has paid for any subscription before.',
    optional(z.enum(['payment', 'subscription'])),
  ),
  is_recurring: about(
    'True: a renewal if the customer has paid before. Needed only where you send no `subscription_id`; false says as little as absence.',
    optional(z.boolean()),
  ),
  subscription_id: about(
    'A renewal if the customer has paid for the same subscription before. Compared within the customer. Send it with each payment of a subscription: one without it, `sale_type` and `is_recurring` counts as a single purchase.',
    optional(text),
  ),
  subscription_interval: optional(z.enum(subscriptionIntervals)),
  product_id: optional(text),
  event_name: optional(text),
  line_items: about('Any JSON up to 16 KiB.', z.optional(z.any())),
  additional_data: optional(additional({})),
});

const RefundRequest = z.object({
  transaction_id: about('Of the sale, or another id of its payment.', text),
  reason: optional(Refund.shape.reason),
  refund_reason: about('Free text.', optional(text)),
  refund_amount_cents: about(
    'The total refunded so far, or with `refund_id` the amount of that refund alone; at most the amount of the sale. Absent = everything. 0 only with `correction`.',
    optional(CorrectedRefund.shape.refund_amount_cents),
  ),
  refund_id: about(
    'Your id of this refund. Each counts once, with its own amount, and the total is their sum. Where calls without it tell a total, the higher one counts.',
    optional(Refund.shape.refund_id),
  ),
  correction: about(
    'The amount replaces what is recorded of this `refund_id`, or without one the total of all calls. A lower total gives the commission back. A dispute that you won is told with its `refund_id`, the amount 0 and `correction: true`.',
    optional(Correction.shape.correction),
  ),
});

/** Operations for servers only. */
export const saleAndRefundRoutes = {
  'track/sale': operation(serverOnly, {
    id: 'trackSale',
    warnsOn: [200, 400],
    summary: 'Record a sale',
    description:
      'From a server only. The customer is found by `customer_key`, then by `click_id`, then by `coupon_code`. Treat 409 as success: the sale is recorded. A payment of a subscription is a renewal if this customer has paid for the subscription before. The service knows that by itself. `subscription_id` makes it exact; `is_recurring: true` is needed only where you send none. After `Failed to create commission` and `partnerId required to create commission` the sale is stored, so do not send it again. A field whose name is close to a known one is refused; any other unknown one is ignored. A sale that names somebody and is not recorded is listed for the owner. Payments of Stripe are forwarded (`/api/v1/track/stripe`) or come from Stripe itself: calls of this operation would miss upgrades, manual invoices and disputes.',
    links: { trackRefund: { transaction_id: '$request.body#/transaction_id' } },
    body: SaleRequest,
    ok: [CommissionedSale, SaleWithoutCommission, LateSale, SaleBeforeClick, TestSale],
    refusals: [
      ...keyRefusals,
      ...bodyRefusals,
      namesRefused,
      ...refused(...Object.values(saleTexts)),
      refusals.saleIdentifierMissing(),
      refusals.saleCustomerNotFound(),
      refusals.attributedElsewhere(),
      refusals.noPartnerRelation(),
      refusals.partnerMissing(),
      refusals.duplicateTransaction(ANY_NUMBER, true),
      refusals.duplicateTransaction(ANY_NUMBER, false),
      refusals.currencyUnsupported(ANY_TEXT),
      refusals.commissionNotCreated(),
    ],
    failures: ['Sale tracking failed'],
  }),

  'track/refund': operation(serverOnly, {
    id: 'trackRefund',
    summary: 'Record a refund or a chargeback',
    description:
      'From a server only. Safe to repeat: each `refund_id` counts once, and without one `refund_amount_cents` is the total refunded so far. One that comes before its sale answers 404 and is not kept: send it again once the sale is recorded. A field whose name is close to a known one is refused.',
    body: RefundRequest,
    ok: [FullRefund, PartialRefund, RefundCorrection, RepeatedRefund, RefundOfRejected, RefundWithoutCommission],
    refusals: [
      ...[refusals.programKeyTexts.malformed, refusals.programKeyTexts.unknown].map(refusals.unauthorized),
      ...bodyRefusals,
      namesRefused,
      ...refused(...Object.values(refundTexts)),
      refusals.saleToRefundNotFound(),
      refusals.refundAboveSale(ANY_NUMBER),
      refusals.refundRecordedOtherwise(ANY_TEXT, ANY_NUMBER),
    ],
    failures: ['Refund tracking failed'],
  }),
} satisfies Readonly<Record<string, Operation>>;
