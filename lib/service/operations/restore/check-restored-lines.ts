import { groupOf, type Payout } from '#lib/service/earnings/payouts/payout.ts';
import { countsOf } from '#lib/service/earnings/lines/line-counts.ts';
import { isEnd, isStanding, lineIdOf, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import {
  changedLineWrite,
  countsWrite,
  findLineCounts,
  findStoredLine,
} from '#lib/service/earnings/lines/payout-lines-items.ts';
import { allLinesOf } from '#lib/service/earnings/lines/read-lines.ts';
import type { Return } from '#lib/service/earnings/commissions/returned-commission.ts';
import { commissionsOfLine, giveBack, returnWrites } from '#lib/service/earnings/lines/return-line.ts';
import type { FoundPayout } from '#lib/service/operations/restore/restored-payouts.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Makes the lines of a payout, their commissions and the counts of lines agree. If a commission's history shows a
 * cancelled payment, the line has failed or become void. All other payments by such a line are then cancelled, too. If
 * the counts show more such lines than there are, this is only reported, because the lines are not known.
 */
export async function checkRestoredLines(
  restored: RestoredProgram,
  payout: Payout,
  { returned }: Pick<FoundPayout, 'returned'>,
): Promise<void> {
  const { deps, unrepaired } = restored;
  deps.table.forget();
  const lines = await allLinesOf(deps, payout);
  const checked: PayoutLine[] = [];
  for (const line of lines) {
    const end = returned.get(groupOf(line));
    const ended = isStanding(line) && end ? await endedAgain(restored, line, end) : line;
    if (isEnd(ended.status)) await giveBackAgain(restored, ended);
    checked.push(ended);
  }
  const stored: Readonly<Record<string, number>> = (await findLineCounts(deps.table, payout.id)) ?? {};
  const counts = countsOf(checked);
  const names = [...new Set([...Object.keys(counts), ...Object.keys(stored)])].filter((name) => COUNT.test(name));
  const lost = names.filter((name) => ENDED.test(name) && (stored[name] ?? 0) > (counts[name] ?? 0));
  if (lost.length > 0) {
    unrepaired.push(`payout ${payout.id}: a line of it failed or became void, and nothing tells which`);
  } else if (names.some((name) => (stored[name] ?? 0) !== (counts[name] ?? 0))) {
    await repair(restored, `payout ${payout.id}: the counts of its lines`, [countsWrite(payout.id, counts)]);
  }
}

const COUNT = /^(?:sent|paid|failed|void)(?:Lines|Cents)/;
const ENDED = /^(?:failed|void)Lines/;

/** Marks a line as failed or void again, because the history of one of its commissions shows a cancelled payment. */
async function endedAgain(
  restored: RestoredProgram,
  before: PayoutLine,
  { reason, at, actor }: Return,
): Promise<PayoutLine> {
  const status = before.status === 'recorded' ? 'void' : 'failed';
  const end = { status, reason, endedAt: at, endedBy: actor, paidAt: undefined, returning: true } as const;
  const after: PayoutLine = { ...before, ...end, paidTo: before.paidTo ?? null };
  const isStored = (await findStoredLine(restored.deps.table, before)) !== undefined;
  await repair(restored, `payout ${before.payoutId}: line ${lineIdOf(before)} is ${status}`, [
    changedLineWrite(before, after, isStored),
  ]);
  return after;
}

/** Cancels all payments that a failed or void line still has, because such a line must have paid nothing. */
async function giveBackAgain({ deps, repaired }: RestoredProgram, line: PayoutLine): Promise<void> {
  const { writes } = await returnWrites(deps, line, await commissionsOfLine(deps, line));
  if (writes.length === 0 && !line.returning) return;
  await giveBack(deps, line, () => true);
  deps.table.forget();
  repaired.push(`payout ${line.payoutId}: what line ${lineIdOf(line)} held is given back`);
}
