import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { isLeased, workInPages } from '#lib/service/outbox/deliveries/webhook-work-items.ts';
import { wakeIn } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

const AT_ONCE = 25;
/** So long a wake waits only where the function that sends does not run. */
const LATE_MS = 10 * 60_000;

/** Wakes the endpoints whose next attempt is due, and those of which a wake was lost or the sender has died. */
export async function wakeDueEndpoints(deps: Pick<Deps, 'table' | 'now' | 'log' | 'once' | 'deadline'>): Promise<void> {
  const { table, now, log } = deps;
  const lateBefore = new Date(now.getTime() - LATE_MS).toISOString();
  let late = 0;
  for await (const page of workInPages(table)) {
    const due = page.filter((work) => work.nextAt <= now.toISOString() && !isLeased(work, now));
    late += due.filter(({ nextAt }) => nextAt <= lateBefore).length;
    for (let at = 0; at < due.length; at += AT_ONCE) {
      if (deps.deadline?.aborted) return;
      await Promise.all(due.slice(at, at + AT_ONCE).map((work) => wakeIn(deps, work, 0)));
    }
  }
  if (late > 0) log.warn('deliveries_late', { endpoints: late });
}
