import { idsInProgram } from '#lib/domain/unsold-payment.ts';
import { findSale } from '#lib/service/store/sales.ts';
import type { Table } from '#lib/service/store/table.ts';

/**
 * The id under which a retry records a payment: its own, unless another program has it; else the first of the ids within
 * the program that no sale has. The sale's own write decides: who loses an id to somebody else asks again. Under its own
 * id the payment stays known by the item that links that id to the sale, see `readSamePayment`.
 * @returns undefined when all of them are taken
 */
export async function idToRecordUnder(
  table: Table,
  programId: number,
  transactionId: string,
): Promise<string | undefined> {
  const having = await findSale(table, transactionId);
  if (!having || having.programId === programId) return transactionId;
  for (const id of idsInProgram(programId, transactionId)) {
    if (!(await findSale(table, id))) return id;
  }
  return undefined;
}
