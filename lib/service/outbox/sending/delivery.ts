import type { FactType } from '#lib/service/outbox/facts/fact.ts';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One request to an endpoint. Times are ISO 8601. */
export interface DeliveryAttempt {
  readonly at: string;
  /** Absent: no answer came. */
  readonly statusCode?: number;
  /** Why it failed, for a person. */
  readonly error?: string;
  readonly durationMs: number;
  /** The beginning of the answer's body, at most 1 kB. */
  readonly response?: string;
}

/** A fact on its way to an endpoint. An endpoint has one delivery of each fact, however often it is sent. */
export interface Delivery {
  /** `deliveryIdOf(factId)`: one for each fact, within its endpoint. */
  readonly id: string;
  readonly endpointId: number;
  readonly programId: number;
  readonly factId: string;
  readonly type: FactType;
  readonly status: DeliveryStatus;
  /** Oldest first; of many, the latest. */
  readonly attempts: readonly DeliveryAttempt[];
  /** How many attempts since it was last queued failed: it decides when the next comes. */
  readonly failures: number;
  /** Absent: there will be none. */
  readonly nextAttemptAt?: string;
  /** When what was answered until then was removed: a person was erased. */
  readonly erasedAt?: string;
  /** It had to wait because its host got as many requests as the service makes in a second. */
  readonly isSlowed?: true;
  readonly createdAt: string;
}

export const deliveryIdOf = (factId: string): string => factId.replace(/^evt_/, 'dlv_');
export const factIdOfDelivery = (deliveryId: string): string => deliveryId.replace(/^dlv_/, 'evt_');

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after each failure the next attempt is made; after the last of them there is none. */
const RETRY_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Each is longer or shorter by up to this part, so that what failed together does not come together again. */
const SPREAD = 0.1;
/** The longest that an endpoint may ask for. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;
/** An endpoint that has only failed for so long is disabled. */
const LONGEST_FAILURE_MS = 5 * 24 * HOUR_MS;

const MOST_ATTEMPTS = 20;
/** Of the latest attempts alone the answers are kept: each attempt writes all of the delivery again. */
const MOST_RESPONSES = 3;

const GONE = 410;

/** How an attempt ended. */
export interface AttemptOutcome extends Omit<DeliveryAttempt, 'at'> {
  /** The answer's header. */
  readonly retryAfter?: string;
}

export const isDelivered = ({ statusCode = 0 }: Pick<DeliveryAttempt, 'statusCode'>): boolean =>
  statusCode >= 200 && statusCode < 300;

/** A delivery after an attempt. @param at when the attempt began @param random from 0 to 1 */
export function afterAttempt(
  delivery: Delivery,
  { retryAfter, ...attempt }: AttemptOutcome,
  at: Date,
  random: number,
): Delivery {
  const { nextAttemptAt: _, ...rest } = delivery;
  const attempts = [...delivery.attempts, { ...attempt, at: at.toISOString() }].slice(-MOST_ATTEMPTS).map(shortened);
  if (isDelivered(attempt)) return { ...rest, attempts, status: 'delivered', failures: 0 };
  const failures = delivery.failures + 1;
  const waitMs = RETRY_MS[failures - 1];
  if (attempt.statusCode === GONE || waitMs === undefined) return { ...rest, attempts, status: 'failed', failures };
  const endedAt = at.getTime() + attempt.durationMs;
  const spreadMs = waitMs * (1 - SPREAD + 2 * SPREAD * random);
  const nextMs = endedAt + Math.round(Math.max(spreadMs, retryAfterMs(retryAfter, endedAt)));
  return { ...rest, attempts, failures, nextAttemptAt: new Date(nextMs).toISOString() };
}

const shortened = (attempt: DeliveryAttempt, index: number, { length }: { readonly length: number }) => {
  const { response, ...rest } = attempt;
  return index < length - MOST_RESPONSES || response === undefined ? rest : attempt;
};

/** Seconds or a date, as HTTP has it; anything else counts as absent. */
function retryAfterMs(text = '', nowMs: number): number {
  const wantedMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isNaN(wantedMs) ? 0 : Math.min(wantedMs, LONGEST_RETRY_AFTER_MS);
}

/** A delivery that is not attempted any more. */
export const givenUp = (delivery: Delivery): Delivery => ({ ...delivery, status: 'failed', nextAttemptAt: undefined });

type Health = Pick<WebhookEndpoint, 'status' | 'failingSince' | 'disabledReason'>;

/** An endpoint after an attempt; the same object when nothing changes. @param at when the attempt began */
export function healthAfter<Endpoint extends Health>(
  endpoint: Endpoint,
  attempt: Pick<DeliveryAttempt, 'statusCode'>,
  at: Date,
): Endpoint {
  if (endpoint.status === 'disabled') return endpoint;
  if (isDelivered(attempt)) {
    return endpoint.failingSince === undefined ? endpoint : { ...endpoint, failingSince: undefined };
  }
  const failingSince = endpoint.failingSince ?? at.toISOString();
  const disabledReason = reasonToDisable(attempt, at.getTime() - Date.parse(failingSince));
  if (disabledReason) return { ...endpoint, failingSince, status: 'disabled', disabledReason };
  return endpoint.failingSince === failingSince ? endpoint : { ...endpoint, failingSince };
}

function reasonToDisable({ statusCode }: Pick<DeliveryAttempt, 'statusCode'>, failingMs: number): string | undefined {
  if (statusCode === GONE) return 'It answered 410 Gone';
  return failingMs >= LONGEST_FAILURE_MS ? 'Nothing was delivered for five days' : undefined;
}
