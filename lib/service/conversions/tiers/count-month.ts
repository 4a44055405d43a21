import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { lastClosedMonth, monthOf } from '#lib/service/ground/values/day.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCountedMonth, storeCountedMonth } from '#lib/service/conversions/tiers/counted-month-items.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/ground/counters/probes-items.ts';

/**
 * A request that began in a month may still write for this time after the month's end. Every request ends within a
 * minute, and clocks differ only slightly.
 */
const LAST_WRITES_MS = 2 * 60_000;
/** DynamoDB's stream keeps records for one day. A probe that has not arrived by then never will. */
const LONGEST_WAIT_MS = DAY_MS;

/**
 * Finds out whether the counters include all sales of the last month. Each run does one step. When no request can write
 * a sale of that month any more, probe items are written. When the counters have read all probes from the stream, they
 * have also read everything that was written before.
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
    // The state is stored only after all probes were sent. If the run is interrupted before, the next run sends probes
    // again.
    await storeCountedMonth(table, known, { ...known, probes: { month, run, sentAt: now.toISOString() } });
    return known.month;
  }
  if (!(await haveProbesPassed(table, sent.run, probes))) return known.month;
  await storeCountedMonth(table, known, { month });
  return month;
}
