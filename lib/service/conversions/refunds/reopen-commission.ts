import { ofSale } from '#lib/service/earnings/commissions/commission.ts';
import { checkMayPay, type Decider, type Decision } from '#lib/service/earnings/commissions/decide-commission.ts';
import { awaitingMonthWrites } from '#lib/service/earnings/commissions/awaiting-month-items.ts';
import { reopenedCommission } from '#lib/service/conversions/refunds/reopened-commission.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { changedSaleWrite, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Takes back an approval or a rejection. From then on, only a person can approve the commission. A commission that is
 * already reopened is returned unchanged.
 * @param reason 1 to 500 characters
 */
export const reopening =
  ({ table, now }: Deps, reason: string, decider: Decider): Decision =>
  async (commission, program) => {
    if (commission.status === 'pending' && commission.byHand) return { after: commission };
    checkMayPay(decider, commission, program);
    const rejected = commission.status === 'rejected' ? ofSale(commission) : undefined;
    const sale = await findSale(table, rejected?.transactionId);
    const after = reopenedCommission(commission, sale, reason, { actor: decider.actor, at: now });
    return { after, writes: sale ? [touchedSaleWrite(sale, now), ...awaitingMonthWrites(after)] : [] };
  };

/**
 * Closes the race with a refund. A refund that finds the commission rejected deducts nothing from it, so after the
 * reopening its deduction would be missing. Both change the sale, so the second one to commit reloads and decides
 * again.
 */
const touchedSaleWrite = (sale: Sale, now: Date): Write =>
  changedSaleWrite(sale, { ...sale, changedAt: timeAfter(now, changedAtOf(sale)).toISOString() });
