import { isProcessorId } from '#lib/service/conversions/payments/payment-ids.ts';
import { type ProcessorLink, processorModeOf } from '#lib/service/programs/program/processor.ts';
import type { SaleFacts } from '#lib/service/conversions/sales/sale.ts';

/**
 * Whether a sale of the brand's own server may be a payment that the connected processor reports, too: it was not made by
 * another one, and none of its ids can be Stripe's.
 */
export const mayCountTwice = (
  {
    transactionId,
    provider = 'stripe',
    providerPaymentId = '',
  }: Pick<SaleFacts, 'transactionId' | 'provider' | 'providerPaymentId'>,
  processor: ProcessorLink | undefined,
): boolean =>
  processorModeOf(processor) !== null &&
  provider === 'stripe' &&
  !isProcessorId(transactionId) &&
  !isProcessorId(providerPaymentId);
