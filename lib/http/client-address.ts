import type { Deps } from '#lib/deps.ts';
import { isEdgeSecret } from '#lib/store/edge.ts';
import type { Call } from '#lib/http/call.ts';
import { edgeHeaders } from '#lib/http/edge-headers.ts';
import { addressFromProxy } from '#lib/http/proxy-address.ts';

/** A secret that was found good is not looked up again for so long. */
const TRUSTED_MS = 5 * 60_000;

let trusted: { readonly secret: string; readonly until: number } | undefined;

/**
 * The address of the client: as the edge tells it, where the edge's secret proves that it does; of any other request
 * that of the connection. Whoever calls the gateway itself can so claim no other address.
 */
export async function clientAddress({ event, deps }: Pick<Call, 'event' | 'deps'>): Promise<string> {
  const told = addressFromProxy({ event, deps });
  if (told !== undefined) return told;
  const { [edgeHeaders.address]: address, [edgeHeaders.secret]: secret } = event.headers;
  const isEdge = address && secret && (await isTrusted(deps, secret));
  return isEdge ? address : event.requestContext.http.sourceIp;
}

/** Only good secrets are remembered: one that is new must count from its first request on. */
async function isTrusted({ table, now }: Deps, secret: string): Promise<boolean> {
  if (trusted?.secret === secret && trusted.until > now.getTime()) return true;
  if (!(await isEdgeSecret(table, secret))) return false;
  trusted = { secret, until: now.getTime() + TRUSTED_MS };
  return true;
}
