import { type AttributedCustomer, customerMayBecome } from '#lib/domain/customer.ts';
import type { Commission } from '#lib/domain/commission.ts';
import { MATCHES_NOTHING } from '#lib/domain/identifier.ts';
import type { RefundEffect } from '#lib/domain/refund.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { bindKeyWrite } from '#lib/store/customers.ts';
import { indexKeys, keys } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';
import { ConditionFailed, type Write } from '#lib/store/writes.ts';

export const findSale = async (table: Table, transactionId: string): Promise<Sale | undefined> =>
  transactionId === MATCHES_NOTHING ? undefined : table.get<Sale>(keys.sale(transactionId));

export const findCommission = async (table: Table, transactionId: string): Promise<Commission | undefined> =>
  transactionId === MATCHES_NOTHING ? undefined : table.get<Commission>(keys.commission(transactionId));

const saleItem = (sale: Sale) => ({
  ...sale,
  ...indexKeys.event(sale.programId, 'sale', sale.isTest ?? false, sale.createdAt, sale.id),
});

/** The claim on a transaction id, over all programs, test and real: of any number of racing sales one is new. */
export const saleWrite = (sale: Sale): Write => ({
  name: 'sale',
  key: keys.sale(sale.transactionId),
  put: saleItem(sale),
  condition: { isNew: true },
});

/** The same claim for a sale that stands alone. @throws ConditionFailed */
export const storeSale = (table: Table, sale: Sale): Promise<void> =>
  table.put(keys.sale(sale.transactionId), saleItem(sale), { isNew: true });

/** The sale that already holds the claimed id, when that is why a write failed. */
export const standingSale = (error: unknown): Sale | undefined =>
  error instanceof ConditionFailed
    ? ((error.standing.get('sale') ?? error.standing.get('item')) as Sale | undefined)
    : undefined;

export const commissionWrite = (commission: Commission): Write => ({
  name: 'commission',
  key: keys.commission(commission.transactionId),
  put: { ...commission, ...indexKeys.commission(commission.programId, commission.createdAt, commission.id) },
  condition: { isNew: true },
});

/**
 * What a recorded sale changes on its customer: the first one moves it to `conversion`; a sale that found the
 * customer by click id may bind its key. The item of the key is kept in step. Nothing to change: no write.
 * @param after the customer as it is afterwards
 */
export function customerWrites(before: AttributedCustomer, after: AttributedCustomer): Write[] {
  const converts = before.status !== after.status;
  const binds = before.customerKey !== after.customerKey;
  if (!converts && !binds) return [];
  const { status, firstPurchaseAt, customerKey } = after;
  return [
    {
      name: 'customer',
      key: keys.customer(after.clickId),
      change: { set: { status, firstPurchaseAt, customerKey } },
      // Two first sales race, or a sale and a lead: the loser decides again on the customer as it then is.
      condition: {
        oneOf: { status: converts ? customerMayBecome.conversion : [before.status] },
        equals: { signupAt: before.signupAt, customerKey: before.customerKey },
      },
    },
    ...(binds && customerKey ? [bindKeyWrite(after, customerKey)] : []),
    ...(!binds && customerKey
      ? [
          {
            name: 'customerKey',
            key: keys.customerKey(customerKey, after.programId),
            change: { set: { status, firstPurchaseAt } },
            condition: { exists: true },
          } as const,
        ]
      : []),
  ];
}

/** A refund as an event of its sale. */
export interface RefundEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly refundReason?: string;
  readonly deductionCents: number;
}

/** What a step takes off the platform fee. */
const feeReductionCents = (before: Commission | undefined, { commission: after }: RefundEffect): number =>
  before && after ? after.platformFee.reducedCents - before.platformFee.reducedCents : 0;

/** Writes of one refund step. Concurrent refunds of a sale: each loser decides again on the totals it then finds. */
export function refundWrites(
  sale: Sale,
  commission: Commission | undefined,
  effect: RefundEffect,
  event: RefundEvent,
): Write[] {
  return [
    {
      name: 'sale',
      key: keys.sale(sale.transactionId),
      change: { set: effect.sale },
      condition: { equals: { refundedCents: sale.refundedCents } },
    },
    {
      name: 'refund',
      key: keys.refund(sale.transactionId, event.createdAt, event.id),
      put: {
        ...event,
        programId: sale.programId,
        saleId: sale.id,
        transactionId: sale.transactionId,
        partnerId: commission?.partnerId ?? sale.attribution?.partnerId,
        clickId: sale.attribution?.clickId,
        customerKey: sale.attribution?.customerKey,
        isTest: sale.isTest,
        reason: effect.sale.refundReason,
        amountCents: effect.stepCents,
        refundedCents: effect.sale.refundedCents,
        currency: sale.currency,
        // For the counters: a deduction is in the commission's currency, a fee in the sale's.
        commissionCurrency: commission?.currency,
        feeReductionCents: feeReductionCents(commission, effect),
        ...indexKeys.event(sale.programId, 'refund', sale.isTest ?? false, event.createdAt, event.id),
      },
    },
    ...(effect.commission && commission
      ? [
          {
            name: 'commission',
            key: keys.commission(sale.transactionId),
            change: { set: effect.commission },
            // An approval or a payout may pass by meanwhile; its audit row must not be lost.
            condition: { equals: { status: commission.status, deductedCents: commission.deductedCents } },
          } as const,
        ]
      : []),
  ];
}
