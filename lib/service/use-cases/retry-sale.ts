import type { Program } from '#lib/domain/program.ts';
import { Refusal } from '#lib/domain/refusals.ts';
import { idInProgram, type SentSale, type StoredUnsoldPayment, type UnsoldReason } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findSale } from '#lib/service/store/sales.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { isRecorded } from '#lib/service/use-cases/list-unsold-payments.ts';
import { recordSale } from '#lib/service/use-cases/record-sale.ts';
import { reasonOfRefusal, reasonOfSale } from '#lib/service/use-cases/why-unsold.ts';

/**
 * Records a sale that the sale endpoint did not, as it would do today; one whose id another program has under an id of its
 * own program.
 * @param writes go into the sale's transaction
 * @returns why it is still no sale; undefined when it is one
 */
export async function retrySale(
  deps: Deps,
  program: Program,
  unsold: StoredUnsoldPayment,
  { facts, paidAt, ...named }: SentSale,
  writes: readonly Write[],
): Promise<UnsoldReason | undefined> {
  if (!deps.config.currencies.includes(facts.currency)) return 'unsupported_currency';
  const having = await findSale(deps.table, facts.transactionId);
  const isTaken = having !== undefined && having.programId !== program.id;
  const transactionId = isTaken ? idInProgram(program.id, facts.transactionId) : facts.transactionId;
  const request = { ...named, facts: { ...facts, transactionId }, occurredAt: new Date(paidAt) };
  try {
    const retry = { transactionId: facts.transactionId, writes };
    return reasonOfSale(await recordSale(deps, request, program.id, retry));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Another retry was faster, or the sale is stored without its commission.
    deps.table.forget();
    return (await isRecorded(deps, program.id, unsold)) ? undefined : (reasonOfRefusal(error) ?? 'unknown_click');
  }
}
