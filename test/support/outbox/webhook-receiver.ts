import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { ensureVaultKey } from '#infra/local/run/vault-key.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import type { WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';

/** A request that the webhook endpoint received. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: Received) => void;

const ok: Answer = (response) => response.end('thanks');

/** Starts a brand's webhook endpoint on this machine. A test sets its replies. */
export async function openReceiver() {
  const received: Received[] = [];
  let answer = ok;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const one = { path: request.url!, headers: request.headers, body };
      received.push(one);
      answer(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Sets the replies from now on, and forgets the requests received so far. */
    answer(how: Answer = ok) {
      received.length = 0;
      answer = how;
    },
    status(statusCode: number, headers: Readonly<Record<string, string>> = {}) {
      this.answer((response) => response.writeHead(statusCode, headers).end(`status ${statusCode}`));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** A message in the queue, with the delay that the sender requested. */
interface QueuedWake extends WakeMessage {
  /** Undefined if the queue's default delay applies. */
  readonly delaySeconds: number | undefined;
}

/** The message that the service sends for a new fact. It has the queue's default delay. */
export const heldBack = (target: WakeMessage): QueuedWake => ({ ...target, delaySeconds: undefined });

/** Starts a local server that replaces Amazon SQS. The service uses it from now on. */
export async function openWakeQueue() {
  const messages: QueuedWake[] = [];
  let isTaking = true;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { MessageBody, DelaySeconds } = JSON.parse(body) as { MessageBody: string; DelaySeconds?: number };
      if (isTaking) messages.push({ ...(JSON.parse(MessageBody) as WakeMessage), delaySeconds: DelaySeconds });
      response.writeHead(isTaking ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(isTaking ? { MessageId: 'm-1' } : { __type: 'com.amazonaws.sqs#Refused' }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, { WEBHOOK_QUEUE_URL: `${address}/queue`, WEBHOOK_QUEUE_ENDPOINT: address });
  discardContainer();
  return {
    messages,
    /** Sets whether messages are accepted from now on, and forgets those received so far. */
    take(takes = true) {
      messages.length = 0;
      isTaking = takes;
    },
  };
}

/** Changes the configuration so that webhooks may be sent to this machine. */
export async function allowLoopback(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  afterAll(() => rm(folder, { recursive: true }));
  const VAULT_KEY_FILE = join(folder, 'vault-key.json');
  await ensureVaultKey(VAULT_KEY_FILE);
  Object.assign(process.env, { VAULT_KEY_FILE, WEBHOOK_ALLOW_LOOPBACK: '1' });
  discardContainer();
}
