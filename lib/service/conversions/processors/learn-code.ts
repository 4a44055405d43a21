import { isOpen } from '#lib/service/programs/links/code.ts';
import { isRealIn } from '#lib/service/programs/program/program.ts';
import type { ProcessorReport } from '#lib/service/conversions/processors/processor-event.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCode, findCodeByProcessorId } from '#lib/service/programs/links/codes-items.ts';
import { discountWrite, promotionCodeWrites } from '#lib/service/conversions/processors/processor-codes-items.ts';
import type { Delivery, Unprocessed } from '#lib/service/conversions/processors/delivery.ts';
import { sellWaitingPayments } from '#lib/service/conversions/waiting/sell-waiting-payments.ts';

type CodeReport = Extract<ProcessorReport, { kind: 'promotionCode' | 'discount' }>;

/**
 * Keeps what the processor tells of a code, then records the payments that waited for it. The event counts as processed
 * when all of them were tried.
 */
export async function learnCode(
  deps: Deps,
  { event, programs, scope, processed }: Delivery,
  report: CodeReport,
): Promise<Unprocessed> {
  const { table } = deps;
  // A test payment waits for a code in a sandbox alone.
  if (!programs.some((program) => isRealIn(program, event.isLive))) return 'test_mode';
  const { kind, id } = report;
  const isPromotionCode = kind === 'promotionCode';
  await table.transact(
    isPromotionCode ? promotionCodeWrites(scope, id, report.code) : [discountWrite(scope, id, report.promotionCodeId)],
  );
  table.forget();
  for (const program of programs) {
    // Most promotion codes are no partner's, and their payments go on waiting.
    const code =
      isPromotionCode &&
      ((await findCodeByProcessorId(table, program.id, id)) ?? (await findCode(table, program.id, report.code)));
    if (!isPromotionCode || (code && isOpen(code, program))) await sellWaitingPayments(deps, program, id);
  }
  await table.transact([processed]);
  return undefined;
}
