import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { lastClosedMonth, monthOf } from '#lib/service/ground/values/day.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCountedMonth, storeCountedMonth } from '#lib/service/conversions/tiers/counted-month-items.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/ground/counters/probes-items.ts';

/**
 * Requests that began in a month may still write for this time after its end. Every request ends within a minute, and
 * clocks differ only slightly.
 */
const LAST_WRITES_MS = 2 * 60_000;
/** The stream keeps records for a day. Probes that have not passed by then never will. */
const LONGEST_WAIT_MS = DAY_MS;

/**
 * Finds out whether all sales of the last month are counted, one step per run. Probe items are written once no write
 * of the month is possible any more; a probe has passed when the counters include all earlier records of its shard.
 * @param probes number of probes, high enough to reach every shard
 * @returns the latest month whose counts are final, `YYYY-MM`; undefined if there is none
 */
export async function countMonth(
  { table, now, random }: Pick<Deps, 'table' | 'now' | 'random'>,
  probes: number = PROBES,
): Promise<string | undefined> {
  const known = await findCountedMonth(table);
  const { to } = lastClosedMonth(now);
  const month = monthOf(to);
  if (known.month !== undefined && known.month >= month) return known.month;
  if (now.getTime() < Date.parse(to) + DAY_MS + LAST_WRITES_MS) return known.month;
  const { probes: sent } = known;
  if (!sent || sent.month !== month || now.getTime() - Date.parse(sent.sentAt) > LONGEST_WAIT_MS) {
    const run = random.probeRun();
    await sendProbes(table, run, probes, now);
    // The state is stored last, so that an interrupted run starts again.
    await storeCountedMonth(table, known, { ...known, probes: { month, run, sentAt: now.toISOString() } });
    return known.month;
  }
  if (!(await haveProbesPassed(table, sent.run, probes))) return known.month;
  await storeCountedMonth(table, known, { month });
  return month;
}
