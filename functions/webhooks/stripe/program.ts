import { numericIdOf } from '#lib/domain/identifier.ts';
import { validSecrets } from '#lib/domain/processor.ts';
import { webhookEndpoint } from '#lib/http/webhook-endpoint.ts';
import { processEvent } from '#lib/use-cases/process-event.ts';
import { programOf } from '#lib/use-cases/program-of.ts';
import { open } from '#lib/vault.ts';

/** Events that a brand's own account sends to its program's own endpoint. */
export const handler = webhookEndpoint({
  subject: (deps, { program_id: id }) => programOf(deps, numericIdOf(id)),
  secrets: (deps, { id, processor }) =>
    Promise.all(validSecrets(processor, deps.now).map((sealed) => open(deps, sealed, id))),
  run: (deps, event, { id }) => processEvent(deps, event, id),
});
