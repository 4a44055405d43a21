import type { IncomingMessage } from 'node:http';

/**
 * Whether a request names this machine and the port it came to. A page of another site whose name resolves to this
 * machine (DNS rebinding) sends its own name, and so cannot use local routes.
 */
export function isForOwnHost({ headers, socket }: IncomingMessage): boolean {
  const [, port = '80'] = OWN_HOST.exec(headers.host ?? '') ?? [undefined, ''];
  return port === String(socket.localPort);
}

const OWN_HOST = /^(?:127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)*localhost)(?::(\d+))?$/i;
