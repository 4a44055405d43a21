import { currencyOfSale } from '#lib/domain/currency-of-sale.ts';
import type { Program } from '#lib/domain/program.ts';
import { Refusal } from '#lib/domain/refusals.ts';
import type { UnsoldReason } from '#lib/domain/unsold-payment.ts';
import { mayCountTwice } from '#lib/domain/double-count.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { noteUnsoldSale } from '#lib/service/use-cases/note-unsold-sale.ts';
import { type RecordedSale, recordSale, type SentSaleRequest } from '#lib/service/use-cases/record-sale.ts';
import { resolveCustomer } from '#lib/service/use-cases/resolve-customer.ts';
import { reasonOfRefusal, reasonOfSale } from '#lib/service/use-cases/why-unsold.ts';

/**
 * Records a sale that the brand's server sent. One that is not recorded, though it names somebody, is listed for the
 * owner; what is answered never depends on that.
 * @returns with it, whether the program's processor may report the same payment
 * @throws Refusal as `recordSale`, and for a currency that the installation does not take
 */
export async function recordSentSale(
  deps: Deps,
  sent: SentSaleRequest,
  programId: number,
): Promise<{ readonly sale: RecordedSale; readonly mayCountTwice: boolean }> {
  deps.logContext.programId = programId;
  // It is among the reads that have begun: nobody waits for it longer than for the sale's own.
  const program = await findProgram(deps.table, programId);
  if (!program) throw new Error(`A key names program ${programId}, which does not exist`);
  try {
    const currency = currencyOfSale(sent.facts.currency, program, deps.config.currencies);
    const sale = await recordSale(deps, { ...sent, facts: { ...sent.facts, currency } }, programId);
    const reason = reasonOfSale(sale);
    if (reason) await list(deps, sent, program, reason);
    return { sale, mayCountTwice: sale.attributed && mayCountTwice(sent.facts, program.processor) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = reasonOfRefusal(error);
    // A collision with another program is the operator's to know, too.
    if (reason === 'id_used_elsewhere') {
      deps.log.warn(reason, { program_id: programId, sale_id: Number(error.parts.details?.sale_id) });
    }
    if (reason) await list(deps, sent, program, reason);
    throw error;
  }
}

/** The reply must not depend on these reads and writes. */
async function list(deps: Deps, sent: SentSaleRequest, program: Program, reason: UnsoldReason): Promise<void> {
  try {
    if (reason === 'unsupported_currency' && !(await resolveCustomer(deps, sent, program.id))) return;
    await noteUnsoldSale(deps, sent, program, reason);
  } catch (error) {
    deps.log.error('unsold_payment_unnoted', error, { program_id: program.id });
  }
}
