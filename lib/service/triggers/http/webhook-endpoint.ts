import { rateLimits } from '#lib/domain/rate-limits.ts';
import { signatureInvalid } from '#lib/domain/refusals.ts';
import type { ProcessorEvent } from '#lib/domain/processor-event.ts';
import type { Deps } from '#lib/service/deps.ts';
import { jsonObject, rawBody } from '#lib/service/triggers/http/body.ts';
import { countedOrRefused } from '#lib/service/triggers/http/rate-limit.ts';
import { type Handler, createHandler } from '#lib/service/triggers/http/handler.ts';
import { readEvent } from '#lib/service/processors/stripe/read-event.ts';
import { isSigned } from '#lib/service/processors/stripe/signature.ts';
import type { Unprocessed } from '#lib/service/use-cases/delivery.ts';
import type { DeliveryNote } from '#lib/service/use-cases/note-delivery.ts';
import type { ReceivedEvent } from '#lib/wire/processor.ts';

const LARGEST_BODY_BYTES = 1024 * 1024;

/** What an endpoint for the card processor declares. */
export interface WebhookEndpoint<Subject> {
  /** Whose endpoint it is; undefined for nobody's. */
  readonly subject: (deps: Deps, path: Readonly<Record<string, string | undefined>>) => Promise<Subject | undefined>;
  /** Secrets that sign its events; none = no event can be valid. */
  readonly secrets: (deps: Deps, subject: Subject) => Promise<readonly string[]>;
  /** Under what the endpoint's events are counted and limited; absent = they are not. */
  readonly countedAs?: (subject: Subject) => string;
  /** @param admitted settles when the event is within the limit; nothing may be written before */
  readonly run: (deps: Deps, event: ProcessorEvent, subject: Subject, admitted: Promise<void>) => Promise<Unprocessed>;
  /** Keeps when an event came, and what became of it. */
  readonly noted?: (deps: Deps, subject: Subject, delivery: DeliveryNote) => Promise<void>;
}

/**
 * Takes signed events of the card processor. Whatever it cannot use it answers like what it used: only a
 * failure of our own makes the processor deliver the event again.
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
      const body = rawBody(event, LARGEST_BODY_BYTES);
      const subject = await subjectOf(deps, event.pathParameters ?? {});
      if (subject === undefined) throw signatureInvalid();
      const signature = event.headers['stripe-signature'];
      if (!isSigned(body, signature, await secrets(deps, subject), deps.now)) {
        // Nobody else tells the operator that a brand has pasted the wrong secret.
        deps.log.warn('webhook_refused', { program_id: deps.logContext.programId });
        await noted?.(deps, subject, 'badSignature');
        throw signatureInvalid();
      }
      // Only now: whoever cannot sign must not use up what the processor may send.
      const admitted = countedAs
        ? countedOrRefused(deps, rateLimits.processorEvent, countedAs(subject))
        : Promise.resolve();
      // Awaited in `run`, beside its own first reads.
      admitted.catch(() => undefined);
      const received = readEvent(jsonObject(body.toString()));
      if (!received) await admitted;
      else {
        const ignored = await run(deps, received, subject, admitted);
        await noted?.(deps, subject, { type: received.type, outcome: ignored ?? 'processed' });
      }
      return { statusCode: 200, headers: {}, body: { received: true } satisfies ReceivedEvent };
    },
  });
