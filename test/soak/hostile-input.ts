import * as fc from 'fast-check';
import { resolve } from 'node:path';
import { sendBroken } from '#test/soak/support/hostile/broken-http.ts';
import { type Reply, type Request, succeed } from '#test/live/caller.ts';
import { hostileRequests } from '#test/soak/support/hostile/hostile-requests.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { hold } from '#test/live/hold.ts';
import { type Part, soak } from '#test/soak/support/part.ts';
import { newScene } from '#test/soak/support/scene.ts';
import { type Service, startService } from '#test/live/service.ts';

// Hostile requests to all routes, in chapters. No reply may be a 5xx, reveal internals, or be slow; memory must not
// grow; and honest brands must be served all the time.

const BROKEN_OF_A_CHAPTER = 30;
const WORKERS = 12;
/** Each chapter has a separate minute, and so new rate-limit windows. */
const CHAPTER_SECONDS = 61;
const SLOW_MS = 2_000;
/** How often a slow request is repeated, because a busy machine can slow down any single reply. */
const MOST_ASKED = 3;
/** Node closes the connection for a larger request head. */
const LARGEST_HEAD_BYTES = 16 * 1024;
/** How much more memory than after its warm-up the service may use, measured after a collection. */
const MOST_GROWTH_BYTES = 8 * 1024 * 1024;
const MEMORY_READINGS = 3;
const SIGNING_SECRET = 'whsec_soak';
/** Number of characters of a request that a message shows. */
const MOST_SHOWN = 600;
/** Internals that no reply may contain: stack frames, names of dependencies, and internal error messages. */
const INSIDES = /\bat (\S+ \()?(file:|node:|\/).*:\d+|node_modules|\w(Error|Exception): |DynamoDB|dynoxide/;

await soak(async (part) => {
  const { chance, seed } = part;
  const chapters = part.size(50, 2);
  const requestsOfChapter = part.size(1_000, 600);
  const service = await startProbed(part);
  const statuses = new Map<number, number>();
  let [slowestMs, warmBytes] = [0, 0];

  for (let chapter = 0; chapter < chapters; chapter++) {
    const scene = await newScene(service, `soak-${chapter}`, SIGNING_SECRET);
    const requests = fc.sample(hostileRequests(scene), { numRuns: requestsOfChapter, seed: seed + chapter });
    await inParallel(requests.length, WORKERS, async (n) => {
      const { status, ms } = await judged(service, requests[n]!);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      slowestMs = Math.max(slowestMs, ms);
    });
    await inParallel(BROKEN_OF_A_CHAPTER, WORKERS, async () => {
      const received = await sendBroken(service.url, chance);
      hold(!/^HTTP\/1\.1 5/m.test(received) && !INSIDES.test(received), `Broken HTTP was answered ${received}`);
    });
    await succeed(service.call, { path: '/local/clock', body: { advance_seconds: CHAPTER_SECONDS } });
    if (chapter === Math.floor(chapters / 5)) warmBytes = await memoryOf(service);
  }
  await newScene(service, 'soak-afterwards', SIGNING_SECRET);
  const growthBytes = (await memoryOf(service)) - warmBytes;
  hold(growthBytes < MOST_GROWTH_BYTES, `Memory grew by ${megabytes(growthBytes)} after the service was warm`);
  const logged = /^.*("level":"ERROR"| threw ).*$/m.exec(service.said());
  hold(!logged, `The service logged a failure: ${logged?.[0]}`);
  return {
    'requests generated': chapters * requestsOfChapter,
    'requests with invalid HTTP': chapters * BROKEN_OF_A_CHAPTER,
    'replies by status': [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} times ${status}`)
      .join(', '),
    'slowest reply': `${Math.round(slowestMs)} ms`,
    'memory after a collection': `${megabytes(warmBytes)} when warm, ${megabytes(warmBytes + growthBytes)} in the end`,
  };
});

function startProbed(part: Part): Promise<Service> {
  const probe = resolve('test/soak/support/memory-probe.ts');
  return startService(part, {
    variables: { STRIPE_WEBHOOK_SECRET: SIGNING_SECRET },
    nodeOptions: ['--expose-gc', '--import', probe],
    sockets: WORKERS,
  });
}

/** The minimum of several readings, because the sweep and the counters release memory between them. */
async function memoryOf(service: Service): Promise<number> {
  let least = Infinity;
  for (let reading = 0; reading < MEMORY_READINGS; reading++) {
    const told = service.heard(/memory (\d+) bytes/);
    process.kill(service.pid, 'SIGUSR2');
    least = Math.min(least, Number((await told)[1]));
  }
  return least;
}

/** @returns the reply's status and its time, the best of several if it was slow */
async function judged(service: Service, request: Request): Promise<{ status: number; ms: number }> {
  let best = Infinity;
  for (let time = 1; ; time++) {
    const startedAt = performance.now();
    const { status, text } = await service.call(request).catch((error: unknown) => whyClosed(request, error));
    best = Math.min(best, performance.now() - startedAt);
    hold(status >= 200 && status < 500, `${shown(request)} was answered ${status}: ${text}`);
    hold(!INSIDES.test(text), `${shown(request)} was told of our insides: ${text}`);
    if (best < SLOW_MS) return { status, ms: best };
    hold(time < MOST_ASKED, `${shown(request)} took ${Math.round(best)} ms, ${time} times`);
  }
}

/** An empty reply for a request whose head was too large. Any other request must get a reply. */
function whyClosed(request: Request, error: unknown): Pick<Reply, 'status' | 'text'> {
  const head = [request.path, ...Object.entries(request.headers ?? {}).flat()].join('').length;
  hold(head > LARGEST_HEAD_BYTES / 2, `${shown(request)} got no reply: ${String(error)}`);
  return { status: 431, text: '' };
}

function shown({ method, path, headers, body }: Request): string {
  const sent = body instanceof Buffer ? body.toString() : '';
  return `${method} ${path} ${JSON.stringify(headers)} ${sent}`.slice(0, MOST_SHOWN);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
