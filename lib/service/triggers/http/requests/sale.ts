import type * as z from 'zod/mini';
import { codeOfText } from '#lib/domain/code.ts';
import { identifierOf, textOf } from '#lib/domain/identifier.ts';
import { type Currencies, type Currency, currencyCode } from '#lib/domain/currency.ts';
import { currencyUnsupported } from '#lib/domain/refusals.ts';
import { paymentTime, type SaleFacts, subscriptionIntervals } from '#lib/domain/sale.ts';
import type { SaleRequest } from '#lib/service/use-cases/record-sale.ts';
import type { TestSaleRequest } from '#lib/service/use-cases/record-test-event.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { isTestMode } from '#lib/service/triggers/http/requests/test-mode.ts';
import { SaleFields, TestSaleFields } from '#lib/wire/requests/sale.ts';

export type SaleBody = { readonly test: TestSaleRequest } | { readonly sale: SaleRequest };

/** The body of a sale. @param currencies of the installation @throws Refusal */
export function saleBody(json: Json, now: Date, currencies: Currencies): SaleBody {
  const read = { ...json, tax_cents: taxOf(json), occurred_at: paymentTime(json.occurred_at, now) };
  const who = { customerKey: identifierOf(json.customer_key), clickId: identifierOf(json.click_id) };
  if (isTestMode(json)) {
    const checked = parseBody(TestSaleFields, read);
    const facts = { ...factsOf(checked, json, currencies), transactionId: checked.transaction_id };
    return { test: { facts, occurredAt: checked.occurred_at, ...who } };
  }
  const checked = parseBody(SaleFields, read);
  const facts = { ...factsOf(checked, json, currencies), transactionId: checked.transaction_id };
  return { sale: { facts, occurredAt: checked.occurred_at, ...who, couponCode: codeOfText(json.coupon_code) } };
}

/** As sent, but not a number where it is more than the amount. */
const taxOf = ({ tax_cents: tax, amount_cents: amount }: Json): unknown =>
  typeof tax === 'number' && typeof amount === 'number' && tax > amount ? Number.NaN : tax;

const LONGEST_NAME = 255;
const LONGEST_LINE_ITEMS = 16 * 1024;

/** The facts beside the id; what is optional and unusable takes its default. */
const factsOf = (
  checked: z.output<typeof TestSaleFields>,
  json: Json,
  currencies: Currencies,
): Omit<SaleFacts, 'transactionId'> => ({
  amountCents: checked.amount_cents,
  taxCents: checked.tax_cents,
  currency: currencyOf(currencies, json.currency),
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

/**
 * Absent means USD in every installation: what an amount is in is never guessed from the configuration.
 * @throws Refusal that echoes what was sent
 */
function currencyOf(currencies: Currencies, value: unknown = 'USD'): Currency {
  const text = typeof value === 'string' ? currencyCode(value) : (spelled(value) ?? 'of this depth');
  if (!currencies.includes(text)) throw currencyUnsupported(text.slice(0, 20).toWellFormed());
  return text;
}

/** Stored as JSON text, with any keys; dropped when too long or too deep. */
function lineItemsOf(value: unknown): string | undefined {
  const text = spelled(value);
  return text !== undefined && Buffer.byteLength(text) <= LONGEST_LINE_ITEMS ? text : undefined;
}

/** The JSON text; undefined when absent, or nested too deeply to be stringified. */
function spelled(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
