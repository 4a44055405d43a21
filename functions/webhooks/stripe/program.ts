import { numericIdOf } from '#lib/domain/identifier.ts';
import { validSecrets } from '#lib/domain/processor.ts';
import { identityOfProgram } from '#lib/domain/rate-limits.ts';
import { webhookEndpoint } from '#lib/service/triggers/http/webhook-endpoint.ts';
import { noteDelivery } from '#lib/service/use-cases/note-delivery.ts';
import { processEvent } from '#lib/service/use-cases/process-event.ts';
import { programOf } from '#lib/service/use-cases/program-of.ts';
import { open } from '#lib/service/vault.ts';

/** Events that a brand's own account sends to its program's own endpoint. */
export const handler = webhookEndpoint({
  subject: (deps, { program_id: id }) => programOf(deps, numericIdOf(id)),
  secrets: (deps, { id: programId, processor }) =>
    Promise.all(validSecrets(processor, deps.now).map((sealed) => open(deps, sealed, { programId }))),
  countedAs: ({ id }) => identityOfProgram(id),
  run: (deps, event, { id }, admitted) => processEvent(deps, event, id, admitted),
  noted: (deps, { id }, note) => noteDelivery(deps, id, note),
});
