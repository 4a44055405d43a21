import { deliveredEvent } from '#lib/service/conversions/processors/delivered-event.ts';
import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { programKeyTexts } from '#lib/service/ground/values/refusals.ts';
import { LARGEST_EVENT_BYTES } from '#lib/service/http/messages/body.ts';
import { programOfValidKey } from '#lib/service/http/clients/count-by-program.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { forwardedEvent } from '#lib/service/http/conversions/forwarded-event-request.ts';
import { recordDelivery } from '#lib/service/conversions/processors/record-delivery.ts';
import { processEvent, readAheadOfEvent } from '#lib/service/conversions/processors/process-event.ts';

/**
 * Receives Stripe events whose signature the brand's own server has verified, and processes them like those sent to the
 * program's own endpoint.
 */
export const handler = programKeyEndpoint({
  limit: rateLimits.processorEvent,
  countedAs: programOfValidKey,
  programKey: programKeyTexts,
  errors: { failure: 'Stripe event processing failed', stableCodes: true },
  largestBodyBytes: LARGEST_EVENT_BYTES,
  body: forwardedEvent,
  readAhead: (deps, event, hintedProgramId) =>
    hintedProgramId === undefined ? [] : readAheadOfEvent(deps, event, hintedProgramId),
  async run(deps, event, programId) {
    deps.logContext.programId = programId;
    const delivery = deliveredEvent(event, await processEvent(deps, event, programId), 'forwarded');
    await recordDelivery(deps, programId, delivery);
    return { success: true, event_id: event.id, outcome: delivery.outcome, message: 'Stripe event received' };
  },
});
