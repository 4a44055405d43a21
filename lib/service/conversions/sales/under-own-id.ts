import { idWithinProgram } from '#lib/service/conversions/waiting/unsold-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';

/**
 * The id under which a retry records a payment: its own, unless another program has it; else that id within the program.
 * Anybody can guess both, and take them first, so the last one has a random end. Retries at the same time may choose
 * different ids: under its own id the payment is known by the item that links that id to the sale, which the sale's
 * transaction writes only where there is none, see `findSamePayment`. Who loses asks again, and finds the sale.
 */
export async function idToRecordUnder(
  { table, random }: Pick<Deps, 'table' | 'random'>,
  programId: number,
  transactionId: string,
): Promise<string> {
  const within = idWithinProgram(programId, transactionId);
  const [having, havingWithin] = await Promise.all([findSale(table, transactionId), findSale(table, within)]);
  if (!having || having.programId === programId) return transactionId;
  return havingWithin ? `${within}_${random.saleIdEnd()}` : within;
}
