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

/** A request that an endpoint received. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: Received) => void;

const ok: Answer = (response) => response.end('thanks');

/** A brand's endpoint on this machine, with scripted replies. */
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
    /** Sets the replies from now on, and forgets received requests. */
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

/** A queue message with its delay. */
interface QueuedWake extends WakeMessage {
  /** Undefined for the queue's default delay. */
  readonly delaySeconds: number | undefined;
}

/** The message for a new fact, which the queue delays. */
export const heldBack = (target: WakeMessage): QueuedWake => ({ ...target, delaySeconds: undefined });

/** A local server for the calls that the service makes to Amazon SQS; the service uses it from now on. */
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
    /** Accepts or refuses messages from now on, and forgets earlier ones. */
    take(takes = true) {
      messages.length = 0;
      isTaking = takes;
    },
  };
}

/** Sets the configuration that allows webhooks to this machine. */
export async function allowLoopback(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  afterAll(() => rm(folder, { recursive: true }));
  const VAULT_KEY_FILE = join(folder, 'vault-key.json');
  await ensureVaultKey(VAULT_KEY_FILE);
  Object.assign(process.env, { VAULT_KEY_FILE, WEBHOOK_ALLOW_LOOPBACK: '1' });
  discardContainer();
}
