import * as z from 'zod/mini';
import * as refusals from '#lib/domain/refusals.ts';
import { currencies, providers, subscriptionIntervals } from '#lib/domain/sale.ts';
import { refundTexts } from '#lib/http/requests/refund.ts';
import { saleTexts } from '#lib/http/requests/sale.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#infra/openapi/error-bodies.ts';
import { about, cents, clickId, id, text } from '#infra/openapi/fields.ts';
import { type Family, type Operation, operation } from '#infra/openapi/operation.ts';

const base = { tag: 'Tracking', errors: {}, isCounted: true, rotates: true } as const;

// By specification 7 click and lead have no missing key: without one they come from a browser.
const click: Family = { ...base, name: 'Click', security: ['nobody', 'programKey'], refusals: [], cors: true };
const lead: Family = {
  ...base,
  name: 'Lead',
  security: ['programKey', 'nobody'],
  refusals: [refusals.unauthorized(refusals.programKeyTexts.unknown)],
  cors: true,
};
const serverOnly: Family = {
  ...base,
  name: 'SaleAndRefund',
  security: ['programKey'],
  errors: { stableCodes: true },
  refusals: [],
};
const keyRefusals = Object.values(refusals.programKeyTexts).map(refusals.unauthorized);
const refused = (...texts: readonly string[]) => texts.map(refusals.badRequest);

const optional = z.nullish;
const shortText = z.string().check(z.maxLength(255));
const identifier = z.union([shortText, z.number()]);
const customerKey = about("The brand's own id of the user: the same at signup and at every sale.", identifier);
const sentClickId = about('Value of the cookie `service_click_id`.', identifier);
const testMode = {
  test_mode: about('Exactly true: store a test event, without customer, commission and fee.', z.boolean()),
  program_id: about('The program of a test event without key.', z.union([z.int(), text])),
};
const additional = (fields: z.core.$ZodLooseShape) =>
  z.looseObject({ ...z.partial(z.object(testMode)).shape, ...fields });
const testData = <Program extends z.ZodMiniType>(programId: Program) =>
  z.strictObject({ eventId: id, programId, test_mode: z.literal(true) });
const success = { success: z.literal(true) };
const message = (constant: string) => z.literal(constant);

const Click = z.object({
  affiliate_url: about('The landing URL with its `aff` parameter. Only test mode goes without.', z.optional(text)),
  existing_click_id: about('Of an earlier click: the first partner keeps the customer.', optional(text)),
  click_id: about('Another name of `existing_click_id`.', optional(text)),
  page_url: optional(text),
  page_title: optional(text),
  referrer_url: optional(text),
  session_id: optional(text),
  user_agent: about('Absent: the header.', optional(text)),
  screen_resolution: optional(text),
  viewport_size: optional(text),
  language: optional(text),
  timezone: optional(text),
  program_id: optional(testMode.program_id),
  additional_data: optional(additional({})),
});

const Lead = z.object({
  click_id: optional(sentClickId),
  customer_key: optional(customerKey),
  email: about('Kept as a hash and a mask only.', optional(text)),
  event_name: optional(text),
  program_id: optional(testMode.program_id),
  click_ids: about('Further click ids, for an audit only; the first 20 are kept.', optional(z.array(text))),
  page_url: optional(text),
  session_id: optional(text),
  additional_data: optional(additional({ event_name: z.optional(text) })),
});

const Sale = z.object({
  transaction_id: about(
    'Unique over all programs; makes the call safe to repeat. Only test mode goes without.',
    z.optional(shortText),
  ),
  amount_cents: z.int().check(z.positive()),
  currency: about(`One of ${currencies.join(', ')}, in any case; USD when absent.`, optional(text)),
  customer_key: optional(customerKey),
  click_id: optional(sentClickId),
  occurred_at: about(
    'When the payment was made: ISO 8601 with offset, within the last 30 days; now when absent.',
    optional(text),
  ),
  provider: optional(z.enum(providers)),
  provider_payment_id: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  livemode: optional(z.boolean()),
  sale_type: optional(z.enum(['payment', 'subscription'])),
  is_recurring: optional(z.boolean()),
  subscription_id: optional(text),
  subscription_interval: optional(z.enum(subscriptionIntervals)),
  product_id: optional(text),
  event_name: optional(text),
  line_items: about('Any JSON up to 16 KiB.', z.optional(z.any())),
  additional_data: optional(additional({})),
});

