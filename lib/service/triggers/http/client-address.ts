import type { Deps } from '#lib/service/deps.ts';
import { edgeOnly } from '#lib/domain/refusals.ts';
import { isEdgeSecret } from '#lib/service/store/edge.ts';
import type { RequestContext } from '#lib/service/triggers/http/request-context.ts';
import { edgeHeaders } from '#lib/service/config/edge-headers.ts';
import { addressFromProxy } from '#lib/service/triggers/http/proxy-address.ts';

type EdgeRequest = Pick<RequestContext, 'event' | 'deps'>;

/** A secret that was found good is not looked up again for so long. */
const TRUSTED_MS = 5 * 60_000;

/** The secret that this container found good last. */
const lastTrusted = (): { secret?: string; until: number } => ({ until: 0 });

/**
 * The address of the client: as the edge tells it, where the edge's secret proves that it does; of any other request
 * that of the connection. Whoever calls the gateway itself can so claim no other address.
 */
export async function clientAddress({ event, deps }: EdgeRequest): Promise<string> {
  const told = addressFromProxy({ event, deps });
  if (told !== undefined) return told;
  const { [edgeHeaders.address]: address, [edgeHeaders.secret]: secret } = event.headers;
  const isEdge = address && secret && (await isTrusted(deps, secret));
  return isEdge ? address : event.requestContext.http.sourceIp;
}

/** Says so at once where a request brings no secret at all, before anything is read for it. */
export const lacksEdgeSecret = ({ event, deps }: EdgeRequest): boolean =>
  deps.config.isEdgeOnly && !event.headers[edgeHeaders.secret];

/** Starts the look-up beside the request's other reads, in the same call to the table. */
export function readAheadEdgeSecret({ event, deps }: EdgeRequest): void {
  if (!deps.config.isEdgeOnly) return;
  // A failed read is told to whoever awaits it.
  isTrusted(deps, event.headers[edgeHeaders.secret]!).catch(() => undefined);
}

/**
 * Lets only the edge pass, where the installation says so: its own address would be a way around what guards the edge.
 * A failed look-up lets everybody pass: it must not cost a sale. @throws Refusal
 */
export async function refuseAroundEdge({ event, deps }: EdgeRequest): Promise<void> {
  if (!deps.config.isEdgeOnly) return;
  try {
    if (await isTrusted(deps, event.headers[edgeHeaders.secret]!)) return;
  } catch (error) {
    deps.log.error('edge_unchecked', error);
    return;
  }
  // Nobody else tells the operator when it is the edge itself whose secret the table does not know.
  deps.log.warn('edge_secret_unknown');
  throw edgeOnly(deps.config.baseUrl);
}

/** Only good secrets are remembered: one that is new must count from its first request on. */
async function isTrusted({ table, now, once }: Deps, secret: string): Promise<boolean> {
  const trusted = once(lastTrusted);
  if (trusted.secret === secret && trusted.until > now.getTime()) return true;
  if (!(await isEdgeSecret(table, secret))) return false;
  Object.assign(trusted, { secret, until: now.getTime() + TRUSTED_MS });
  return true;
}
