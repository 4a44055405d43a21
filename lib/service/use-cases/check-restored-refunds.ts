import { isInReview } from '#lib/domain/commission.ts';
import { sumOf } from '#lib/domain/money.ts';
import { type Refunded, withFullRefund } from '#lib/domain/refund.ts';
import {
  countingOf,
  reducedCommission,
  type RefundShare,
  shareOf,
  withRefundRow,
} from '#lib/domain/refunded-commission.ts';
import { changedAtOf, type Sale } from '#lib/domain/sale.ts';
import { versionAfter } from '#lib/domain/sale-version.ts';
import { timeAfter } from '#lib/domain/versions.ts';
import { changedCommissionWrite } from '#lib/service/store/commissions.ts';
import { keys } from '#lib/service/store/keys.ts';
import { refundEventWrites, refundShareWrites, storedRefundsOf } from '#lib/service/store/refunds.ts';
import { findCommission, findSale } from '#lib/service/store/sales.ts';
import { MOST_WRITES, type Write } from '#lib/service/store/writes.ts';
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
  const changedAt = timeAfter(now, changedAtOf(sale)).toISOString();
  const after: Sale =
    saleIsBehind && reason !== 'dispute_won'
      ? withFullRefund({ ...sale, refundedCents: stepsCents, refundReason: reason, changedAt }, now)
      : sale;
  const reduced = commission && reducedCommission(commission, after);
  const share = shareOf(commission, reduced);
  const missingStep = {
    reason,
    createdAt: changedAt,
    amountCents: sale.refundedCents - stepsCents,
    refundedCents: sale.refundedCents,
  };
  // The commission may know of the step already.
  const missingShare = {
    deductionCents: (reduced?.deductedCents ?? 0) - sumOf(steps.map(({ deductionCents }) => deductionCents)),
    feeReductionCents:
      (reduced?.platformFee.reducedCents ?? 0) - sumOf(steps.map(({ feeReductionCents }) => feeReductionCents)),
  };
  const writes = [
    ...(saleIsBehind ? [refundTotalWrite(sale, after)] : []),
    ...(missingStep.amountCents > 0
      ? await stepWrites(restored, {
          sale,
          commission,
          steps: [{ ...missingStep, ...missingShare, ...countingOf(commission) }],
        })
      : []),
    ...(commission &&
    reduced &&
    (share.deductionCents !== 0 || share.feeReductionCents !== 0 || reduced.status !== commission.status)
      ? [changedCommissionWrite(commission, withRefundRow(commission, reduced, reason, { actor: 'operator', at: now }))]
      : []),
  ];
  if (writes.length > 0) await repair(restored, `sale ${transactionId}: its refund`, writes);
  await checkHeldShares(restored, transactionId);
}

/**
 * What refunds took of a commission while it was held counts with the commission, everything else with the refund. Where
 * both disagree, refunds of a held one count with it, and a released one counts without those that say so.
 */
async function checkHeldShares(restored: RestoredProgram, transactionId: string): Promise<void> {
  const { table } = restored.deps;
  const [commission, steps] = await Promise.all([
    findCommission(table, transactionId),
    storedRefundsOf(table, transactionId),
  ]);
  if (commission?.heldAt === undefined) return;
  const what = `sale ${transactionId}: the shares of its refunds in a commission that a rule has held`;
  if (isInReview(commission)) {
    const others = steps.filter((step) => !step.whileHeld && (step.deductionCents || step.feeReductionCents));
    const writes = refundShareWrites(others, others.map(sharesOf), commission.currency, countingOf(commission));
    // Two hundred refunds are more than one transaction takes; each is right by itself.
    for (let at = 0; at < writes.length; at += MOST_WRITES) {
      await repair(restored, what, writes.slice(at, at + MOST_WRITES));
    }
    return;
  }
  const whileHeld = steps.filter((step) => step.whileHeld);
  const heldDeductedCents = sumOf(whileHeld.map(({ deductionCents }) => deductionCents)) || undefined;
  const heldReducedCents = sumOf(whileHeld.map(({ feeReductionCents }) => feeReductionCents)) || undefined;
  const { platformFee } = commission;
  if (commission.heldDeductedCents === heldDeductedCents && platformFee.heldReducedCents === heldReducedCents) return;
  const counted = { ...commission, heldDeductedCents, platformFee: { ...platformFee, heldReducedCents } };
  await repair(restored, what, [changedCommissionWrite(commission, counted)]);
}

const sharesOf = ({ deductionCents, feeReductionCents }: RefundShare): RefundShare => ({
  deductionCents,
  feeReductionCents,
});

const refundTotalWrite = (before: Sale, after: Sale): Write => {
  const { transactionId, refundedCents, refundReason, fullyRefundedAt, changedAt } = after;
  return {
    name: 'sale',
    key: keys.sale(transactionId),
    change: { set: { refundedCents, refundReason, fullyRefundedAt, changedAt, version: versionAfter(before, after) } },
    condition: { equals: { refundedCents: before.refundedCents } },
  };
};

const stepWrites = async ({ deps: { ids, table } }: RestoredProgram, refunded: Refunded): Promise<Write[]> =>
  refundEventWrites(refunded, [{ id: await ids.take(table) }]);
