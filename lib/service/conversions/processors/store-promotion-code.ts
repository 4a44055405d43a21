import { isOpen } from '#lib/service/programs/links/code.ts';
import { isRealIn } from '#lib/service/programs/program/program.ts';
import type { ProcessorReport } from '#lib/service/conversions/processors/processor-event.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCode, findCodeByProcessorId } from '#lib/service/programs/links/codes-items.ts';
import { discountWrite, promotionCodeWrites } from '#lib/service/conversions/processors/processor-codes-items.ts';
import type { Delivery, Unprocessed } from '#lib/service/conversions/processors/delivery.ts';
import { retryWaitingPayments } from '#lib/service/conversions/waiting/retry-waiting-payments.ts';

type CodeReport = Extract<ProcessorReport, { kind: 'promotionCode' | 'discount' }>;

/**
 * Stores the text of a promotion code, or the promotion code of a discount, and then retries the payments that waited
 * for it. After all of them were tried, the event is marked as processed.
 */
export async function storePromotionCode(
  deps: Deps,
  { event, programs, scope, processed }: Delivery,
  report: CodeReport,
): Promise<Unprocessed> {
  const { table } = deps;
  // Only payments that count wait for a code: in a sandbox program Stripe's test payments, elsewhere live ones. So an
  // event is ignored if payments of its mode count in none of the programs.
  if (!programs.some((program) => isRealIn(program, event.isLive))) return 'test_mode';
  const { kind, id } = report;
  const isPromotionCode = kind === 'promotionCode';
  await table.transact(
    isPromotionCode ? promotionCodeWrites(scope, id, report.code) : [discountWrite(scope, id, report.promotionCodeId)],
  );
  table.forget();
  for (const program of programs) {
    // Most promotion codes belong to no partner. Their payments are not tried again and keep waiting.
    const code =
      isPromotionCode &&
      ((await findCodeByProcessorId(table, program.id, id)) ?? (await findCode(table, program.id, report.code)));
    if (!isPromotionCode || (code && isOpen(code, program))) await retryWaitingPayments(deps, program, id);
  }
  await table.transact([processed]);
  return undefined;
}
