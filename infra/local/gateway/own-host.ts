import type { IncomingMessage } from 'node:http';

/**
 * Whether the request's Host header names this machine and the server's port. This stops DNS rebinding: a page of
 * another site can make its host name resolve to this machine, but its requests still contain that host name.
 */
export const isForOwnHost = ({ headers, socket }: IncomingMessage): boolean => isOwn(headers.host, socket);

/**
 * Whether a page of another site sent the request. Browsers send the page's origin with every request that may change
 * something.
 */
export function isFromForeignPage({ headers, socket }: IncomingMessage): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  return !(URL.canParse(origin) && isOwn(new URL(origin).host, socket));
}

function isOwn(host: string | undefined, { localPort }: IncomingMessage['socket']): boolean {
  const [, port = '80'] = OWN_HOST.exec(host ?? '') ?? [undefined, ''];
  return port === String(localPort);
}

const OWN_HOST = /^(?:127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)*localhost)(?::(\d+))?$/i;
