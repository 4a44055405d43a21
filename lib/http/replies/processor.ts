import { processorModeOf } from '#lib/domain/processor.ts';
import type { Config } from '#lib/config.ts';
import type { ProcessorConnection } from '#lib/use-cases/processor-connection.ts';

/** How a program is connected to the card processor (contract 15.4). No secret is in it. */
export function processorReply({ programId, link, account }: ProcessorConnection, { baseUrl }: Config) {
  const mode = processorModeOf(link);
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
  };
}
