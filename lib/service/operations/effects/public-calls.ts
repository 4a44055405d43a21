import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Deps } from '#lib/service/ground/effects/deps.ts';

/** A reply of the installation to a call from outside AWS. */
export interface PublicReply {
  readonly status: number;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** Below the gateway's limit of 30 seconds, because all calls of a run must fit into the function's time. */
const TIMEOUT_MS = 12_000;

const signalOf = ({ deadline }: Pick<Deps, 'deadline'>): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(deadline ? [deadline] : [])]);

/** Posts to the installation's public URL with a program key. @throws Error if there is no reply in time */
export async function postPublicly(
  deps: Pick<Deps, 'config' | 'deadline'>,
  path: string,
  { key, body }: { readonly key: string; readonly body: object },
): Promise<PublicReply> {
  const reply = await fetch(`${deps.config.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'User-Agent': 'ReferralTracking-Canary',
    },
    body: JSON.stringify(body),
    // A redirect is an error, because following it would send the key to another URL.
    redirect: 'error',
    signal: signalOf(deps),
  });
  const text = await reply.text();
  try {
    return { status: reply.status, body: JSON.parse(text) };
  } catch {
    return { status: reply.status, body: undefined };
  }
}

/**
 * When the certificate at the installation's public URL expires.
 * @returns undefined if the URL is not https, as in a local run
 * @throws Error if there is no valid certificate
 */
export async function certificateExpiry(deps: Pick<Deps, 'config' | 'deadline'>): Promise<Date | undefined> {
  const { protocol, hostname, port } = new URL(deps.config.baseUrl);
  if (protocol !== 'https:') return undefined;
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname });
  try {
    await once(socket, 'secureConnect', { signal: signalOf(deps) });
    return new Date(socket.getPeerCertificate().valid_to);
  } finally {
    socket.destroy();
  }
}
