import { restoreIsNotOver } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import {
  type Raised,
  raiseSequences,
  recordedSince,
  type Restore,
  whatIs,
} from '#lib/service/operations/restore/restored-items.ts';
import { everyProgram } from '#lib/service/programs/program/programs-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { checkManualCommission } from '#lib/service/operations/restore/check-restored-commission.ts';
import { checkCodes, checkCustomerOfCode } from '#lib/service/operations/restore/check-restored-codes.ts';
import { checkRestoredCustomer } from '#lib/service/operations/restore/check-restored-customer.ts';
import { checkPartners, checkWords } from '#lib/service/operations/restore/check-restored-partners.ts';
import { checkRestoredPayouts } from '#lib/service/operations/restore/check-restored-payouts.ts';
import { checkRestoredSale } from '#lib/service/operations/restore/check-restored-sale.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

export interface RestoreCheck {
  /** Number of customers, sales and manual commissions checked. */
  readonly checked: number;
  readonly repaired: readonly string[];
  /** What could not be repaired, so that a person must decide. */
  readonly unrepaired: readonly string[];
  readonly sequences: Readonly<Record<string, Raised>>;
}

/**
 * How far before the restore's point in time records are checked. If a transaction was made at that time, the restore
 * may contain only a part of it. No write takes nearly as long as this.
 */
const LOOK_BACK_MS = 15 * 60_000;

/**
 * Repairs a table that was restored to a point in time. Two things can be wrong: transactions made at that moment may
 * be incomplete, and the table's sequences would issue ids again that callers already have. Incomplete records are
 * completed. A commission whose sale is lost is removed, so that the sale can be sent again. Repeating it changes
 * nothing more.
 * @throws Refusal for a time in the future
 */
export async function checkRestore(deps: OperatorDeps, restore: Restore): Promise<RestoreCheck> {
  const { table, now } = deps;
  const { restoredTo } = restore;
  if (restoredTo > now) throw restoreIsNotOver();
  const sequences = await raiseSequences(deps, restore);
  const since = new Date(restoredTo.getTime() - LOOK_BACK_MS).toISOString();
  const [repaired, unrepaired]: [string[], string[]] = [[], []];
  let checked = 0;
  for await (const program of everyProgram(table, sequences.program.from)) {
    const restored: RestoredProgram = { deps, program, repaired, unrepaired };
    const touched = await touchedSince(restored, since);
    checked += touched.clickIds.size + touched.transactionIds.size + touched.manual.size;
    for (const transactionId of touched.transactionIds) await checkCustomerOfCode(restored, transactionId);
    for (const clickId of touched.clickIds) {
      await checkRestoredCustomer(restored, clickId, touched.leadNames.get(clickId));
    }
    for (const transactionId of touched.transactionIds) {
      await checkRestoredSale(restored, transactionId, touched.names.get(transactionId));
    }
    for (const commissionId of touched.manual) await checkManualCommission(restored, commissionId);
    await checkCodes(restored);
    await checkPartners(restored);
    await checkWords(restored);
    await checkRestoredPayouts(restored);
  }
  await checkNotes(deps, repaired);
  return { checked, repaired, unrepaired, sequences };
}

/** The records of a program that were written shortly before the time of the restore. */
interface Touched {
  readonly clickIds: ReadonlySet<string>;
  readonly transactionIds: ReadonlySet<string>;
  /** Keys of the commissions' name items, by the sale that earned the commission. */
  readonly names: ReadonlyMap<string, Key>;
  /** Keys of the commissions' name items, by the customer whose lead earned the commission. */
  readonly leadNames: ReadonlyMap<string, Key>;
  /** Ids of manual commissions. */
  readonly manual: ReadonlySet<number>;
}

async function touchedSince({ deps: { table }, program }: RestoredProgram, since: string): Promise<Touched> {
  const [clickIds, transactionIds, names] = [new Set<string>(), new Set<string>(), new Map<string, Key>()];
  const leadNames = new Map<string, Key>();
  const manual = new Set<number>();
  for await (const { pk, sk } of recordedSince(table, program.id, since)) {
    const { transactionId, clickId, commissionId, isName } = whatIs({ pk, sk });
    if (commissionId !== undefined) manual.add(commissionId);
    if (clickId !== undefined) clickIds.add(clickId);
    if (transactionId !== undefined) transactionIds.add(transactionId);
    if (isName && transactionId !== undefined) names.set(transactionId, { pk, sk });
    if (isName && clickId !== undefined) leadNames.set(clickId, { pk, sk });
  }
  for (const transactionId of transactionIds) {
    const clickId = (await findSale(table, transactionId))?.attribution?.clickId;
    if (clickId !== undefined) clickIds.add(clickId);
  }
  table.forget();
  return { clickIds, transactionIds, names, leadNames, manual };
}

/** Removes entries of the list for `sale repair` whose sale is lost. `sale repair --all` would fail at each. */
async function checkNotes(deps: OperatorDeps, repaired: string[]): Promise<void> {
  const notes = await deps.table.query<Key & { readonly transactionId: string }>(keys.saleToRepair('', '').pk);
  for (const { pk, sk, transactionId } of notes) {
    if (await findSale(deps.table, transactionId)) continue;
    await repair({ deps, repaired }, `sale ${transactionId}: lost and can be sent again`, [
      { name: 'toRepair', key: { pk, sk }, remove: true },
    ]);
  }
}
