import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { lastClosedMonth, monthOf } from '#lib/service/ground/values/day.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCountedMonth, keepCountedMonth } from '#lib/service/conversions/tiers/counted-month-items.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/ground/counters/probes-items.ts';

/** After the end of a month no request of it still writes: none runs for a minute, and clocks differ by little. */
const LAST_WRITES_MS = 2 * 60_000;
/** The stream keeps records for a day: probes that have not passed by then never will. */
const LONGEST_WAIT_MS = DAY_MS;

/**
 * Finds out whether every sale of the last month is counted, one step a run: probes are written when nothing of the
 * month is written any more, and each passes when its shard of the stream is counted that far.
 * @param probes so many that every shard gets one
 * @returns the latest month that is counted for certain, `YYYY-MM`; undefined: none is
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
    // Only now: a run that ends before it has sent all of them begins again.
    await keepCountedMonth(table, known, { ...known, probes: { month, run, sentAt: now.toISOString() } });
    return known.month;
  }
  if (!(await haveProbesPassed(table, sent.run, probes))) return known.month;
  await keepCountedMonth(table, known, { month });
  return month;
}
