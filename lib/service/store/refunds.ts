import type { Commission } from '#lib/domain/commission.ts';
import type { Refunded } from '#lib/domain/refund.ts';
import type { RefundShare, RefundStep } from '#lib/domain/refunded-commission.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { changedCommissionWrite } from '#lib/service/store/commissions.ts';
import { feedOf, type IndexKey, indexKeys, keys } from '#lib/service/store/keys.ts';
import { REVERSALS_ATTRIBUTE } from '#lib/service/store/sales.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** A step of a refund as an event of its sale. */
export interface RefundEvent {
  readonly id: number;
  readonly createdAt: string;
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
  readonly currency: string;
  /** Of the deduction, which a fixed commission has in another currency than its sale. */
  readonly commissionCurrency?: string;
}

/** Refunds of a sale, oldest first; of one moment in the order of their ids, which keys hold as text. */
export async function storedRefundsOf(table: Table, transactionId: string): Promise<StoredRefund[]> {
  const found = await table.query<StoredRefund>(keys.sale(transactionId).pk, { prefix: 'REFUND#' });
  return found.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id);
}

/** Writes that store on a sale's refunds their deductions from a commission created after them. */
export const refundShareWrites = (
  refunds: readonly StoredRefund[],
  shares: readonly RefundShare[],
  commissionCurrency: string,
): Write[] =>
  refunds.map(({ transactionId, createdAt, id }, index) => ({
    name: 'refund',
    key: keys.refund(transactionId, createdAt, id),
    change: { set: { ...shares[index], commissionCurrency } },
    condition: { exists: true },
  }));

/** Writes of refund steps. Concurrent refunds of a sale: each loser decides again on the totals it then finds. */
export function refundWrites(
  before: { readonly sale: Sale; readonly commission?: Commission },
  after: Refunded,
  events: readonly RefundEvent[],
): Write[] {
  const { refundedCents, refundReason, reversals, providerPaymentId } = after.sale;
  return [
    {
      name: 'sale',
      key: keys.sale(after.sale.transactionId),
      change: { set: { refundedCents, refundReason, [REVERSALS_ATTRIBUTE]: reversals, providerPaymentId } },
      // A concurrent repair may create the missing commission, which the refund must reduce.
      condition: {
        equals: {
          refundedCents: before.sale.refundedCents,
          [REVERSALS_ATTRIBUTE]: before.sale.reversals,
          commissionState: before.sale.commissionState,
        },
      },
    },
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
      key: keys.refund(sale.transactionId, event.createdAt, event.id),
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
          event.createdAt,
          event.id,
        ),
      } satisfies StoredRefund & IndexKey,
    };
  });
