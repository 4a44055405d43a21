import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { type FactType, factTypes } from '#lib/service/outbox/facts/fact.ts';
import { webhookNotFound, webhooksFull } from '#lib/service/ground/values/refusals.ts';

/** Endpoints of one program. */
export const MOST_ENDPOINTS = 10;

export const endpointStatuses = ['active', 'paused', 'disabled'] as const;
type EndpointStatus = (typeof endpointStatuses)[number];

/** All types but clicks, which have to be named. */
export const ALL_EVENTS = '*';

/** What an endpoint may name. A test is sent to the endpoint it is of. */
export const eventNames = [ALL_EVENTS, ...factTypes.filter((type) => type !== 'endpoint.test')] as const;

/** A secret with which deliveries are signed. */
export interface EndpointSecret {
  /** By the vault, for the program. */
  readonly sealed: string;
  /** When a replaced one no longer signs, ISO 8601; absent on the newest. */
  readonly until?: string;
}

/** Where a program's facts are sent. Times are ISO 8601. */
export interface WebhookEndpoint {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly events: readonly (FactType | typeof ALL_EVENTS)[];
  readonly status: EndpointStatus;
  readonly disabledReason?: string;
  /** Of the first failure since the last success. */
  readonly failingSince?: string;
  /** Newest first. */
  readonly secrets: readonly EndpointSecret[];
  readonly createdAt: string;
}

/** The endpoints of a program are one item, written as a whole while its version is the one that was read. */
export interface Webhooks {
  readonly version: number;
  readonly endpoints: readonly WebhookEndpoint[];
}

/** Whether an endpoint gets facts of a type. Clicks are too many to be sent to whoever has not named them. */
export const isWanted = ({ events }: Pick<WebhookEndpoint, 'events'>, type: FactType): boolean =>
  type === 'endpoint.test' || events.includes(type) || (type !== 'click.recorded' && events.includes(ALL_EVENTS));

/**
 * Whether a replay of a range sends facts of a type to an endpoint: those that it subscribes to. Tests are of one
 * endpoint each, and are sent again one by one.
 * @param only the one type that is wanted
 */
export const isReplayed = (endpoint: Pick<WebhookEndpoint, 'events'>, type: FactType, only = type): boolean =>
  type === only && type !== 'endpoint.test' && isWanted(endpoint, type);

/** @param id undefined when what was sent cannot be an id @throws Refusal */
export function endpointWithId({ endpoints }: Webhooks, id: number | undefined): WebhookEndpoint {
  const endpoint = endpoints.find((one) => one.id === id);
  if (!endpoint) throw webhookNotFound();
  return endpoint;
}

/** @throws Refusal when there is no place for one more */
export function withNewEndpoint({ endpoints }: Webhooks, endpoint: WebhookEndpoint): readonly WebhookEndpoint[] {
  if (endpoints.length >= MOST_ENDPOINTS) throw webhooksFull(MOST_ENDPOINTS);
  return [...endpoints, endpoint];
}

/** What an owner changes of an endpoint. Only the service disables one. */
export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'events' | 'description'>> & {
  readonly status?: 'active' | 'paused';
};

/** What is known of its health goes with the state or the address that it was observed in. */
export function changedEndpoint(before: WebhookEndpoint, change: EndpointChange): WebhookEndpoint {
  const after = { ...before, ...change };
  const isAsBefore = after.status === before.status && after.url === before.url;
  return {
    ...after,
    disabledReason: after.status === 'disabled' ? before.disabledReason : undefined,
    failingSince: isAsBefore ? before.failingSince : undefined,
  };
}

/** How long a replaced secret goes on signing, so that the receiver can roll over without losing an event. */
const ROLL_OVER_MS = DAY_MS;
/** Each signs each delivery. */
const MOST_SECRETS = 5;

/** An endpoint with a new secret in front of the former ones that still sign. */
export function withNewSecret(endpoint: WebhookEndpoint, sealed: string, now: Date): WebhookEndpoint {
  const until = new Date(now.getTime() + ROLL_OVER_MS).toISOString();
  const former = secretsInForce(endpoint, now).map((secret) => ({ until, ...secret }));
  return { ...endpoint, secrets: [{ sealed }, ...former].slice(0, MOST_SECRETS) };
}

/** The secrets with which an endpoint's deliveries are signed: also a replaced one, until its time is over. */
export const secretsInForce = ({ secrets }: Pick<WebhookEndpoint, 'secrets'>, now: Date): readonly EndpointSecret[] =>
  secrets.filter(({ until }) => until === undefined || until > now.toISOString());