const Refund = z.object({
  transaction_id: about('Of the sale.', text),
  reason: optional(z.enum(['refund', 'chargeback'])),
  refund_reason: about('Free text.', optional(text)),
  refund_amount_cents: about(
    'The total refunded so far, not the step; absent, 0 or the whole amount = full.',
    optional(z.int().check(z.nonnegative())),
  ),
});

const refunded = (status: 'reversed' | 'refunded', text: string) =>
  z.strictObject({
    ...success,
    status: z.literal(status),
    sale_id: id,
    commission_id: id,
    refunded_amount_cents: about('The total so far.', cents),
    deduction_cents: about('What this call deducted.', cents),
    reason: z.optional(z.literal('chargeback')),
    message: message(text),
  });

export const trackRoutes: Readonly<Record<string, Operation>> = {
  'track/click': operation(click, {
    id: 'trackClick',
    summary: 'Record a click',
    description:
      'Called by the browser tracker when a visitor follows a referral link. A program key counts in test mode only.',
    body: Click,
    ok: [
      z.strictObject({
        ...success,
        click_id: clickId,
        partner_code: about('The `aff` value.', text),
        cookie_window_days: z.int(),
      }),
      z.strictObject({
        ...success,
        message: message('Test click event tracked successfully'),
        click_id: z.string().check(z.regex(/^clk_test_/)),
        cookie_window_days: z.int(),
        data: testData(z.nullable(id)),
      }),
    ],
    refusals: [
      ...bodyRefusals,
      refusals.affiliateUrlMissing(),
      refusals.affiliateUrlInvalid(),
      refusals.affParameterMissing(),
      refusals.linkNotFound(),
      refusals.linkMisconfigured(),
      refusals.programMismatch(),
      refusals.linkDisabled(),
    ],
    failures: ['Click tracking failed'],
  }),

  'track/lead': operation(lead, {
    id: 'trackLead',
    summary: 'Record a signup',
    description:
      'With a program key the lead is settled. Without one it comes from a browser: it stays provisional until the server confirms it, unless the program allows browser leads. Outside test mode `click_id` or `customer_key` is required; sending both is best.',
    body: Lead,
    ok: [
      z.strictObject({ ...success, message: message('Lead tracked successfully') }),
      z.strictObject({
        ...success,
        provisional: z.literal(true),
        message: message('Lead recorded as provisional. Send a server-side lead to settle it.'),
      }),
      z.strictObject({
        ...success,
        message: message('Test lead event tracked successfully'),
        data: testData(z.nullable(id)),
      }),
    ],
    refusals: [
      ...bodyRefusals,
      refusals.leadIdentifierMissing(),
      refusals.leadCustomerNotFound(),
      refusals.leadCustomerOfOtherProgram(),
      ...['lead', 'conversion'].map(refusals.leadStatusRefused),
      refusals.programMismatch(),
    ],
    failures: ['Lead tracking failed'],
  }),

  'track/sale': operation(serverOnly, {
    id: 'trackSale',
    summary: 'Record a sale',
    description:
      'From a server only. The customer is found by `customer_key`, then by `click_id`. Treat 409 as success: the sale is recorded. After `Failed to create commission` and `partnerId required to create commission` the sale is stored, so do not send it again.',
    body: Sale,
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
    body: Refund,
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

  'track/preflight': operation(
    { ...base, name: 'Preflight', security: ['nobody'], refusals: [], isCounted: false, rotates: undefined },
    {
      id: (_, path) => (path.endsWith('click') ? 'preflightClick' : 'preflightLead'),
      summary: 'May this page send it?',
      description: 'Browsers ask before they send. An origin that no program allows gets no more than `Vary`.',
      others: {
        204: {
          description: 'The headers say what the page may do.',
          headers: {
            'X-Request-ID': 'always',
            Vary: 'always',
            'Access-Control-Allow-Origin': 'sometimes',
            'Access-Control-Allow-Methods': 'sometimes',
            'Access-Control-Allow-Headers': 'sometimes',
            'Access-Control-Max-Age': 'sometimes',
          },
        },
      },
      failures: ['Request failed'],
    },
  ),
};
