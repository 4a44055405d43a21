import { findCode } from '#lib/service/programs/links/codes-items.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { type Code, isOpen } from '#lib/service/programs/links/code.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { promotionCodesOfText } from '#lib/service/conversions/processors/processor-codes-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { retryWaitingPayments } from '#lib/service/conversions/waiting/retry-waiting-payments.ts';

/** Maximum number of payments for which a request has time. */
const MOST = 300;

/**
 * Records payments that waited for a coupon code that an owner has just added or changed. The code is stored in any
 * case: an error is logged, and the rest is recorded at the code's next change.
 */
export async function recordWaitingForCode(deps: Deps, code: Code): Promise<void> {
  const { table, log } = deps;
  try {
    table.forget();
    const program = await findProgram(table, code.programId);
    if (!program || !isOpen(code, program)) return;
    const { accountId } = program.processor ?? {};
    const scopes = [String(program.id), ...(accountId === undefined ? [] : [accountId])];
    const ofText = await Promise.all(scopes.map((scope) => promotionCodesOfText(table, scope, code.code)));
    const ids = new Set([...(code.processorCodeId === undefined ? [] : [code.processorCodeId]), ...ofText.flat()]);
    for (const id of ids) await retryWaitingPayments(deps, program, id, MOST);
  } catch (error) {
    log.error('waiting_payments_failed', error, { program_id: code.programId });
  }
}

/** Records payments that waited for the code that the brand wished for a partner, who is active now. */
export async function recordWaitingForWish(deps: Deps, { programId, id, wishedCode }: Partner): Promise<void> {
  if (wishedCode === undefined) return;
  deps.table.forget();
  const code = await findCode(deps.table, programId, wishedCode).catch((error: unknown) => {
    deps.log.error('waiting_payments_failed', error, { program_id: programId });
    return undefined;
  });
  if (code?.partnerId === id) await recordWaitingForCode(deps, code);
}
