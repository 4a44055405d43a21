import { sumOf } from '#lib/domain/money.ts';
import { type Refunded, withFullRefund } from '#lib/domain/refund.ts';
import { countingOf, reducedCommission, shareOf, withRefundRow } from '#lib/domain/refunded-commission.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { changedCommissionWrite } from '#lib/service/store/commissions.ts';
import { keys } from '#lib/service/store/keys.ts';
import { refundEventWrites, storedRefundsOf } from '#lib/service/store/refunds.ts';
import { findCommission, findSale } from '#lib/service/store/sales.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { repair, type RestoredProgram } from '#lib/service/use-cases/restored-program.ts';

/**
 * Brings the steps of a sale's refunds, the sale's total and the commission to the same total, the highest of them. The
 * processor's reports are stored by charge and dispute, which a total does not show: its events must be sent again.
 */
export async function checkRestoredRefunds(restored: RestoredProgram, { transactionId }: Sale): Promise<void> {
  const { table, now } = restored.deps;
  const [sale, commission, steps] = await Promise.all([
    findSale(table, transactionId),
    findCommission(table, transactionId),
    storedRefundsOf(table, transactionId),
  ]);
  if (!sale) return;
  const last = steps.at(-1);
  const stepsCents = sumOf(steps.map(({ amountCents }) => amountCents));
  const saleIsBehind = stepsCents > sale.refundedCents;
  const isProcessors = sale.reversals || last?.source === 'processor' || last?.reason === 'dispute_won';
  if (saleIsBehind && isProcessors) {
    return void restored.unrepaired.push(`sale ${transactionId}: a refund of the processor; send its events again`);
  }
  const reason = (saleIsBehind ? last?.reason : sale.refundReason) ?? 'refund';
  const after: Sale =
    saleIsBehind && reason !== 'dispute_won'
      ? withFullRefund({ ...sale, refundedCents: stepsCents, refundReason: reason }, now)
      : sale;
  const reduced = commission && reducedCommission(commission, after);
  const share = shareOf(commission, reduced);
  const missingStep = { reason, amountCents: sale.refundedCents - stepsCents, refundedCents: sale.refundedCents };
  const writes = [
    ...(saleIsBehind ? [refundTotalWrite(sale, after)] : []),
    ...(missingStep.amountCents > 0
      ? await stepWrites(restored, {
          sale,
          commission,
          steps: [{ ...missingStep, ...share, ...countingOf(commission) }],
        })
      : []),
    ...(commission && reduced && (share.deductionCents !== 0 || reduced.status !== commission.status)
      ? [changedCommissionWrite(commission, withRefundRow(commission, reduced, reason, { actor: 'operator', at: now }))]
      : []),
  ];
  if (writes.length > 0) await repair(restored, `sale ${transactionId}: its refund`, writes);
}

const refundTotalWrite = (
  { refundedCents: before }: Sale,
  { transactionId, refundedCents, refundReason, fullyRefundedAt }: Sale,
): Write => ({
  name: 'sale',
  key: keys.sale(transactionId),
  change: { set: { refundedCents, refundReason, fullyRefundedAt } },
  condition: { equals: { refundedCents: before } },
});

const stepWrites = async ({ deps: { ids, table, now } }: RestoredProgram, refunded: Refunded): Promise<Write[]> =>
  refundEventWrites(refunded, [{ id: await ids.take(table), createdAt: now.toISOString() }]);
