import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The browser's requests to the service. */
interface SentRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** A proxy in front of the service that records requests and can delay or drop them. */
export interface Gate {
  readonly url: string;
  /** Clicks and leads in order of arrival, including those that were not passed on. */
  readonly sent: SentRequest[];
  /** While it is true, every click and lead is dropped without a reply. */
  isBroken: boolean;
  /** Delays all clicks until the returned function is called. */
  readonly holdClicks: () => () => void;
  /** Clears the records and passes everything again. */
  readonly reset: () => void;
  readonly close: () => void;
}

export async function startGate(serviceUrl: string): Promise<Gate> {
  let held: Promise<void> | undefined;
  let requests = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', method = '', headers } = request;
    const body = await text(request);
    if (method === 'POST') {
      gate.sent.push({ path, body: JSON.parse(body) });
      if (gate.isBroken) throw new Error('The gate is broken');
      if (path.endsWith('/click')) await held;
    }
    // Each request has a separate address because of the rate limits.
    requests++;
    const address = `10.0.${requests >> 8}.${requests & 255}`;
    const { origin, 'content-type': type = '', 'user-agent': agent = '' } = headers;
    const answer = await fetch(`${serviceUrl}${path}`, {
      method,
      headers: { 'content-type': type, 'user-agent': agent, 'x-forwarded-for': address, ...(origin && { origin }) },
      ...(body && { body }),
    });
    const { 'transfer-encoding': _, ...answered } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, answered).end(await answer.text());
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    isBroken: false,
    holdClicks() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    reset() {
      gate.sent.length = 0;
      gate.isBroken = false;
      held = undefined;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return gate;
}
