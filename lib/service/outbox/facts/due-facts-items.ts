import type { ApprovalsDue } from '#lib/service/outbox/facts/facts-of.ts';
import { type Key, factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** Approvals that a time may bring. */
export interface DueApprovals extends ApprovalsDue {
  /** Where the commission is; absent: all of the program that wait for the end of their hold. */
  readonly commission?: Key;
  /** How far the walk through the program's commissions has come. */
  readonly after?: string;
}

const keyOf = ({ dueAt, programId, commission }: DueApprovals): Key =>
  factKeys.dueFact(dueAt, commission ? `commission#${commission.pk}` : `approvals#${programId}`);

/** It may be put again at any time: what it brings is told once. */
export const putDueApprovals = (table: Table, due: DueApprovals): Promise<void> => table.put(keyOf(due), due);

/** The first whose time has come. */
export async function firstDueApprovals(table: Table, now: Date, most: number): Promise<DueApprovals[]> {
  const found = await table.query<DueApprovals>(factKeys.dueFact('', '').pk, { most });
  return found.filter(({ dueAt }) => dueAt <= now.toISOString());
}

/** Another run may have done as much. */
export const removeDueApprovals = (table: Table, due: DueApprovals): Promise<void> => removeItem(table, keyOf(due));

/** Notes how far a walk has come; a run that was slower goes on where it is. */
export async function moveDueApprovals(table: Table, due: DueApprovals, after: string): Promise<DueApprovals> {
  try {
    await table.update(keyOf(due), { set: { after } }, { exists: true, equals: { after: due.after } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return { ...due, after };
}
