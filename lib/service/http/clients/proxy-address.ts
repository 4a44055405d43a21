import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

/**
 * The visitor's address from a brand's own proxy: the first entry of `X-Forwarded-For`, accepted only with a configured
 * secret.
 * @returns undefined for all other callers
 */
export function addressFromProxy({ event, deps }: Pick<RequestContext, 'event' | 'deps'>): string | undefined {
  const { 'x-service-proxy-secret': secret, 'x-forwarded-for': forwarded } = event.headers;
  if (!secret || !forwarded || !isProxySecret(secret, deps.config.proxySecretHashes)) return undefined;
  const address = forwarded.split(',', 1)[0]!.trim();
  // Node accepts IPv4 only as four decimal numbers, but IPv6 also with a zone, which names an interface of one machine.
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

function isProxySecret(secret: string, hashes: readonly string[]): boolean {
  const presented = createHash('sha256').update(secret).digest();
  return hashes.some((hash) => {
    const known = Buffer.from(hash, 'hex');
    return known.length === presented.length && timingSafeEqual(known, presented);
  });
}
