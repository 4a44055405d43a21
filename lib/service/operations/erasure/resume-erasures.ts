import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { markErased } from '#lib/service/operations/erasure/erase-customer.ts';
import { type DueErasure, dueErasures, removeDueErasure } from '#lib/service/operations/erasure/erasure-items.ts';
import { eraseRecords, SETTLING_MS } from '#lib/service/operations/erasure/erase-records.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';

/** How much of a run's time may be used for erasures. The rest of the run is for unfinished payouts. */
const SHARE_MS = 8_000;

/**
 * Continues erasures, but only those requested so long ago that no request still running can have read the customer
 * before. Erasures in one program with the same progress are continued together, so many take hardly longer than one.
 * The next run continues where this one ends.
 * @param share aborted when the time for erasures is over
 */
export async function resumeErasures(deps: Deps, share: AbortSignal = AbortSignal.timeout(SHARE_MS)): Promise<void> {
  const isEnding = () => share.aborted || (deps.ending?.aborted ?? false);
  const failures: unknown[] = [];
  for (const group of groupsOf(await settledErasures(deps))) {
    if (isEnding()) break;
    await eraseRecords(deps, group, isEnding).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** The erasures requested so long ago that no request still running can have read the customer before. */
async function settledErasures(deps: Deps): Promise<DueErasure[]> {
  const { table, now } = deps;
  const settled: DueErasure[] = [];
  const due = await dueErasures(table);
  const old = due.filter(({ erasedAt }) => now.getTime() - Date.parse(erasedAt) >= SETTLING_MS);
  const customers = await Promise.all(old.map(({ clickId }) => findRecordedCustomer(table, clickId)));
  for (const [index, erasure] of old.entries()) {
    const customer = customers[index];
    if (customer?.erasedAt !== undefined) settled.push(erasure);
    // The first write of an erasure marks the customer as erased. If a restore of the table has lost the mark, it is
    // set again. If the restore has lost the customer, nothing is left to erase.
    else if (customer) await markErased(deps, () => customerWithData(deps, erasure.programId, erasure.clickId));
    else await removeDueErasure(table, erasure);
  }
  return settled;
}

function groupsOf(erasures: readonly DueErasure[]): Iterable<readonly DueErasure[]> {
  const groups = new Map<string, DueErasure[]>();
  for (const erasure of erasures) {
    const { programId, position } = erasure;
    const name = JSON.stringify([programId, position?.part, position?.after]);
    groups.set(name, [...(groups.get(name) ?? []), erasure]);
  }
  return groups.values();
}
