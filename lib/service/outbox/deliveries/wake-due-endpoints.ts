import { isLeased, workInPages } from '#lib/service/outbox/deliveries/webhook-work-items.ts';
import { queueWakeUp, type WakeDeps } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

const AT_ONCE = 25;
/** If a delivery has been due for this long, no sender is working on its endpoint. */
const LATE_MS = 10 * 60_000;

/**
 * Starts the sender for endpoints whose next attempt is due. This includes endpoints whose message in the queue was
 * lost, or whose sender crashed.
 */
export async function wakeDueEndpoints(deps: WakeDeps): Promise<void> {
  const { table, now, log } = deps;
  const lateBefore = new Date(now.getTime() - LATE_MS).toISOString();
  let late = 0;
  for await (const page of workInPages(table)) {
    const due = page.filter((work) => work.nextAt <= now.toISOString() && !isLeased(work, now));
    late += due.filter(({ nextAt }) => nextAt <= lateBefore).length;
    for (let at = 0; at < due.length; at += AT_ONCE) {
      if (deps.ending?.aborted) return;
      await Promise.all(due.slice(at, at + AT_ONCE).map((work) => queueWakeUp(deps, work, 0)));
    }
  }
  if (late > 0) log.warn('deliveries_late', { endpoints: late });
}
