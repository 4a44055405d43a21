import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chanceOf } from '#infra/local/demo/chance.ts';
import { type Brand, newBrand, saleOf, signedUp } from '#test/live/brand.ts';
import { succeed } from '#test/live/caller.ts';
import { enginePidOf } from '#test/live/engine-of.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { type Service, startService } from '#test/live/service.ts';

// A brand's receiver, written from the client library's README alone and run with the package served by the service,
// counts every sale exactly once, although every process involved is killed with -9 and restarted. The local run's
// process contains the stream reader, the queue and the sender; its messages are lost with it.

const BRANDS = 5;
/** Sales of one brand, few enough for its rate limit. */
const SALES_OF_BRAND = 15;
const SALES = BRANDS * SALES_OF_BRAND;
const WORKERS = 8;
/** One kill for each process. `test/functions/queue/sender.test.ts` tests interruptions at every call. */
const KILLS = 3;
const LONGEST_MS = 5 * 60_000;

/** The receiver's script. Its database is a file with a line for each event, which has its effect and its id. */
const receiverScript = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from 'referral-tracking-service';

const [port, database, ...secrets] = process.argv.slice(2);
const lines = readFileSync(database, 'utf8').split('\\n').slice(0, -1);
const known = new Set(lines.map((line) => line.split(' ')[0]));

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    // The tolerance is large, because the test moves the service's clock forward.
    const event = verifyWebhook(Buffer.concat(chunks), request.headers, secrets, { toleranceSeconds: 7 * 86_400 });
    const isKnown = known.has(event.id);
    if (!isKnown && event.type === 'sale.recorded') {
      appendFileSync(database, event.id + ' ' + event.data.program_id + ':' + event.data.transaction_id + '\\n');
      known.add(event.id);
    }
    console.log((isKnown ? 'known ' : 'new ') + event.id);
    response.writeHead(204).end();
  } catch (error) {
    console.log('refused ' + error.message);
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('listening ' + server.address().port));
`;

const closings: (() => unknown)[] = [];
let folder: string;
let service: Service;
/** Resolves when no restart is in progress. */
let ready: Promise<void> = Promise.resolve();

const start = () =>
  startService(
    { folder, atEnd: (close) => void closings.push(close), atFailure: () => {} },
    { variables: { DATA_DIR: join(folder, 'data') } },
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  service = await start();
});
afterAll(async () => {
  for (const close of closings.toReversed()) await close();
  await rm(folder, { recursive: true });
});

/** Starts the receiver in the brand's own project. */
async function openReceiver(heard: (kind: string, id: string) => void) {
  const project = join(folder, 'brand');
  const database = join(project, 'events.txt');
  const installed = join(project, 'node_modules', 'referral-tracking-service');
  await mkdir(installed, { recursive: true });
  const tarball = join(folder, 'client.tgz');
  const reply = await fetch(`${service.url}/client.tgz`);
  await writeFile(tarball, Buffer.from(await reply.arrayBuffer()));
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  await writeFile(join(project, 'receiver.mjs'), receiverScript);
  await writeFile(database, '');
  const secrets: string[] = [];
  let port = 0;
  let running: ChildProcess | undefined;
  closings.push(end);

  async function end(): Promise<void> {
    if (!running) return;
    const ended = once(running, 'close');
    running.kill('SIGKILL');
    await ended;
    running = undefined;
  }

  async function listen(): Promise<void> {
    const words = ['receiver.mjs', String(port), database, ...secrets];
    const child = spawn(process.execPath, words, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
    running = child;
    await new Promise<void>((listening) => {
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = `${said}${text}`.split('\n');
        said = lines.pop()!;
        for (const line of lines) {
          const [kind = '', ...rest] = line.split(' ');
          if (kind !== 'listening') heard(kind, rest.join(' '));
          else {
            port = Number(rest[0]);
            listening();
          }
        }
      });
    });
  }
  await listen();
  return {
    url: () => `http://127.0.0.1:${port}/hooks`,
    async restart(more: readonly string[] = []): Promise<void> {
      secrets.push(...more);
      await end();
      await listen();
    },
    counted: async () => (await readFile(database, 'utf8')).split('\n').slice(0, -1),
  };
}

const clock = async (advance_seconds: number): Promise<string> =>
  (await succeed(service.call, { path: '/local/clock', body: { advance_seconds } })).now;

