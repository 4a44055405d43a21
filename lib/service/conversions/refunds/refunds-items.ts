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

/** The id and source of the event by which one step of a refund is listed with its sale. */
export interface RefundEvent {
  readonly id: number;
  readonly refundReason?: string;
  /** Who reported the refund: the processor; undefined if it was sent through the API. */
  readonly source?: 'processor';
}

export interface StoredRefund extends RefundEvent, RefundStep {
  readonly programId: number;
  readonly saleId: number;
  readonly transactionId: string;
  readonly partnerId?: number;
  /** The link credited with the sale. Undefined if there is none. */
  readonly shortLink?: string;
  readonly clickId?: string;
  readonly isTest?: boolean;
  readonly currency: Currency;
  /** Currency of the deduction. A fixed commission may have another currency than its sale. */
  readonly commissionCurrency?: string;
}

/**
 * Refunds of a sale, oldest first. Refunds of the same millisecond are sorted by id as text.
 * @param most limits the result to the newest ones; undefined means all
 */
export async function storedRefundsOf(table: Table, transactionId: string, most?: number): Promise<StoredRefund[]> {
  const newest = most === undefined ? {} : { most, newestFirst: true };
  const found = await table.query<StoredRefund>(keys.sale(transactionId).pk, { prefix: 'REFUND#', ...newest });
  return found.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id);
}

/**
 * Stores on each refund what it deducts from the sale's commission, after the commission was computed again.
 * @param counting replaces the stored `whileHeld`; undefined leaves it unchanged
 */
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

/** Writes that move a sale's refunds to the customer to whom the sale has moved. */
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

/**
 * Writes for a changed sale and the steps of its refunds. If refunds of a sale race, each later one reloads and decides
 * again on the new totals.
 */
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

/** Writes of refund steps, without that of the sale. @param events one for each step, in the same order */
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
