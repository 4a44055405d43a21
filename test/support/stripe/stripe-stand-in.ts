import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** A request that the mock of Stripe received. */
interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** How a route of the mock replies; `hangUp` closes the connection without a reply. */
type Answer = { readonly status: number; readonly body: unknown } | 'hangUp';

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/**
 * Starts a mock of Stripe, with which accounts can be connected. All functions of the test file use it. Call this
 * outside of tests, before the first request.
 */
export async function openStripe() {
  const requests: ArrivedRequest[] = [];
  const answers = new Map<string, Answer>();
  const server: Server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, authorization: headers.authorization, body });
      const answer = answers.get(path) ?? { status: 404, body: { error: { message: `No such route: ${path}` } } };
      if (answer === 'hangUp') return request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      return undefined;
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(
    () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  );
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    STRIPE_CONNECT_BASE: base,
    STRIPE_API_BASE: base,
    STRIPE_CONNECT_CLIENT_ID: 'ca_platform',
    STRIPE_SECRET_KEY: 'sk_platform',
  });

  return {
    base,
    requests,
    /** Sets how a route replies from now on. */
    answer: (path: string, answer: Answer) => answers.set(path, answer),
    /** Authorizes the platform for a Stripe account, as a brand does on Stripe's pages. */
    letIn(accountId: string, flags: object = {}, livemode = true): void {
      answers.set('/oauth/token', { status: 200, body: { stripe_user_id: accountId, livemode, scope: 'read_only' } });
      const account = {
        id: accountId,
        charges_enabled: true,
        payouts_enabled: false,
        details_submitted: true,
        ...flags,
      };
      answers.set(`/v1/accounts/${accountId}`, { status: 200, body: account });
    },
  };
}
