import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A table call that the proxy has received. */
export interface EngineCall {
  /** Name of the operation, for example `PutItem`. */
  readonly operation: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface EngineReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer | string;
}

/** Sends a call to the engine. @param body replaces the call's own body */
export type Forward = (call: EngineCall, body?: object) => Promise<EngineReply>;

export interface EngineProxy {
  readonly endpoint: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts an HTTP server between the service and the engine.
 * @param answer returns the reply for a call; if undefined, the connection is closed without a reply
 */
export async function openEngineProxy(
  engineUrl: string,
  answer: (call: EngineCall, forward: Forward) => Promise<EngineReply | undefined>,
): Promise<EngineProxy> {
  const agent = new Agent({ keepAlive: true });

  const forward: Forward = ({ headers, body }, other) =>
    new Promise((resolve, reject) => {
      const payload = other === undefined ? body : Buffer.from(JSON.stringify(other));
      const sent = { ...headers, 'content-length': String(payload.length) };
      httpRequest(engineUrl, { agent, method: 'POST', headers: sent }, (response) => {
        const { statusCode: status = 500, headers: received } = response;
        buffer(response).then((content) => resolve({ status, headers: received, body: content }), reject);
      })
        .on('error', reject)
        .end(payload);
    });

  async function reply(call: EngineCall, response: ServerResponse): Promise<void> {
    const answered = await answer(call, forward);
    if (answered) response.writeHead(answered.status, answered.headers).end(answered.body);
    else response.destroy();
  }
  const server = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    buffer(request)
      .then((body) => reply({ operation, headers: request.headers, body }, response))
      // Either the service has stopped waiting for the reply, or the engine is not available.
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** An error reply in DynamoDB's format. */
export const engineError = (status: number, name: string, more: object = {}): EngineReply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Made by the test', ...more }),
});
