import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { validSecrets } from '#lib/service/programs/program/processor.ts';
import { identityOfProgram } from '#lib/service/ground/values/rate-limits.ts';
import { webhookEndpoint } from '#lib/service/http/callers/webhook-endpoint.ts';
import { recordDelivery } from '#lib/service/conversions/processors/record-delivery.ts';
import { processEvent } from '#lib/service/conversions/processors/process-event.ts';
import { programOf } from '#lib/service/programs/program/program-of.ts';
import { open } from '#lib/service/ground/effects/vault.ts';

/** Receives events that a brand's own account sends to its program's endpoint. */
export const handler = webhookEndpoint({
  subject: (deps, { program_id: id }) => programOf(deps, numericIdOf(id)),
  secrets: (deps, { id: programId, processor }) =>
    Promise.all(validSecrets(processor, deps.now).map((sealed) => open(deps, sealed, { programId }))),
  countedAs: ({ id }) => identityOfProgram(id),
  run: (deps, event, { id }, admitted) => processEvent(deps, event, id, admitted),
  noted: (deps, { id }, note) => recordDelivery(deps, id, note),
});
