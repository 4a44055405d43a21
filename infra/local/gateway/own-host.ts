import type { IncomingMessage } from 'node:http';

/**
 * Whether a request names this machine and the port it came to. A page of another site whose name resolves to this
 * machine (DNS rebinding) sends its own name, and so cannot use local routes.
 */
export const isForOwnHost = ({ headers, socket }: IncomingMessage): boolean => isOwn(headers.host, socket);

/** Whether a page of another site sends the request: a browser names the page's origin with all that changes something. */
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
