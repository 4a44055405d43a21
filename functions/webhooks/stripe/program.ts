import { numericIdOf } from '#lib/domain/identifier.ts';
import { validSecrets } from '#lib/domain/processor.ts';
import { webhookEndpoint } from '#lib/http/webhook-endpoint.ts';
import { noteDelivery } from '#lib/use-cases/note-delivery.ts';
import { processEvent } from '#lib/use-cases/process-event.ts';
import { programOf } from '#lib/use-cases/program-of.ts';
import { open } from '#lib/vault.ts';

/** Events that a brand's own account sends to its program's own endpoint. */
export const handler = webhookEndpoint({
  subject: (deps, { program_id: id }) => programOf(deps, numericIdOf(id)),
  secrets: (deps, { id, processor }) =>
    Promise.all(validSecrets(processor, deps.now).map((sealed) => open(deps, sealed, id))),
  countedAs: ({ id }) => `program:${id}`,
  run: (deps, event, { id }, admitted) => processEvent(deps, event, id, admitted),
  noted: (deps, { id }, note) => noteDelivery(deps, id, note),
});
