import { deliveredEvent } from '#lib/domain/delivered-event.ts';
import { rateLimits } from '#lib/domain/rate-limits.ts';
import { programKeyTexts } from '#lib/domain/refusals.ts';
import { LARGEST_EVENT_BYTES } from '#lib/service/triggers/http/body.ts';
import { programKeyEndpoint } from '#lib/service/triggers/http/endpoint.ts';
import { forwardedEvent } from '#lib/service/triggers/http/requests/forwarded-event.ts';
import { noteDelivery } from '#lib/service/use-cases/note-delivery.ts';
import { processEvent, readAheadOfEvent } from '#lib/service/use-cases/process-event.ts';

/**
 * Events of Stripe whose signature the brand's own server has verified. They do what they would do at the program's own
 * endpoint.
 */
export const handler = programKeyEndpoint({
  limit: rateLimits.processorEvent,
  programKey: programKeyTexts,
  errors: { failure: 'Stripe event processing failed', stableCodes: true },
  largestBodyBytes: LARGEST_EVENT_BYTES,
  body: forwardedEvent,
  readAhead: (deps, event, hintedProgramId) =>
    hintedProgramId === undefined ? [] : readAheadOfEvent(deps, event, hintedProgramId),
  async run(deps, event, programId) {
    deps.logContext.programId = programId;
    const delivery = deliveredEvent(event, await processEvent(deps, event, programId), 'forwarded');
    await noteDelivery(deps, programId, delivery);
    return { success: true, event_id: event.id, outcome: delivery.outcome, message: 'Stripe event received' };
  },
});
