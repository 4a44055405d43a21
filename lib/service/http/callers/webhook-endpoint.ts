import { deliveredEvent } from '#lib/service/conversions/processors/delivered-event.ts';
import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { signatureInvalid } from '#lib/service/ground/values/refusals.ts';
import type { ProcessorEvent } from '#lib/service/conversions/processors/processor-event.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { jsonObject, LARGEST_EVENT_BYTES, rawBody } from '#lib/service/http/messages/body.ts';
import { countedOrRefused } from '#lib/service/http/clients/rate-limit.ts';
import { type Handler, createHandler } from '#lib/service/http/messages/handler.ts';
import { readEvent } from '#lib/service/conversions/stripe/read-event.ts';
import { isSigned } from '#lib/service/conversions/stripe/signature.ts';
import type { UnprocessedByPlatform } from '#lib/service/conversions/processors/delivery.ts';
import type { DeliveryResult } from '#lib/service/conversions/processors/record-delivery.ts';
import type { ReceivedEvent } from '#lib/wire/conversions/processor.ts';

/** What an endpoint for the card processor's events declares. */
export interface WebhookEndpoint<Subject> {
  /** Loads the program or account to which the endpoint belongs; undefined when there is no such endpoint. */
  readonly subject: (deps: Deps, path: Readonly<Record<string, string | undefined>>) => Promise<Subject | undefined>;
  /** The valid signing secrets. If there are none, every event is refused. */
  readonly secrets: (deps: Deps, subject: Subject) => Promise<readonly string[]>;
  /** The identity under which the endpoint's events are counted for the rate limit; absent = no limit. */
  readonly countedAs?: (subject: Subject) => string;
  /**
   * Processes a verified event.
   * @param admitted resolves when the event is within the rate limit; nothing may be written before
   */
  readonly run: (
    deps: Deps,
    event: ProcessorEvent,
    subject: Subject,
    admitted: Promise<void>,
  ) => Promise<UnprocessedByPlatform>;
  /** Stores when and how an event was processed. */
  readonly noted?: (deps: Deps, subject: Subject, delivery: DeliveryResult) => Promise<void>;
}

/**
 * Receives signed events of the card processor. An ignored event gets the same reply as a processed one: only an
 * internal failure makes the processor deliver the event again.
 */
export const webhookEndpoint = <Subject>({
  subject: subjectOf,
  secrets,
  countedAs,
  run,
  noted,
}: WebhookEndpoint<Subject>): Handler =>
  createHandler({
    middlewares: [],
    errors: { failure: 'Webhook processing failed' },
    async run({ event, deps }) {
      const body = rawBody(event, LARGEST_EVENT_BYTES);
      const subject = await subjectOf(deps, event.pathParameters ?? {});
      if (subject === undefined) throw signatureInvalid();
      const signature = event.headers['stripe-signature'];
      if (!isSigned(body, signature, await secrets(deps, subject), deps.now)) {
        // Logged because nothing else shows the operator that a brand has entered the wrong secret.
        deps.log.warn('webhook_refused', { program_id: deps.logContext.programId });
        await noted?.(deps, subject, 'badSignature');
        throw signatureInvalid();
      }
      // The event is counted only after its signature was checked, because callers without a valid signature must not
      // use up the processor's limit.
      const admitted = countedAs
        ? countedOrRefused(deps, rateLimits.processorEvent, countedAs(subject))
        : Promise.resolve();
      // `run` awaits this promise together with its own first reads. If the promise rejects before `run` awaits it, the
      // rejection would end the process.
      admitted.catch(() => undefined);
      const received = readEvent(jsonObject(body.toString()));
      if (!received) await admitted;
      else {
        const ignored = await run(deps, received, subject, admitted);
        await noted?.(deps, subject, deliveredEvent(received, ignored, 'webhook'));
      }
      return { statusCode: 200, headers: {}, body: { received: true } satisfies ReceivedEvent };
    },
  });
