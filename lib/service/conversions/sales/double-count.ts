import { isProcessorId } from '#lib/service/conversions/payments/payment-ids.ts';
import { type ProcessorLink, processorModeOf } from '#lib/service/programs/program/processor.ts';
import type { SaleFacts } from '#lib/service/conversions/sales/sale.ts';

/**
 * Whether the connected processor may report a sale again that the brand's server has sent. It may if the sale names no
 * other payment provider and has no Stripe id, by which the second report would be recognized.
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
