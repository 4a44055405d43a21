import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { textOf } from '#lib/service/ground/values/identifier.ts';
import { edgeOnly } from '#lib/service/ground/values/refusals.ts';
import { isEdgeSecret } from '#lib/service/ground/counters/edge-items.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import { edgeHeaders } from '#lib/service/ground/config/edge-headers.ts';
import { addressFromProxy } from '#lib/service/http/clients/proxy-address.ts';

type EdgeRequest = Pick<RequestContext, 'event' | 'deps'>;

/** How long a verified secret is cached. */
const TRUSTED_MS = 5 * 60_000;

const LONGEST_PLACE = 100;

/** The secret that this container verified last. */
const lastTrusted = (): { secret?: string; until: number } => ({ until: 0 });

/**
 * The address of the client: the one that the edge forwards if the request has the edge's secret, else the address of
 * the connection. A client that calls the gateway directly therefore cannot claim another address.
 */
export async function clientAddress({ event, deps }: EdgeRequest): Promise<string> {
  const forwarded = addressFromProxy({ event, deps });
  if (forwarded !== undefined) return forwarded;
  const { [edgeHeaders.address]: address, [edgeHeaders.secret]: secret } = event.headers;
  const isEdge = address && secret && (await isTrusted(deps, secret));
  return isEdge ? address : event.requestContext.http.sourceIp;
}

/** The location of the client, such as `Lisbon, Portugal`, if the edge supplies it. */
export async function clientPlace({ event, deps }: EdgeRequest): Promise<string | undefined> {
  const { [edgeHeaders.place]: place, [edgeHeaders.secret]: secret } = event.headers;
  return place && secret && (await isTrusted(deps, secret)) ? textOf(place, LONGEST_PLACE) : undefined;
}

/** Whether the request has no secret of the edge. Reads nothing from the table. */
export const lacksEdgeSecret = ({ event, deps }: EdgeRequest): boolean =>
  deps.config.isEdgeOnly && !event.headers[edgeHeaders.secret];

/** Starts the lookup of the edge's secret together with the request's other reads, in the same call to the table. */
export function readAheadEdgeSecret({ event, deps }: EdgeRequest): void {
  if (!deps.config.isEdgeOnly) return;
  // The code that awaits the result receives the failure.
  isTrusted(deps, event.headers[edgeHeaders.secret]!).catch(() => undefined);
}

/**
 * Refuses requests that bypass the edge if the installation requires the edge: requests to the gateway's own address
 * would bypass its web ACL. If the lookup of the secret fails, all requests pass, so that a failure loses no sale.
 * @throws Refusal
 */
export async function refuseAroundEdge({ event, deps }: EdgeRequest): Promise<void> {
  if (!deps.config.isEdgeOnly) return;
  try {
    if (await isTrusted(deps, event.headers[edgeHeaders.secret]!)) return;
  } catch (error) {
    deps.log.error('edge_unchecked', error);
    return;
  }
  // This log line is the operator's only sign that the table does not know the edge's secret.
  deps.log.warn('edge_secret_unknown');
  throw edgeOnly(deps.config.baseUrl);
}

/**
 * Whether the table knows the edge's secret. Only valid secrets are cached, because a new one must work from its first
 * request on.
 */
async function isTrusted({ table, now, once }: Deps, secret: string): Promise<boolean> {
  const trusted = once(lastTrusted);
  if (trusted.secret === secret && trusted.until > now.getTime()) return true;
  if (!(await isEdgeSecret(table, secret))) return false;
  Object.assign(trusted, { secret, until: now.getTime() + TRUSTED_MS });
  return true;
}