/** Waits and advances the service's clock, so that the next attempts come. */
async function eventually(isSo: () => boolean): Promise<void> {
  for (let step = 0; step < 300 && !isSo(); step++) {
    await ready;
    // The service may be killed at any time.
    await clock(600).catch(() => {});
    await vi.waitUntil(isSo, { timeout: 2_000 }).catch(() => {});
  }
  expect(isSo()).toBe(true);
}

/** Sends a sale until it gets a reply. */
async function recorded(brand: Brand, transaction_id: string): Promise<void> {
  const request = saleOf(brand, { customer_key: 'customer', transaction_id, amount_cents: 4_900 });
  for (let attempt = 0; attempt < 20; attempt++) {
    const reply = await service.call(request).catch(() => undefined);
    if (reply?.status === 200 || reply?.status === 409) return;
    await ready;
  }
  throw new Error(`${transaction_id} was not recorded`);
}

describe('a receiver of webhooks', () => {
  it(
    'can count every sale exactly once, although processes crash and a whole day is sent again',
    async () => {
      const chance = chanceOf('webhooks');
      // A kill comes after this many acknowledged sales and arrived events.
      const killsAt = Array.from({ length: KILLS }, () => chance.between(1, 2 * SALES - 15)).toSorted((a, b) => a - b);
      const victims = ['service', 'receiver', 'service and engine'] as const;
      const arrived = new Set<string>();
      const again: string[] = [];
      const refused: string[] = [];
      let happened = 0;
      let kills = 0;
      let isKilling = false;

      const receiver = await openReceiver((kind, id) => {
        if (kind === 'refused') refused.push(id);
        else {
          // If the receiver was killed between its database and this line, only the repeated event is known.
          arrived.add(id);
          if (kind === 'known') again.push(id);
          step();
        }
      });

      async function kill(victim: (typeof victims)[number]): Promise<void> {
        isKilling = true;
        if (victim === 'receiver') await receiver.restart();
        else {
          if (victim === 'service and engine') process.kill(await enginePidOf(service.pid), 'SIGKILL');
          await service.kill();
          service = await start();
        }
        isKilling = false;
      }
      function step(): void {
        if (++happened < (killsAt[kills] ?? Infinity) || isKilling) return;
        ready = kill(victims[kills++ % victims.length]!);
      }

      const brands = await inParallel(BRANDS, 2, (n) => newBrand(service.call, `brand-${n}`));
      const endpoints = await inParallel(BRANDS, 2, async (n) => {
        const { programId, token: key } = brands[n]!;
        await signedUp(service.call, brands[n]!, 'customer');
        const path = `/api/dashboard/v1/programs/${programId}/webhooks`;
        const body = { url: receiver.url(), events: ['sale.recorded'] };
        const { data } = await succeed(service.call, { path, key, body });
        return { path: `${path}/${data.id}`, key, secret: data.secret as string };
      });
      await receiver.restart(endpoints.map(({ secret }) => secret));
      const firstDay = (await clock(1)).slice(0, 10);

      await inParallel(SALES, WORKERS, async (n) => {
        await recorded(brands[n % BRANDS]!, `in_${n}`);
        step();
      });
      await eventually(() => kills === KILLS && !isKilling && arrived.size === SALES);
      const sales = Array.from({ length: SALES }, (_, n) => `${brands[n % BRANDS]!.programId}:in_${n}`);
      const counted = await receiver.counted();
      const [ids, counts] = [0, 1].map((column) => new Set(counted.map((line) => line.split(' ')[column])));
      expect(counted).toHaveLength(SALES);
      expect({ ids: ids!.size, counts }).toEqual({ ids: SALES, counts: new Set(sales) });
      expect(refused).toEqual([]);
      const copies = again.length;

      const lastDay = (await clock(1)).slice(0, 10);
      const queued = await inParallel(BRANDS, 2, async (n) => {
        const { path, key } = endpoints[n]!;
        return (await succeed(service.call, { path: `${path}/replay`, key, body: { from: firstDay, to: lastDay } }))
          .data;
      });
      expect(queued).toEqual(queued.map(() => ({ queued: SALES_OF_BRAND })));
      await eventually(() => new Set(again.slice(copies)).size === SALES);
      expect(await receiver.counted()).toEqual(counted);
      expect(refused).toEqual([]);
      console.info(`${SALES} sales, ${kills} kills, ${copies} events twice before the replay`);
    },
    LONGEST_MS,
  );
});
