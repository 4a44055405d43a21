import { idWithinProgram } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { recordsPaymentOf } from '#lib/service/conversions/sales/sale.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';

/**
 * Returns the transaction id under which a retry records a payment. This is the payment's own id; if another program
 * or a test sale uses that id, it is the id with the program's id as prefix; if that is used as well, an id with a
 * random ending, which no one can guess. Concurrent retries may choose different ids, but only one succeeds: the sale's
 * transaction links the original id to the sale (see `findSamePayment`), and the other request reloads and finds the
 * sale.
 */
export async function idToRecordUnder(
  { table, random }: Pick<Deps, 'table' | 'random'>,
  programId: number,
  transactionId: string,
): Promise<string> {
  const within = idWithinProgram(programId, transactionId);
  const [having, havingWithin] = await Promise.all([findSale(table, transactionId), findSale(table, within)]);
  if (!having || recordsPaymentOf(programId, having)) return transactionId;
  return havingWithin ? `${within}_${random.saleIdEnd()}` : within;
}
