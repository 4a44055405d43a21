import { setTimeout as pause } from 'node:timers/promises';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { isReturned, unpaid } from '#lib/service/earnings/commissions/returned-commission.ts';
import {
  changedCommissionWrite,
  findCommissionById,
  historyBytes,
  MOST_HISTORY_BYTES,
} from '#lib/service/earnings/commissions/commissions-items.ts';
import { claimsOfLine } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { returnedLineWrite } from '#lib/service/earnings/lines/payout-lines-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

type Returning = Pick<Deps, 'table' | 'now'>;

/**
 * Maximum number of commissions whose amounts one transaction gives back. This leaves room for the line, its counts,
 * the audit entry and the mail.
 */
export const MOST_RETURNED_AT_ONCE = 80;

/** Ids of the commissions that the line claimed, each once. */
export const commissionsOfLine = async ({ table }: Pick<Deps, 'table'>, line: PayoutLine): Promise<number[]> => [
  ...new Set((await claimsOfLine(table, line)).flatMap(({ commissionIds }) => commissionIds)),
];

/**
 * Writes that give back an ended line's amounts of these commissions. Commissions that were already given back, or have
 * been lost, are left out, so the writes may be repeated.
 */
export async function returnWrites(
  { table, now }: Returning,
  line: PayoutLine,
  ids: readonly number[],
): Promise<{ readonly writes: readonly Write[]; readonly bytes: number }> {
  const found = await Promise.all(ids.map((id) => findCommissionById(table, id)));
  const held = found.filter((one): one is Commission => one !== undefined && !isReturned(one, line.payoutId));
  const { payoutId, reason = '', endedBy: actor = 'operator' } = line;
  return {
    writes: held.map((before) => changedCommissionWrite(before, unpaid(before, payoutId, reason, { actor, at: now }))),
    bytes: held.reduce((sum, commission) => sum + historyBytes(commission), 0),
  };
}

/**
 * Gives back the remaining amounts of an ended line in steps of one transaction each, which may be repeated. The last
 * step records that everything was given back.
 * @param mayGoOn asked after each step
 * @returns whether everything is given back
 */
export async function giveBack(deps: Returning, line: PayoutLine, mayGoOn: () => boolean): Promise<boolean> {
  const ids = await commissionsOfLine(deps, line);
  let [at, size] = [0, MOST_RETURNED_AT_ONCE];
  while (at < ids.length) {
    deps.table.forget();
    const some = ids.slice(at, at + size);
    const isLast = at + some.length === ids.length;
    const isDone = await retryOnConflict(deps, async () => {
      const { writes, bytes } = await returnWrites(deps, line, some);
      if (bytes > MOST_HISTORY_BYTES && some.length > 1) return false;
      const all = isLast ? [...writes, returnedLineWrite(line)] : writes;
      if (all.length > 0) await deps.table.transact(all);
      return true;
    });
    if (isDone) at += some.length;
    else size = Math.ceil(some.length / 2);
    if (at < ids.length && !mayGoOn()) return false;
    // Lets other work of this process run, such as a request's deadline.
    await pause(0);
  }
  return true;
}
