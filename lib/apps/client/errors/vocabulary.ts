/** The wire name of each field that the service's messages may mention, by the client's name. */
const wireNames = {
  customerId: 'customer_key',
  clickId: 'click_id',
  amount: 'amount_cents',
  tax: 'tax_cents',
  invoiceId: 'transaction_id',
  affiliateUrl: 'affiliate_url',
  refundAmountCents: 'refund_amount_cents',
  refundId: 'refund_id',
  occurredAt: 'occurred_at',
  providerPaymentId: 'provider_payment_id',
} as const;

const clientNames = new Map<string, string>(Object.entries(wireNames).map(([name, wireName]) => [wireName, name]));

/** Adds the client's field names to a message of the service: `invoiceId (transaction_id) is required …`. */
export const inClientNames = (text: string): string =>
  text.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => {
    const name = clientNames.get(word);
    return name === undefined ? word : `${name} (${word})`;
  });
