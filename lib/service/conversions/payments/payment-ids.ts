import type { SaleFacts } from '#lib/service/conversions/sales/sale.ts';

const PROCESSOR_ID = /^(?:cs|in|pi|ch|py)_/;

/** Whether a text has the format of a Stripe id of a checkout session, invoice, payment intent or charge. */
export const isProcessorId = (text: string): boolean => PROCESSOR_ID.test(text);

/** The ids by which other records of the same payment can be found. */
interface PaymentIds {
  /** Ids of Stripe, or of an unnamed provider, which may be Stripe. */
  readonly ids: readonly string[];
  /** An id of another payment provider. */
  readonly other?: { readonly provider: NonNullable<SaleFacts['provider']>; readonly id: string };
}

/**
 * The payment ids of a sale sent by a brand's server. A transaction id that is no Stripe id is left out. No event of
 * Stripe can contain it, so such a sale saves the write that links the id.
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
