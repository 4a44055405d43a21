import type * as z from 'zod/mini';
import { codeOfText } from '#lib/service/programs/links/code.ts';
import { jsonText, shownValue } from '#lib/service/ground/values/event-texts.ts';
import { identifierOf, textOf } from '#lib/service/ground/values/identifier.ts';
import { currencyCode } from '#lib/service/ground/values/currency.ts';
import { paymentTime, type SentFacts, subscriptionIntervals } from '#lib/service/conversions/sales/sale.ts';
import type { SentSaleRequest } from '#lib/service/conversions/sales/record-sale.ts';
import type { TestSaleRequest } from '#lib/service/reports/trial/record-test-event.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { checkNames } from '#lib/service/http/messages/check-names.ts';
import { isTestMode } from '#lib/service/http/programs/test-mode-request.ts';
import { saleNames } from '#lib/wire/words/field-names-request.ts';
import { SaleFields, TestSaleFields } from '#lib/wire/conversions/sale-request.ts';

export type SaleBody = { readonly test: TestSaleRequest } | { readonly sale: SentSaleRequest };

/** The body of a sale. @throws Refusal */
export function saleBody(json: Json, now: Date): SaleBody {
  checkNames(json, saleNames);
  const read = { ...json, tax_cents: taxOf(json), occurred_at: paymentTime(json.occurred_at, now) };
  const who = { customerKey: identifierOf(json.customer_key), clickId: identifierOf(json.click_id) };
  if (isTestMode(json)) {
    const checked = parseBody(TestSaleFields, read);
    const facts = { ...factsOf(checked, json), transactionId: checked.transaction_id };
    return { test: { facts, occurredAt: checked.occurred_at, ...who } };
  }
  const checked = parseBody(SaleFields, read);
  const facts = { ...factsOf(checked, json), transactionId: checked.transaction_id };
  return { sale: { facts, occurredAt: checked.occurred_at, ...who, couponCode: codeOfText(json.coupon_code) } };
}

/** The tax as sent; NaN, which is refused, if it is more than the amount. */
const taxOf = ({ tax_cents: tax, amount_cents: amount }: Json): unknown =>
  typeof tax === 'number' && typeof amount === 'number' && tax > amount ? Number.NaN : tax;

const LONGEST_NAME = 255;
const LONGEST_LINE_ITEMS = 16 * 1024;

/** The facts of the sale other than its id. Optional fields with unusable values get their defaults. */
const factsOf = (checked: z.output<typeof TestSaleFields>, json: Json): Omit<SentFacts, 'transactionId'> => ({
  amountCents: checked.amount_cents,
  taxCents: checked.tax_cents,
  currency: currencyOf(json.currency),
  saleType: json.sale_type === 'subscription' ? 'subscription' : 'payment',
  isRecurring: json.is_recurring === true,
  subscriptionId: textOf(json.subscription_id, LONGEST_NAME),
  subscriptionInterval: subscriptionIntervals.find((interval) => interval === json.subscription_interval),
  productId: textOf(json.product_id, LONGEST_NAME),
  eventName: textOf(json.event_name, LONGEST_NAME),
  lineItems: lineItemsOf(json.line_items),
  provider: checked.provider,
  providerPaymentId: checked.provider_payment_id?.toWellFormed(),
  livemode: checked.livemode,
});

/** The currency in upper case. A value that is no text is returned as sent, so that the error message can show it. */
function currencyOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? currencyCode(value) : shownValue(value);
}

/** The line items as JSON text with any keys; undefined when they are too long or too deeply nested. */
function lineItemsOf(value: unknown): string | undefined {
  const text = jsonText(value);
  return text !== undefined && Buffer.byteLength(text) <= LONGEST_LINE_ITEMS ? text : undefined;
}
