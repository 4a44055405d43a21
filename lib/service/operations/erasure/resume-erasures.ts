import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { markErased } from '#lib/service/operations/erasure/erase-customer.ts';
import { type DueErasure, dueErasures, removeDueErasure } from '#lib/service/operations/erasure/erasure-items.ts';
import { eraseRecords, SETTLING_MS } from '#lib/service/operations/erasure/erase-records.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';

/** The share of a run, which also continues payouts. */
const SHARE_MS = 8_000;

/**
 * Goes on with the erasures whose customers no running request can still know. Those of one program that are equally far
 * go through its records together, so that many erasures take hardly longer than one. What this run does not reach is
 * left to the next one.
 * @param share aborted when the run's share of time is over
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

/** The erasures whose marks are older than any running request. */
async function settledErasures(deps: Deps): Promise<DueErasure[]> {
  const { table, now } = deps;
  const settled: DueErasure[] = [];
  for (const erasure of await dueErasures(table)) {
    if (now.getTime() - Date.parse(erasure.erasedAt) < SETTLING_MS) continue;
    const customer = await findRecordedCustomer(table, erasure.clickId);
    if (customer?.erasedAt !== undefined) settled.push(erasure);
    // A restore may cut the first write in half. A customer without a mark is marked again; a lost one needs none.
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
