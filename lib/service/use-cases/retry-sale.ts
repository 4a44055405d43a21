import type { Program } from '#lib/domain/program.ts';
import { noPartnerRelation, Refusal } from '#lib/domain/refusals.ts';
import { idInProgram, type SentSale, type StoredUnsoldPayment, type UnsoldReason } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { isRecorded } from '#lib/service/use-cases/list-unsold-payments.ts';
import { recordSale } from '#lib/service/use-cases/record-sale.ts';

/**
 * Records a sale whose id another program has, under an id of its own program, as the sale endpoint would have done.
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
  const transactionId = idInProgram(program.id, facts.transactionId);
  const request = { ...named, facts: { ...facts, transactionId }, occurredAt: new Date(paidAt) };
  try {
    const sale = await recordSale(deps, request, program.id, { transactionId: facts.transactionId, writes });
    if (sale.attributed) return undefined;
    return sale.isClickTooLate ? 'click_after_payment' : 'attribution_window_expired';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Another retry was faster, or the sale is stored without its commission.
    deps.table.forget();
    return (await isRecorded(deps, program.id, unsold)) ? undefined : reasonOf(error);
  }
}

function reasonOf({ message, parts: { code } }: Refusal): UnsoldReason {
  if (code === 'duplicate_transaction') return 'id_used_elsewhere';
  return message === noPartnerRelation().message ? 'no_partner_relation' : 'unknown_click';
}
