import { type Call, type Request, succeed } from '#test/live/caller.ts';
import { hold } from '#test/live/hold.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { medianOf } from '#test/bench/support/measure.ts';

/** The result of a round of requests. */
export interface Load {
  readonly perSecond: number;
  /** Median, in milliseconds until the reply. */
  readonly latency: number;
}

/** Sends this many requests over this many connections. @param status the status of all replies */
export async function load(
  call: Call,
  { count, connections, next, status }: { count: number; connections: number; next: () => Request; status: number },
): Promise<Load> {
  const startedAt = performance.now();
  const latencies = await inParallel(count, connections, async () => {
    const request = next();
    const sentAt = performance.now();
    const reply = await call(request);
    hold(reply.status === status, `${request.path} answered ${reply.status}: ${reply.text}`);
    return performance.now() - sentAt;
  });
  return { perSecond: count / ((performance.now() - startedAt) / 1_000), latency: medianOf(latencies) };
}

/** Moves the service's clock, so that the next requests are in empty rate-limit windows. */
export const nextMinute = (call: Call): Promise<unknown> =>
  succeed(call, { path: '/local/clock', body: { advance_seconds: 60 } });
