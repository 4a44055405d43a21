import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Refunded } from '#lib/service/conversions/refunds/refund.ts';
import {
  countingOf,
  type RefundShare,
  type RefundStep,
  type StepCounting,
} from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { changedCommissionWrite } from '#lib/service/earnings/commissions/commissions-items.ts';
import { feedOf, type IndexKey, indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { changedSaleWrite } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A step of a refund as an event of its sale. */
export interface RefundEvent {
  readonly id: number;
  readonly refundReason?: string;
  /** Absent: it came through the API. */
  readonly source?: 'processor';
}

/** A refund step as it is stored. */
export interface StoredRefund extends RefundEvent, RefundStep {
  readonly programId: number;
  readonly saleId: number;
  readonly transactionId: string;
  readonly partnerId?: number;
  /** Absent on refunds made before links counted their money. */
  readonly shortLink?: string;
  readonly clickId?: string;
  readonly isTest?: boolean;
  readonly currency: Currency;
  /** Of the deduction, which a fixed commission has in another currency than its sale. */
  readonly commissionCurrency?: string;
}

/**
 * Refunds of a sale, oldest first; of one moment in the order of their ids, which keys hold as text.
 * @param most the newest ones; absent = all
 */
export async function storedRefundsOf(table: Table, transactionId: string, most?: number): Promise<StoredRefund[]> {
  const newest = most === undefined ? {} : { most, newestFirst: true };
  const found = await table.query<StoredRefund>(keys.sale(transactionId).pk, { prefix: 'REFUND#', ...newest });
  return found.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id);
}

/** Writes that store on a sale's refunds their deductions from a commission that was made, or made anew, after them. @param counting absent: it stays */
export const refundShareWrites = (
  refunds: readonly StoredRefund[],
  shares: readonly RefundShare[],
  commissionCurrency: string,
  counting: StepCounting = {},
): Write[] =>
  shares.map((share, index) => {
    const { transactionId, createdAt, id } = refunds[index]!;
    return {
      name: 'refund',
      key: keys.refund(transactionId, createdAt, id),
      change: { set: { ...share, ...counting, commissionCurrency } },
      condition: { exists: true },
    };
  });

/** The same of refunds whose sale is another customer's now. */
export const reattributedRefundWrites = (
  refunds: readonly StoredRefund[],
  shares: readonly RefundShare[],
  { attribution }: Sale,
  commission: SaleCommission | undefined,
): Write[] =>
  refunds.map(({ transactionId, createdAt, id }, index) => ({
    name: 'refund',
    key: keys.refund(transactionId, createdAt, id),
    change: {
      set: {
        ...shares[index]!,
        ...countingOf(commission),
        commissionCurrency: commission?.currency,
        partnerId: attribution?.partnerId,
        shortLink: attribution?.shortLink,
        clickId: attribution?.clickId,
      },
    },
    condition: { exists: true },
  }));

/** Writes of a sale's changes with the steps of its refunds. Concurrent refunds of a sale: each loser decides again on the totals it then finds. */
export function refundWrites(
  before: { readonly sale: Sale; readonly commission?: SaleCommission },
  after: Refunded,
  events: readonly RefundEvent[],
): Write[] {
  return [
    changedSaleWrite(before.sale, after.sale),
    ...refundEventWrites(after, events),
    ...(after.commission && before.commission && after.commission !== before.commission
      ? [changedCommissionWrite(before.commission, after.commission)]
      : []),
  ];
}

/** Writes of the steps themselves. @param events one for each step, in their order */
export const refundEventWrites = ({ sale, commission, steps }: Refunded, events: readonly RefundEvent[]): Write[] =>
  steps.map((step, index) => {
    const event = events[index]!;
    return {
      name: 'refund',
      key: keys.refund(sale.transactionId, step.createdAt, event.id),
      put: {
        ...event,
        ...step,
        programId: sale.programId,
        saleId: sale.id,
        transactionId: sale.transactionId,
        partnerId: commission?.partnerId ?? sale.attribution?.partnerId,
        shortLink: sale.attribution?.shortLink,
        clickId: sale.attribution?.clickId,
        isTest: sale.isTest,
        currency: sale.currency,
        commissionCurrency: commission?.currency,
        ...indexKeys.event(
          sale.programId,
          'refund',
          feedOf({ isTest: sale.isTest, keyed: sale.keyed }),
          step.createdAt,
          event.id,
        ),
      } satisfies StoredRefund & IndexKey,
    };
  });
