import type { FactType } from '#lib/service/outbox/facts/fact.ts';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One request to an endpoint. Times are ISO 8601. */
export interface DeliveryAttempt {
  readonly at: string;
  /** The HTTP status of the response; undefined if there was no response. */
  readonly statusCode?: number;
  /** Why the attempt failed, as a text for people. */
  readonly error?: string;
  readonly durationMs: number;
  /** The beginning of the response body, at most 1 KB. */
  readonly response?: string;
}

/**
 * The delivery of a fact to an endpoint. There is one such item per endpoint and fact, even if the fact is sent several
 * times.
 */
export interface Delivery {
  /** The id from `deliveryIdOf(factId)`, unique within its endpoint. */
  readonly id: string;
  readonly endpointId: number;
  readonly programId: number;
  readonly factId: string;
  readonly type: FactType;
  readonly status: DeliveryStatus;
  /** The latest attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Number of failed attempts since the delivery was last queued. It decides how long the next attempt is delayed. */
  readonly failures: number;
  /** When the next attempt is due; undefined if no further attempt is planned. */
  readonly nextAttemptAt?: string;
  /** When the stored responses were removed because a customer was erased. */
  readonly erasedAt?: string;
  /** Set if the delivery had to wait because its host had reached the service's rate limit. */
  readonly isSlowed?: true;
  readonly createdAt: string;
}

export const deliveryIdOf = (factId: string): string => factId.replace(/^evt_/, 'dlv_');
export const factIdOfDelivery = (deliveryId: string): string => deliveryId.replace(/^dlv_/, 'evt_');

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay of the next attempt after each failure. After the last delay, there is no further attempt. */
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
/** Each delay is varied at random by up to this fraction, so that joint failures are not retried together. */
const SPREAD = 0.1;
/** The longest `Retry-After` that is respected. If an endpoint sends a longer one, this time is used. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;
/** If all requests to an endpoint have failed for this time, it is disabled. */
const LONGEST_FAILURE_MS = 5 * 24 * HOUR_MS;

const MOST_ATTEMPTS = 20;
/** Only the latest attempts keep their responses, because every attempt rewrites the whole delivery. */
const MOST_RESPONSES = 3;

const GONE = 410;

/** The result of an attempt. */
export interface AttemptOutcome extends Omit<DeliveryAttempt, 'at'> {
  /** The value of the response's `Retry-After` header. */
  readonly retryAfter?: string;
}

export const isDelivered = ({ statusCode = 0 }: Pick<DeliveryAttempt, 'statusCode'>): boolean =>
  statusCode >= 200 && statusCode < 300;

/**
 * The delivery after an attempt.
 * @param at when the attempt started
 * @param random a random number from 0 to 1
 */
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

/** Parses the `Retry-After` header, which contains seconds or an HTTP date. Other values are ignored. */
function retryAfterMs(text = '', nowMs: number): number {
  const wantedMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isNaN(wantedMs) ? 0 : Math.min(wantedMs, LONGEST_RETRY_AFTER_MS);
}

/** The delivery after it was given up: no further attempt is made. */
export const givenUp = (delivery: Delivery): Delivery => ({ ...delivery, status: 'failed', nextAttemptAt: undefined });

type Health = Pick<WebhookEndpoint, 'status' | 'failingSince' | 'disabledReason'>;

/** The endpoint after an attempt, or the same object if nothing changes. @param at when the attempt started */
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
