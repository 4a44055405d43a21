import type { ApprovalsDue } from '#lib/service/outbox/facts/facts-of.ts';
import { type Key, factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** A time at which commissions may become approved. */
export interface DueApprovals extends ApprovalsDue {
  /** The key of one commission. Undefined means all commissions of the program whose hold period has not ended. */
  readonly commission?: Key;
  /** The position in the list of commissions up to which all were processed. */
  readonly after?: string;
}

const keyOf = ({ dueAt, programId, commission, isBeginning }: DueApprovals): Key =>
  factKeys.dueFact(
    dueAt,
    commission ? `commission#${commission.pk}` : `${isBeginning ? 'beginning' : 'approvals'}#${programId}`,
  );

/** Stores a time at which commissions may become approved. May be repeated: each fact is published only once. */
export const putDueApprovals = (table: Table, due: DueApprovals): Promise<void> => table.put(keyOf(due), due);

/** Returns the first entries that are due. */
export async function firstDueApprovals(table: Table, now: Date, most: number): Promise<DueApprovals[]> {
  const found = await table.query<DueApprovals>(factKeys.dueFact('', '').pk, { most });
  return found.filter(({ dueAt }) => dueAt <= now.toISOString());
}

/** Removes an entry. Does nothing if another run has removed it. */
export const removeDueApprovals = (table: Table, due: DueApprovals): Promise<void> => removeItem(table, keyOf(due));

/**
 * Stores how far a run is in the list of commissions. If two runs race, the second one does not store its position, but
 * continues.
 */
export async function moveDueApprovals(table: Table, due: DueApprovals, after: string): Promise<DueApprovals> {
  try {
    await table.update(keyOf(due), { set: { after } }, { exists: true, equals: { after: due.after } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return { ...due, after };
}
