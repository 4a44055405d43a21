import { type Code, isOpen } from '#lib/service/programs/links/code.ts';
import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { doneGivenCodeWrite, firstGivenCodes } from '#lib/service/programs/links/given-codes-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { promotionCodesOfText } from '#lib/service/conversions/processors/processor-codes-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { retryWaitingPayments } from '#lib/service/conversions/waiting/retry-waiting-payments.ts';

/** The maximum number of payments that waited for one promotion code which a request records. It has no time for more. */
const MOST = 100;

/**
 * After an owner added or changed a coupon code, records the payments that waited for it. The code stays stored even if
 * this fails: the error is logged, and the schedule records the payments left.
 */
export async function recordWaitingForCode(deps: Deps, code: Code): Promise<void> {
  try {
    if (await recordWaiting(deps, code, MOST)) await deps.table.transact([doneGivenCodeWrite(code)]);
  } catch (error) {
    deps.log.error('waiting_payments_failed', error, { program_id: code.programId });
  }
}

/** @returns whether every payment was tried */
async function recordWaiting(deps: Deps, code: Code, most?: number): Promise<boolean> {
  const { table } = deps;
  table.forget();
  const program = await findProgram(table, code.programId);
  if (!program || !isOpen(code, program)) return true;
  const { accountId } = program.processor ?? {};
  const scopes = [String(program.id), ...(accountId === undefined ? [] : [accountId])];
  const ofText = await Promise.all(scopes.map((scope) => promotionCodesOfText(table, scope, code.code)));
  const ids = new Set([...(code.processorCodeId === undefined ? [] : [code.processorCodeId]), ...ofText.flat()]);
  let isDone = true;
  for (const id of ids) if (!(await retryWaitingPayments(deps, program, id, most))) isDone = false;
  return isDone;
}

/** Maximum number of codes for which one run of the schedule records payments. */
const AT_ONCE = 100;

/**
 * Records payments that waited for codes of new partners, and those that requests left for other codes. The next run
 * continues where this one ends. If the payments of one code cannot be recorded, those of the following codes still are.
 */
export async function recordWaitingForGivenCodes(deps: Deps): Promise<void> {
  const { table } = deps;
  const failures: unknown[] = [];
  for (const given of await firstGivenCodes(table, AT_ONCE)) {
    if (deps.ending?.aborted) return;
    try {
      const code = await findCode(table, given.programId, given.code);
      if (code) await recordWaiting(deps, code);
      await table.transact([doneGivenCodeWrite(given)]);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
