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
 * The address of the client: the one that CloudFront forwards if the request contains CloudFront's secret, otherwise
 * the address of the connection. So a client that calls the gateway directly cannot pretend to have another address.
 */
export async function clientAddress({ event, deps }: EdgeRequest): Promise<string> {
  const forwarded = addressFromProxy({ event, deps });
  if (forwarded !== undefined) return forwarded;
  const { [edgeHeaders.address]: address, [edgeHeaders.secret]: secret } = event.headers;
  const isEdge = address && secret && (await isTrusted(deps, secret));
  return isEdge ? address : event.requestContext.http.sourceIp;
}

/** The location of the client, such as `Lisbon, Portugal`, if CloudFront supplies it. */
export async function clientPlace({ event, deps }: EdgeRequest): Promise<string | undefined> {
  const { [edgeHeaders.place]: place, [edgeHeaders.secret]: secret } = event.headers;
  return place && secret && (await isTrusted(deps, secret)) ? textOf(place, LONGEST_PLACE) : undefined;
}

/** Whether the request does not contain CloudFront's secret. Reads nothing from the table. */
export const lacksEdgeSecret = ({ event, deps }: EdgeRequest): boolean =>
  deps.config.isEdgeOnly && !event.headers[edgeHeaders.secret];

/**
 * Starts the lookup of the request's CloudFront secret, so that it is in the same call to the table as the request's
 * other reads.
 */
export function readAheadEdgeSecret({ event, deps }: EdgeRequest): void {
  if (!deps.config.isEdgeOnly) return;
  // The code that awaits the result handles the failure.
  isTrusted(deps, event.headers[edgeHeaders.secret]!).catch(() => undefined);
}

/**
 * Refuses requests that bypass CloudFront, if the installation requires CloudFront: a request to the gateway's own
 * address would also bypass the firewall (web ACL). If the secret cannot be looked up, all requests pass, so that no
 * sale is lost.
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
  // Logged because nothing else shows the operator that the table does not contain CloudFront's secret.
  deps.log.warn('edge_secret_unknown');
  throw edgeOnly(deps.config.baseUrl);
}

/**
 * Whether the request's CloudFront secret is valid. Only valid secrets are cached, so that a new secret works from its
 * first request on.
 */
async function isTrusted({ table, now, once }: Deps, secret: string): Promise<boolean> {
  const trusted = once(lastTrusted);
  if (trusted.secret === secret && trusted.until > now.getTime()) return true;
  if (!(await isEdgeSecret(table, secret))) return false;
  Object.assign(trusted, { secret, until: now.getTime() + TRUSTED_MS });
  return true;
}
