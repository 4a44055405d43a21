import type { SaleFacts } from '#lib/service/conversions/sales/sale.ts';

const PROCESSOR_ID = /^(?:cs|in|pi|ch|py)_/;

/** Whether a text has the form of Stripe's ids of a checkout session, an invoice, a payment intent or a charge. */
export const isProcessorId = (text: string): boolean => PROCESSOR_ID.test(text);

/** By which other records of the same payment may name it. */
interface PaymentIds {
  /** Of Stripe, or of nobody who is named: then they may be Stripe's. */
  readonly ids: readonly string[];
  /** Of another payment provider. */
  readonly other?: { readonly provider: NonNullable<SaleFacts['provider']>; readonly id: string };
}

/**
 * The ids of a payment that a brand's server sends. A transaction id that cannot be Stripe's is none of them: it is unique
 * as it is, and a sale that has no other id costs no further write.
 */
export function paymentIdsOf({
  transactionId,
  provider = 'stripe',
  providerPaymentId,
}: Pick<SaleFacts, 'transactionId' | 'provider' | 'providerPaymentId'>): PaymentIds {
  const own = isProcessorId(transactionId) ? [transactionId] : [];
  if (providerPaymentId === undefined) return { ids: own };
  return provider === 'stripe'
    ? { ids: [...new Set([...own, providerPaymentId])] }
    : { ids: own, other: { provider, id: providerPaymentId } };
}
