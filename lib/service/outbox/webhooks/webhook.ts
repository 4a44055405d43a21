import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { type FactType, factTypes } from '#lib/service/outbox/facts/fact.ts';
import { webhookNotFound, webhooksFull } from '#lib/service/ground/values/refusals.ts';

/** Maximum number of endpoints of one program. */
export const MOST_ENDPOINTS = 10;

export const endpointStatuses = ['active', 'paused', 'disabled'] as const;
type EndpointStatus = (typeof endpointStatuses)[number];

/** Subscribes to all event types except clicks. An endpoint must subscribe to clicks by their name. */
export const ALL_EVENTS = '*';

/** The event types that an endpoint can subscribe to. Test events are always sent. */
export const eventNames = [ALL_EVENTS, ...factTypes.filter((type) => type !== 'endpoint.test')] as const;

/** A secret with which deliveries are signed. */
export interface EndpointSecret {
  /** The secret, encrypted with the program's key (see vault.ts). */
  readonly sealed: string;
  /** When a replaced secret stops signing, ISO 8601; undefined for the newest. */
  readonly until?: string;
}

/** A URL to which a program's facts are sent. Times are ISO 8601. */
export interface WebhookEndpoint {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly events: readonly (FactType | typeof ALL_EVENTS)[];
  readonly status: EndpointStatus;
  readonly disabledReason?: string;
  /** The time of the first failure since the last success; undefined if the last attempt succeeded. */
  readonly failingSince?: string;
  /** The secrets of the endpoint, newest first. */
  readonly secrets: readonly EndpointSecret[];
  readonly createdAt: string;
}

/**
 * All endpoints of a program, which are one item. The item is replaced as a whole, on the condition that its version is
 * unchanged.
 */
export interface Webhooks {
  readonly version: number;
  readonly endpoints: readonly WebhookEndpoint[];
}

/** Whether an endpoint is subscribed to an event type. `*` does not include clicks, because there are too many. */
export const isWanted = ({ events }: Pick<WebhookEndpoint, 'events'>, type: FactType): boolean =>
  type === 'endpoint.test' || events.includes(type) || (type !== 'click.recorded' && events.includes(ALL_EVENTS));

/**
 * Whether a replay of a range sends facts of a type: only of types to which the endpoint is subscribed, and no test
 * events, which can only be replayed one by one.
 * @param only the requested type, if a single type is requested
 */
export const isReplayed = (endpoint: Pick<WebhookEndpoint, 'events'>, type: FactType, only = type): boolean =>
  type === only && type !== 'endpoint.test' && isWanted(endpoint, type);

/**
 * Finds an endpoint of the program by its id.
 * @param id undefined if the sent value cannot be an id
 * @throws Refusal if there is no such endpoint
 */
export function endpointWithId({ endpoints }: Webhooks, id: number | undefined): WebhookEndpoint {
  const endpoint = endpoints.find((one) => one.id === id);
  if (!endpoint) throw webhookNotFound();
  return endpoint;
}

/** Adds an endpoint to those of the program. @throws Refusal if the program has the maximum number of endpoints */
export function withNewEndpoint({ endpoints }: Webhooks, endpoint: WebhookEndpoint): readonly WebhookEndpoint[] {
  if (endpoints.length >= MOST_ENDPOINTS) throw webhooksFull(MOST_ENDPOINTS);
  return [...endpoints, endpoint];
}

/** The changes that an owner can make. Only the service sets `disabled`. */
export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'events' | 'description'>> & {
  readonly status?: 'active' | 'paused';
};

/** The endpoint after a change. If its status or URL changes, its failures are forgotten. */
export function changedEndpoint(before: WebhookEndpoint, change: EndpointChange): WebhookEndpoint {
  const after = { ...before, ...change };
  const isAsBefore = after.status === before.status && after.url === before.url;
  return {
    ...after,
    disabledReason: after.status === 'disabled' ? before.disabledReason : undefined,
    failingSince: isAsBefore ? before.failingSince : undefined,
  };
}

/**
 * How long deliveries are also signed with a replaced secret, so that the receiver can switch to the new one without
 * losing an event.
 */
const ROLL_OVER_MS = DAY_MS;
/** The number is limited, because every secret signs every delivery. */
const MOST_SECRETS = 5;

/** Adds a new secret to an endpoint. Former secrets that still sign deliveries follow it, each with its expiry. */
export function withNewSecret(endpoint: WebhookEndpoint, sealed: string, now: Date): WebhookEndpoint {
  const until = new Date(now.getTime() + ROLL_OVER_MS).toISOString();
  const former = secretsInForce(endpoint, now).map((secret) => ({ until, ...secret }));
  return { ...endpoint, secrets: [{ sealed }, ...former].slice(0, MOST_SECRETS) };
}

/** The secrets with which an endpoint's deliveries are signed: the newest, and replaced ones that have not expired. */
export const secretsInForce = ({ secrets }: Pick<WebhookEndpoint, 'secrets'>, now: Date): readonly EndpointSecret[] =>
  secrets.filter(({ until }) => until === undefined || until > now.toISOString());
