import type { Program } from '#lib/service/programs/program/program.ts';
import { Refusal } from '#lib/service/ground/values/refusals.ts';
import type {
  SentSale,
  StoredUnattributedPayment,
  UnattributedReason,
} from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { isClaimedTooLate } from '#lib/service/conversions/payers/customer-of-key.ts';
import { isRecorded } from '#lib/service/conversions/waiting/list-unattributed-payments.ts';
import { recordSale } from '#lib/service/conversions/sales/record-sale.ts';
import { idToRecordUnder } from '#lib/service/conversions/sales/under-own-id.ts';
import { reasonOfRefusal, reasonOfSale } from '#lib/service/conversions/waiting/why-unattributed.ts';

/**
 * Tries again to record a sale that the sale endpoint refused. If another program's sale or a test sale has its
 * transaction id, the sale is recorded under an id that also contains this program's id.
 * @param writes further writes for the sale's transaction
 * @returns why it is still not recorded; undefined if it is recorded
 */
export async function retrySale(
  deps: Deps,
  program: Program,
  stored: StoredUnattributedPayment,
  { facts, paidAt, ...named }: SentSale,
  writes: readonly Write[],
): Promise<UnattributedReason | undefined> {
  if (!deps.config.currencies.includes(facts.currency)) return 'unsupported_currency';
  const transactionId = await idToRecordUnder(deps, program.id, facts.transactionId);
  const request = { ...named, facts: { ...facts, transactionId }, occurredAt: new Date(paidAt) };
  try {
    const retry = { transactionId: facts.transactionId, writes };
    return reasonOfSale(await recordSale(deps, request, program.id, retry));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The sale may exist nevertheless: another retry was faster, or it was stored without its commission.
    deps.table.forget();
    if (await isRecorded(deps, program.id, stored)) return undefined;
    const isTooLate = await isClaimedTooLate(deps.table, program, named.customerKey);
    const reason = reasonOfRefusal(error) ?? (isTooLate ? 'click_after_payment' : 'unknown_click');
    // Another program has used this id since it was chosen. The last id that can be chosen has a random ending.
    return reason === 'id_used_elsewhere'
      ? retrySale(deps, program, stored, { facts, paidAt, ...named }, writes)
      : reason;
  }
}
