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
 * Maximum number of commissions whose payments one transaction cancels. This leaves room for the line, its counts, the
 * audit entry and the e-mail.
 */
export const MOST_RETURNED_AT_ONCE = 80;

/** Ids of the commissions that the payout put into the line, each once. */
export const commissionsOfLine = async ({ table }: Pick<Deps, 'table'>, line: PayoutLine): Promise<number[]> => [
  ...new Set((await claimsOfLine(table, line)).flatMap(({ commissionIds }) => commissionIds)),
];

/**
 * Writes that cancel what a failed or void line paid for these commissions. Commissions for which this was already
 * done, or which a restore has lost, are left out, so the writes may be repeated.
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
 * Cancels what a failed or void line paid for its commissions, in several transactions. They may be repeated, and skip
 * what is already cancelled. The last one records that the line is finished.
 * @param mayGoOn called after each transaction; if it returns false, the rest is left for later
 * @returns whether all payments are cancelled
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
