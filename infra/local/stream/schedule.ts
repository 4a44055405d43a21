import type { Clock } from '#infra/local/run/clock.ts';
import type { ScheduledHandler } from '#lib/service/http/triggers/scheduled.ts';

const CHECK_MS = 200;

interface Scheduled {
  readonly handler: ScheduledHandler;
  readonly everyMinutes: number;
}

/**
 * Runs a function on its schedule, as EventBridge does, but by the service's clock: if a person sets the clock forward,
 * runs that become due start at once.
 * @returns a function that stops the schedule after the current run
 */
export function startSchedule({ handler, everyMinutes }: Scheduled, clock: Pick<Clock, 'now'>): () => Promise<void> {
  const everyMs = everyMinutes * 60_000;
  let ranAt = clock.now();
  let running = Promise.resolve();
  let isRunning = false;

  async function run(now: number): Promise<void> {
    isRunning = true;
    try {
      await handler({ time: new Date(now).toISOString() });
    } catch (error) {
      console.error('A scheduled function threw', error);
    } finally {
      isRunning = false;
    }
  }
  const timer = setInterval(() => {
    const now = clock.now();
    // The clock was set back, so the next run is due one interval after the clock's new time.
    if (now < ranAt) ranAt = now;
    if (isRunning || now - ranAt < everyMs) return;
    ranAt = now;
    running = run(now);
  }, CHECK_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
