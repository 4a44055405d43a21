import { type Call, type Request, succeed } from '#test/live/caller.ts';
import { hold } from '#test/live/hold.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { medianOf, p99Of } from '#test/bench/support/measure.ts';

/** What was measured in a round of requests. */
export interface Load {
  readonly perSecond: number;
  /** Median time until the reply, in milliseconds. */
  readonly latency: number;
  /** The time until the reply, in milliseconds, that one request in a hundred exceeds. */
  readonly p99: number;
}

/** Sends `count` requests over `connections` connections. @param status that every reply must have */
export async function load(
  call: Call,
  { count, connections, next, status }: { count: number; connections: number; next: () => Request; status: number },
): Promise<Load> {
  return timed(count, connections, async () => {
    const request = next();
    const reply = await call(request);
    hold(reply.status === status, `${request.path} answered ${reply.status}: ${reply.text}`);
  });
}

/** Measures `count` runs of an action, `atOnce` of them in parallel. */
export async function timed(count: number, atOnce: number, run: () => Promise<void>): Promise<Load> {
  const startedAt = performance.now();
  const latencies = await inParallel(count, atOnce, async () => {
    const runAt = performance.now();
    await run();
    return performance.now() - runAt;
  });
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  return { perSecond, latency: medianOf(latencies), p99: p99Of(latencies) };
}

/** Advances the service's clock by a minute, so that the next requests are in new rate windows. */
export const nextMinute = (call: Call): Promise<unknown> =>
  succeed(call, { path: '/local/clock', body: { advance_seconds: 60 } });
