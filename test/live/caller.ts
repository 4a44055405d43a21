import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { hold } from '#test/live/hold.ts';

export interface Request {
  /** HTTP method. Default: POST. */
  readonly method?: string;
  /** The request target, which is sent unchanged. */
  readonly path: string;
  /** A credential, which is sent as `Authorization: Bearer <key>`. */
  readonly key?: string;
  /** The body. An object is sent as JSON, bytes unchanged. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each caller knows the shape of its reply
  readonly body: any;
}

/** Sends one request once. Rejects if there is no reply. */
export type Call = (request: Request) => Promise<Reply>;

/**
 * After this time, idle sockets are closed. The server would close them later, possibly just when a request is sent.
 */
const IDLE_SOCKET_MS = 2_000;

/** Returns a function that calls a service over this many connections. Each request has a different client address. */
export function openCaller(baseUrl: string, sockets: number): { call: Call; close: () => void } {
  const { hostname: host, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, timeout: IDLE_SOCKET_MS });

  const call: Call = ({ method = 'POST', path, key, body, headers }) => {
    const payload = body === undefined || body instanceof Buffer ? body : Buffer.from(JSON.stringify(body));
    const all = {
      'content-type': 'application/json',
      'x-forwarded-for': freshAddress(),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      // Node does not set this header itself for methods that seldom have a body.
      ...(payload && { 'content-length': String(payload.length) }),
      ...headers,
    };
    return new Promise<Reply>((resolve, reject) => {
      httpRequest({ agent, host, port, method, path, headers: all }, (response) => {
        const { statusCode = 0, headers: received } = response;
        let content = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (content += part))
          .on('end', () => resolve({ status: statusCode, headers: received, text: content, body: parsed(content) }))
          .on('error', reject);
      })
        .on('error', reject)
        .end(payload);
    });
  };
  return { call, close: () => agent.destroy() };
}

export async function succeed(call: Call, request: Request): Promise<Reply['body']> {
  const { status, text: content, body } = await call(request);
  hold(status === 200, `${request.method ?? 'POST'} ${request.path} answered ${status}: ${content}`);
  return body;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

let addresses = 0;

/** Returns a client address that was not used before, so that its rate limits are not reached. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
