import { webhookEndpoint } from '#lib/service/http/callers/webhook-endpoint.ts';
import { platformSecrets } from '#lib/service/ground/effects/platform-secrets.ts';
import { recordDelivery } from '#lib/service/conversions/processors/record-delivery.ts';
import { processEvent } from '#lib/service/conversions/processors/process-event.ts';

/** Receives events of all accounts connected to the platform. */
export const handler = webhookEndpoint({
  subject: async () => 'platform' as const,
  secrets: async (deps) => (await platformSecrets(deps)).webhookSecrets,
  run: processEvent,
  // An invalid signature is not recorded here, because it is not known to which program the event belongs.
  noted: async (deps, _, note) => {
    const { programId } = deps.logContext;
    if (programId !== undefined) await recordDelivery(deps, programId, note);
  },
});
