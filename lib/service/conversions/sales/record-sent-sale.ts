import { currencyOfSale } from '#lib/service/conversions/sales/currency-of-sale.ts';
import { TOO_LATE_FOR_PAYER } from '#lib/service/conversions/payers/unattributed-payer.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { Refusal } from '#lib/service/ground/values/refusals.ts';
import type { UnattributedReason } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import { mayCountTwice } from '#lib/service/conversions/sales/double-count.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { isClaimedTooLate, rememberUnattributedKey } from '#lib/service/conversions/payers/customer-of-key.ts';
import { recordUnattributedSale } from '#lib/service/conversions/waiting/record-unattributed-sale.ts';
import { type RecordedSale, recordSale, type SentSaleRequest } from '#lib/service/conversions/sales/record-sale.ts';
import { resolveCustomer } from '#lib/service/conversions/attribution/resolve-customer.ts';
import { reasonOfRefusal, reasonOfSale } from '#lib/service/conversions/waiting/why-unattributed.ts';

/**
 * Records a sale sent by the brand's server. If it has a customer but cannot be recorded, the program's owner sees it
 * in the list of unattributed payments; the reply is the same.
 * @returns the sale, and whether the program's processor may report the same payment
 * @throws Refusal as `recordSale`, and if the installation does not support the currency
 */
export async function recordSentSale(
  deps: Deps,
  sent: SentSaleRequest,
  programId: number,
): Promise<{ readonly sale: RecordedSale; readonly mayCountTwice: boolean }> {
  deps.logContext.programId = programId;
  // This read was started ahead, so waiting for it takes hardly any time.
  const program = await findProgram(deps.table, programId);
  if (!program) throw new Error(`A key names program ${programId}, which does not exist`);
  try {
    const currency = currencyOfSale(sent.facts.currency, program, deps.config.currencies);
    const sale = await recordSale(deps, { ...sent, facts: { ...sent.facts, currency } }, programId);
    const reason = reasonOfSale(sale);
    if (reason) await listForOwner(deps, sent, program, { reason, isUnattributed: true });
    return { sale, mayCountTwice: sale.attributed && mayCountTwice(sent.facts, program.processor) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = reasonOfRefusal(error);
    // The transaction id belongs to a sale of another program or to a test sale, which is also logged for the operator.
    if (reason === 'id_used_elsewhere') {
      deps.log.warn(reason, { program_id: programId, sale_id: Number(error.parts.details?.sale_id) });
    }
    await listForOwner(deps, sent, program, { reason, isUnattributed: error.parts.code === 'no_attribution' });
    throw error;
  }
}

/** Why a sale was not recorded. */
interface NotRecorded {
  /** The reason in the owner's list of unattributed payments; undefined if the sale is not listed there. */
  readonly reason: UnattributedReason | undefined;
  /** True if the payment belongs to no customer of a partner. */
  readonly isUnattributed: boolean;
}

/**
 * Adds a sale that was not recorded to the owner's list of unattributed payments if it belongs there, and remembers its
 * payer. Errors are only logged, because the reply must not depend on them.
 */
async function listForOwner(deps: Deps, sent: SentSaleRequest, program: Program, cause: NotRecorded): Promise<void> {
  const { table, now } = deps;
  const { customerKey, occurredAt: paidAt = now } = sent;
  try {
    const hasNoCustomer = cause.reason === 'unsupported_currency' && !(await resolveCustomer(deps, sent, program.id));
    const isUnattributed = cause.isUnattributed || hasNoCustomer;
    const isTooLate = isUnattributed && !cause.reason && (await isClaimedTooLate(table, program, customerKey));
    if (isUnattributed && customerKey) await rememberUnattributedKey(deps, program.id, customerKey, paidAt);
    if (isTooLate) await recordUnattributedSale(deps, sent, program, 'click_after_payment', TOO_LATE_FOR_PAYER);
    else if (cause.reason && !hasNoCustomer) await recordUnattributedSale(deps, sent, program, cause.reason);
  } catch (error) {
    deps.log.error('unsold_payment_unnoted', error, { program_id: program.id });
  }
}
