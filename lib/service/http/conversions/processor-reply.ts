import { processorModeOf } from '#lib/service/programs/program/processor.ts';
import type { UnattributedPayment } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { ProcessorConnection } from '#lib/service/conversions/processors/processor-connection.ts';
import type * as wire from '#lib/wire/conversions/processor.ts';

/** How a program is connected to the card processor, without secrets. */
export function processorReply(
  { programId, link, account, lastDelivery }: ProcessorConnection,
  { baseUrl }: Config,
): wire.Processor {
  const mode = processorModeOf(link);
  const { at, type, outcome, via, badSignatureAt } = lastDelivery ?? {};
  return {
    connected: mode !== null,
    mode,
    account_id: account?.accountId ?? null,
    charges_enabled: account?.chargesEnabled ?? false,
    payouts_enabled: account?.payoutsEnabled ?? false,
    details_submitted: account?.detailsSubmitted ?? false,
    livemode: account?.livemode ?? null,
    connected_at: link?.connectedAt ?? null,
    webhook_url: `${baseUrl}/api/v1/webhooks/stripe/${programId}`,
    signing_secret_set: (link?.signingSecrets?.length ?? 0) > 0,
    last_delivery:
      at === undefined || type === undefined || outcome === undefined || via === undefined
        ? null
        : { at, type, outcome, via },
    last_bad_signature_at: badSignatureAt ?? null,
  };
}

/** A payment that was not recorded as a sale. */
export const unattributedPaymentReply = (
  payment: UnattributedPayment & { readonly at: string },
): wire.UnattributedPayment => ({
  event_id: payment.eventId ?? null,
  event_type: payment.eventType,
  transaction_id: payment.transactionId,
  amount_cents: payment.amountCents,
  currency: payment.currency,
  reason: payment.reason,
  detail: payment.detail ?? null,
  at: payment.at,
});
