import { afterAll } from 'vitest';
import { opened } from '#test/support/cases/opened.ts';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server replies, byte by byte. `drop` closes the connection without a reply, and `hang` never replies. */
type ScriptedReply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | 'drop'
  | 'hang';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Starts a real HTTP server that gives the replies which a test sets, in order. It records the requests. */
export async function openScriptedServer() {
  const script: ScriptedReply[] = [];
  const requests: ReceivedRequest[] = [];
  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { method, url: path, headers } = request;
    requests.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) });
    const reply = script.shift() ?? { status: 599, body: { error: { message: 'The script has no more replies' } } };
    if (reply === 'hang') return;
    if (reply === 'drop') {
      request.socket.destroy();
      return;
    }
    const { status = 200, headers: ownHeaders = {}, body = {} } = reply;
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...ownHeaders });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  const server = createServer((request, response) => void answerTo(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Sets the next replies, and forgets the requests received so far. */
    answer(...replies: ScriptedReply[]) {
      script.splice(0, script.length, ...replies);
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type ScriptedServer = Awaited<ReturnType<typeof openScriptedServer>>;

/** Starts a scripted server before the tests of a file. */
export function openedScriptedServer(): ScriptedServer {
  const server = opened(openScriptedServer);
  afterAll(() => server.close());
  return server;
}

/** A refusal in the error format of the tracking endpoints. */
export const refusal = (status: number, message: string, more: { code?: string; details?: object } = {}) => ({
  status,
  headers: { 'X-Request-ID': 'f'.repeat(32) },
  body: { data: null, error: { status, name: 'AnyError', message, details: {}, ...more } },
});
