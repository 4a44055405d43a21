import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newBrand } from '#test/live/brand.ts';
import { succeed } from '#test/live/caller.ts';
import { type Service, startService } from '#test/live/service.ts';

// Tests that receivers in Python and Go, which use Standard Webhooks' packages, accept the service's deliveries.

interface Delivery {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A time outside of a receiver's tolerance of five minutes. */
const TOO_LONG_SECONDS = 600;
/** Time limit for installing packages and compiling on a busy machine. */
const LONGEST_MS = 15 * 60_000;

const closings: (() => unknown)[] = [];
const received: Omit<Delivery, 'secret'>[] = [];
let folder: string;
let service: Service;
let endpoint: { readonly path: string; readonly key: string };
/** The command that verifies, by language; undefined if this machine cannot run it. */
let commands: Readonly<Record<string, readonly string[] | undefined>>;
let deliveries: Readonly<Record<'right' | 'old' | 'ofFormerSecret' | 'ofNewSecret', Delivery>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receivers-'));
  // The installations run before anything is sent, because deliveries that wait too long become too old.
  commands = { Python: pythonReceiver(), Go: goReceiver() };
  service = await startService({ folder, atEnd: (close) => void closings.push(close), atFailure: () => {} });
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      received.push({ body, headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])) });
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closings.push(() => server.close());

  const { programId, token: key } = await newBrand(service.call, 'brand');
  const webhooks = `/api/dashboard/v1/programs/${programId}/webhooks`;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { data } = await succeed(service.call, { path: webhooks, key, body: { url, events: ['sale.recorded'] } });
  endpoint = { path: `${webhooks}/${data.id}`, key };
  const former = data.secret as string;
  const right = { secret: former, ...(await delivered()) };
  const rolled = await succeed(service.call, { path: `${endpoint.path}/secret`, key, body: {} });
  const signedTwice = await delivered();
  const now = new Date(Date.now() - TOO_LONG_SECONDS * 1_000).toISOString();
  await succeed(service.call, { path: '/local/clock', body: { now } });
  deliveries = {
    right,
    ofFormerSecret: { secret: former, ...signedTwice },
    ofNewSecret: { secret: rolled.data.secret as string, ...signedTwice },
    old: { secret: former, ...(await delivered()) },
  };
}, LONGEST_MS);

afterAll(async () => {
  for (const close of closings.toReversed()) await close();
  await rm(folder, { recursive: true });
});

/** Sends a test to the endpoint. @returns its delivery */
async function delivered(): Promise<Omit<Delivery, 'secret'>> {
  received.length = 0;
  await succeed(service.call, { path: `${endpoint.path}/test`, key: endpoint.key, body: {} });
  return vi.waitUntil(() => received[0], { timeout: 30_000 });
}

/** Runs a command. @returns its output; undefined if this machine cannot run it */
function installed(command: string, args: readonly string[], cwd = '.'): string | undefined {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return status === 0 ? stdout.trim() : undefined;
}

const receivers = resolve('test/webhook-receivers');

function pythonReceiver(): readonly string[] | undefined {
  const folderOfCommands = installed('.ci/python', ['receivers']);
  return folderOfCommands === undefined
    ? undefined
    : [join(folderOfCommands, 'python'), join(receivers, 'receiver.py')];
}

function goReceiver(): readonly string[] | undefined {
  const binary = join(folder, 'receiver');
  // Without optimization, because a fresh machine compiles Go's own packages, too: 51 s of processor time instead of 76.
  const build = ['build', '-gcflags=all=-N -l', '-o', binary, '.'];
  return installed('go', build, receivers) === undefined ? undefined : [binary];
}

describe.each(['Python', 'Go'])('a receiver of webhooks that uses the Standard Webhooks package for %s', (language) => {
  it('accepts deliveries with each valid secret, and refuses changed or old ones', (context) => {
    const [command, ...args] = commands[language] ?? [];
    if (command === undefined) {
      console.warn(`⚠ The receiver in ${language} was NOT tested: ${language} or its package is missing here.`);
      context.skip();
      return;
    }
    const { right } = deliveries;
    const changed = (headers: Readonly<Record<string, string>>) => ({
      ...right,
      headers: { ...right.headers, ...headers },
    });
    const sent: Readonly<Record<string, Delivery>> = {
      ...deliveries,
      otherBody: { ...right, body: right.body.replace('true', 'false') },
      otherId: changed({ 'webhook-id': 'evt_000000000000000000000000000000000' }),
      otherTime: changed({ 'webhook-timestamp': String(Number(right.headers['webhook-timestamp']) + 1) }),
      otherSecret: { ...right, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` },
      withoutSignature: changed({ 'webhook-signature': '' }),
    };
    const input = JSON.stringify(Object.values(sent));
    const verdicts = JSON.parse(execFileSync(command, args, { input, encoding: 'utf8' })) as string[];
    expect(Object.fromEntries(Object.keys(sent).map((name, n) => [name, verdicts[n]]))).toEqual({
      right: 'valid',
      ofFormerSecret: 'valid',
      ofNewSecret: 'valid',
      old: 'refused',
      otherBody: 'refused',
      otherId: 'refused',
      otherTime: 'refused',
      otherSecret: 'refused',
      withoutSignature: 'refused',
    });
  });
});
