import type { ProcessorEvent } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findProcessorAccount,
  isProcessed,
  processedWrite,
  type WebhookEndpoint,
} from '#lib/service/conversions/processors/processor-accounts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Unprocessed, UnprocessedByPlatform } from '#lib/service/conversions/processors/delivery.ts';
import { forgetAccount, refreshAccount } from '#lib/service/conversions/processors/processor-account.ts';
import { storePromotionCode } from '#lib/service/conversions/processors/store-promotion-code.ts';
import { recordMisnamedPayment } from '#lib/service/conversions/waiting/record-misnamed-payment.ts';
import { readAheadOfPayment, recordPayment } from '#lib/service/conversions/payments/record-payment.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { recordReversal } from '#lib/service/conversions/refunds/record-reversal.ts';

/**
 * Processes an event of the card processor. Events may be repeated and may arrive in any order: the last transaction
 * also stores the event's id, and each earlier one is skipped if it was committed already.
 * @param endpoint the platform's endpoint, or the program whose own endpoint received the event
 * @param admitted rejects if the event exceeds a rate limit; then nothing is done
 * @returns why the event changed nothing; undefined if it had an effect
 */
export async function processEvent(
  deps: Deps,
  event: ProcessorEvent,
  endpoint: number,
  admitted?: Promise<void>,
): Promise<Unprocessed>;
export async function processEvent(
  deps: Deps,
  event: ProcessorEvent,
  endpoint: WebhookEndpoint,
  admitted?: Promise<void>,
): Promise<UnprocessedByPlatform>;
export async function processEvent(
  deps: Deps,
  event: ProcessorEvent,
  endpoint: WebhookEndpoint,
  admitted: Promise<void> = Promise.resolve(),
): Promise<UnprocessedByPlatform> {
  const reason = await retryOnConflict(deps, () => attempt(deps, event, endpoint, admitted));
  if (reason === undefined) return undefined;
  const { programId } = deps.logContext;
  deps.log.info('processor_event_ignored', {
    reason,
    event_type: event.type,
    event_id: event.id,
    program_id: programId,
  });
  return reason;
}

/** Starts the reads of a program's event that depend only on the event. */
export const readAheadOfEvent = (deps: Deps, event: ProcessorEvent, programId: number): readonly Promise<unknown>[] =>
  event.report.kind === 'ignored'
    ? []
    : [
        isProcessed(deps.table, programId, event.id),
        findProgram(deps.table, programId),
        ...(event.report.kind === 'payment' ? readAheadOfPayment(deps, event, event.report.payment, programId) : []),
      ];

async function attempt(
  deps: Deps,
  event: ProcessorEvent,
  endpoint: WebhookEndpoint,
  admitted: Promise<void>,
): Promise<UnprocessedByPlatform> {
  const { table, now } = deps;
  const { report } = event;
  if (report.kind === 'ignored' && !(report.misspelt && event.isLive)) {
    await admitted;
    return report.reason;
  }
  if (endpoint !== 'platform') {
    // These reads are started early, so that they are sent in the same batch as the next read. Their errors are thrown
    // later, where the reads are awaited.
    for (const read of readAheadOfEvent(deps, event, endpoint)) read.catch(() => undefined);
  }
  const [isRepeated] = await Promise.all([isProcessed(table, endpoint, event.id), admitted]);
  if (isRepeated) return 'repeated';
  if (endpoint === 'platform' && report.kind === 'accountChanged') return refreshAccount(deps, event.accountId, report);
  if (endpoint === 'platform' && report.kind === 'accountGone') {
    return forgetAccount(deps, event.accountId, report, processedWrite(endpoint, event.id, now));
  }

  const programs = await programsOf(deps, event, endpoint);
  if (programs.length === 0) return 'unknown_account';
  const scope = endpoint === 'platform' ? (event.accountId ?? '') : String(endpoint);
  const delivery = { event, programs, scope, processed: processedWrite(endpoint, event.id, now) };
  if (report.kind === 'payment') return recordPayment(deps, delivery, report.payment);
  if (report.kind === 'ignored') {
    return (report.misspelt && (await recordMisnamedPayment(deps, delivery, report.misspelt))) ?? report.reason;
  }
  if (report.kind === 'promotionCode' || report.kind === 'discount') return storePromotionCode(deps, delivery, report);
  return report.kind === 'reversal' || report.kind === 'link'
    ? recordReversal(deps, delivery, report)
    : 'other_endpoint';
}

/** The program of the endpoint, or those connected to the event's account. */
async function programsOf({ table }: Deps, event: ProcessorEvent, endpoint: WebhookEndpoint): Promise<Program[]> {
  const account = endpoint === 'platform' ? await findProcessorAccount(table, event.accountId) : undefined;
  const ids = endpoint === 'platform' ? (account?.programIds ?? []) : [endpoint];
  const programs = await Promise.all(ids.map((id) => findProgram(table, id)));
  return programs.filter((program) => program !== undefined);
}
