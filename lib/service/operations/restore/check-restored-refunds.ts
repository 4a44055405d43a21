import { isInReview, lateDeductionOf } from '#lib/service/earnings/commissions/commission.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import { type Refunded, withFullRefund } from '#lib/service/conversions/refunds/refund.ts';
import {
  countingOf,
  reducedCommission,
  type RefundShare,
  type RefundStep,
  shareOf,
  withRefundRow,
} from '#lib/service/conversions/refunds/refunded-commission.ts';
import { isReportedByProcessor, wasCorrected, withRestoredTotal } from '#lib/service/conversions/refunds/reversals.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import { changedCommissionWrite } from '#lib/service/earnings/commissions/commissions-items.ts';
import { namedRefundsOf } from '#lib/service/conversions/refunds/named-refunds-items.ts';
import {
  refundEventWrites,
  refundShareWrites,
  type StoredRefund,
  storedRefundsOf,
} from '#lib/service/conversions/refunds/refunds-items.ts';
import { changedSaleWrite, findCommission, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { MOST_WRITES, type Write } from '#lib/service/ground/table/writes.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Makes the refund steps of a sale, its named refunds, its total and its commission agree. They get the highest of
 * their totals, unless a stored correction shows that a lower one is right. Reports of the processor are stored by
 * charge and dispute and cannot be derived from a total, so the processor must send its events again.
 */
export async function checkRestoredRefunds(restored: RestoredProgram, { transactionId }: Sale): Promise<void> {
  const { table, now } = restored.deps;
  const [sale, commission, steps, named] = await Promise.all([
    findSale(table, transactionId),
    findCommission(table, transactionId),
    storedRefundsOf(table, transactionId),
    namedRefundsOf(table, transactionId),
  ]);
  if (!sale) return;
  const last = steps.at(-1);
  const stepsCents = sumOf(steps.map(({ amountCents }) => amountCents));
  const totalCents = totalOf(sale, steps, stepsCents);
  const isProcessors = isReportedByProcessor(sale) || last?.source === 'processor' || last?.reason === 'dispute_won';
  if (totalCents !== sale.refundedCents && isProcessors) {
    return void restored.unrepaired.push(`sale ${transactionId}: a refund of the processor; send its events again`);
  }
  const saleIsBehind = totalCents > sale.refundedCents;
  const refundReason = (saleIsBehind && last?.reason === 'chargeback' ? last.reason : sale.refundReason) ?? 'refund';
  const namedCents = sumOf(named.map(({ amountCents }) => amountCents));
  const part = withRestoredTotal(sale, { namedCents, totalCents }, refundReason);
  const changedAt = timeAfter(now, changedAtOf(sale)).toISOString();
  const after: Sale = part ? withFullRefund({ ...sale, ...part, changedAt }, now) : sale;
  const isLower = after.refundedCents < Math.max(stepsCents, sale.refundedCents);
  const reason: RefundStep['reason'] = isLower ? 'correction' : refundReason;
  const reduced = commission && reducedCommission(commission, after);
  const share = shareOf(commission, reduced);
  const missingStep = {
    reason,
    createdAt: changedAt,
    amountCents: after.refundedCents - stepsCents,
    refundedCents: after.refundedCents,
  };
  const counted: readonly RefundShare[] = [...steps, ...(commission ? [lateDeductionOf(commission)] : [])];
  // The commission may already include what this step deducts.
  const missingShare = {
    deductionCents: (reduced?.deductedCents ?? 0) - sumOf(counted.map(({ deductionCents }) => deductionCents)),
    feeReductionCents:
      (reduced?.platformFee.reducedCents ?? 0) - sumOf(counted.map(({ feeReductionCents }) => feeReductionCents)),
  };
  const writes = [
    ...(part ? [changedSaleWrite(sale, after)] : []),
    ...(missingStep.amountCents === 0
      ? []
      : await stepWrites(restored, {
          sale,
          commission,
          steps: [{ ...missingStep, ...missingShare, ...countingOf(commission) }],
        })),
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
 * The refunded total of a sale. A restore may have lost the newest correction in part: either the sale's lower total is
 * missing, or the correction's step.
 */
function totalOf(sale: Sale, steps: readonly StoredRefund[], stepsCents: number): number {
  const isStepMissing = wasCorrected(sale) && steps.every(({ reason }) => reason !== 'correction');
  if (isStepMissing) return sale.refundedCents;
  const last = steps.at(-1);
  const lacksLast = last?.reason === 'correction' && sale.refundedCents === last.refundedCents - last.amountCents;
  return lacksLast ? stepsCents : Math.max(stepsCents, sale.refundedCents);
}

/**
 * Repairs how refunds are counted if a rule has held the commission. While it is held, all of its refunds must be
 * marked as made during that time. After its release, the sums of the marked deductions must be stored with the
 * commission.
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
    // One transaction cannot contain two hundred refunds, so they are written in several. Each write is correct by
    // itself.
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

const stepWrites = async ({ deps: { ids, table } }: RestoredProgram, refunded: Refunded): Promise<Write[]> =>
  refundEventWrites(refunded, [{ id: await ids.take(table) }]);
