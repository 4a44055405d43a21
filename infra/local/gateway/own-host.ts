import type { IncomingMessage } from 'node:http';

/**
 * Whether the Host header names this machine and the port used. With DNS rebinding, a page of another site resolves to
 * this machine but sends its own host name, and so cannot use local routes.
 */
export const isForOwnHost = ({ headers, socket }: IncomingMessage): boolean => isOwn(headers.host, socket);

/**
 * Whether a page of another site sent the request. Browsers send the page's origin with all requests that may change
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
