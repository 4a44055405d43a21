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
    "Unique across all programs, which makes the call safe to repeat. Optional only in test mode. If it is one of Stripe's ids of the payment (session, intent, charge or invoice), this sale and Stripe's events count as one payment.",
    TestSaleFields.shape.transaction_id,
  ),
  amount_cents: TestSaleFields.shape.amount_cents,
  tax_cents: about(
    'The part of the amount that is tax, from 0 to `amount_cents`. Omit it if you do not know it. Programs may compute commissions without tax.',
    optional(TestSaleFields.shape.tax_cents),
  ),
  currency: about(
    "One of the installation's currencies, in upper or lower case. Default: the program's currency.",
    optional(text),
  ),
  customer_key: optional(customerKey),
  click_id: optional(sentClickId),
  coupon_code: about(
    "The coupon code as the buyer typed it, in upper or lower case. If the program has this code, it may decide the partner, depending on the program's `code_precedence`. Any other value is ignored.",
    optional(text),
  ),
  occurred_at: about(
    'When the payment was made: ISO 8601 with offset, within the last 30 days. Default: now.',
    optional(text),
  ),
  provider: optional(TestSaleFields.shape.provider),
  provider_payment_id: about(
    "The payment's id at `provider`. All sales of a program with the same id are one payment. If `provider` is `stripe` or absent, the sale and Stripe's events that contain this id are one payment, too.",
    optional(TestSaleFields.shape.provider_payment_id),
  ),
  livemode: optional(TestSaleFields.shape.livemode),
  sale_type: about(
    'Default: `payment`. Without `subscription_id`, a payment of type `subscription` is a renewal if the customer has paid for any subscription before.',
    optional(z.enum(['payment', 'subscription'])),
  ),
  is_recurring: about(
    'If true, the payment is a renewal if the customer has paid before. You need it only if you send no `subscription_id`. False has the same effect as omitting it.',
    optional(z.boolean()),
  ),
  subscription_id: about(
    'The payment is a renewal if this customer has paid for the same subscription before. Send it with each payment of a subscription: a payment without it, `sale_type` and `is_recurring` counts as a single purchase.',
    optional(text),
  ),
  subscription_interval: optional(z.enum(subscriptionIntervals)),
  product_id: optional(text),
  event_name: optional(text),
  line_items: about('Any JSON value of at most 16 KiB.', z.optional(z.any())),
  additional_data: optional(additional({})),
});

const RefundRequest = z.object({
  transaction_id: about('The transaction id of the sale, or another id of its payment.', text),
  reason: optional(Refund.shape.reason),
  refund_reason: about('Free text.', optional(text)),
  refund_amount_cents: about(
    'The total refunded so far. With `refund_id`: the amount of that refund alone. At most the amount of the sale. If absent, everything is refunded. 0 is allowed only with `correction`.',
    optional(CorrectedRefund.shape.refund_amount_cents),
  ),
  refund_id: about(
    'Your id of this refund. Each refund id counts once with its own amount, and the total is the sum. If calls without an id report a higher total, that total counts.',
    optional(Refund.shape.refund_id),
  ),
  correction: about(
    'If true, the amount replaces the recorded amount of this `refund_id`, or without one the recorded total of all calls. A lower amount gives commission back. To report that you won a dispute, send its `refund_id`, the amount 0 and `correction: true`.',
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
      'Call it from your server only. The service finds the customer by `customer_key`, then by `click_id`, then by `coupon_code`. Treat 409 with `details.own` true as success: the sale is recorded. With false it is not, because another program’s sale or a test sale has its id: an owner records it on the page Payments. A payment of a subscription is a renewal if this customer has paid for the subscription before, which the service recognizes best by `subscription_id`; `is_recurring: true` is needed only without one. After `Failed to create commission` and `partnerId required to create commission` the sale is stored, so do not send it again. A misspelt field name is refused; other unknown fields are ignored. Sales with a customer key or click id that are not recorded are listed for the owner. For payments of Stripe, forward its events to `/api/v1/track/stripe` or let Stripe send them: calls to this operation would miss upgrades, manual invoices and disputes.',
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
      'Call it from your server only. It is safe to repeat: each `refund_id` counts once, and without one `refund_amount_cents` is the total refunded so far. A refund that arrives before its sale is answered 404 and not stored: send it again once the sale is recorded. A field whose name resembles a known one is refused.',
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
