import { type AttributedCustomer, customerMayBecome } from '#lib/domain/customer.ts';
import type { Commission } from '#lib/domain/commission.ts';
import { MATCHES_NOTHING } from '#lib/domain/identifier.ts';
import type { Refunded, RefundShare, RefundStep } from '#lib/domain/refund.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { bindKeyWrite } from '#lib/store/customers.ts';
import { changedCommissionWrite } from '#lib/store/commissions.ts';
import { feedOf, type IndexKey, indexKeys, keys } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';
import { ConditionFailed, type Write } from '#lib/store/writes.ts';

export const findSale = async (table: Table, transactionId: string): Promise<Sale | undefined> =>
  transactionId === MATCHES_NOTHING ? undefined : table.get<Sale>(keys.sale(transactionId));

export const findCommission = async (table: Table, transactionId: string): Promise<Commission | undefined> =>
  transactionId === MATCHES_NOTHING ? undefined : table.get<Commission>(keys.commission(transactionId));

const saleItem = (sale: Sale) => ({
  ...sale,
  ...indexKeys.event(sale.programId, 'sale', feedOf(sale), sale.createdAt, sale.id),
});

/** The claim on a transaction id, over all programs, test and real: of any number of racing sales one is new. */
export const saleWrite = (sale: Sale): Write => ({
  name: 'sale',
  key: keys.sale(sale.transactionId),
  put: saleItem(sale),
  condition: { isNew: true },
});

/** Writes of a sale whose commission is missing: the claim, and a note by which `sale repair` finds it. */
export const saleToRepairWrites = (sale: Sale): Write[] => [
  saleWrite(sale),
  {
    name: 'toRepair',
    key: keys.saleToRepair(sale.createdAt, sale.transactionId),
    put: { transactionId: sale.transactionId },
  },
];

/** Sales whose commission is missing, oldest first. Their note was written with them, so none is overlooked. */
export async function salesToRepair(table: Table): Promise<string[]> {
  const notes = await table.query<{ transactionId: string }>(keys.saleToRepair('', '').pk);
  return notes.map(({ transactionId }) => transactionId);
}

/** Writes of a sale that is complete now, with a commission or because none is due. */
export const repairedSaleWrites = (sale: Sale, complete: Pick<Sale, 'commissionState' | 'commissionId'>): Write[] => [
  {
    name: 'sale',
    key: keys.sale(sale.transactionId),
    change: { set: { ...complete, terms: undefined, claimed: undefined } },
    // Two repairs race: the loser finds the commission made. A refund passes by: it must reach the commission too.
    condition: { equals: { commissionState: sale.commissionState, refundedCents: sale.refundedCents } },
  },
  { name: 'toRepair', key: keys.saleToRepair(sale.createdAt, sale.transactionId), remove: true },
];

/** The same claim for a sale that stands alone. @throws ConditionFailed */
export const storeSale = (table: Table, sale: Sale): Promise<void> =>
  table.put(keys.sale(sale.transactionId), saleItem(sale), { isNew: true });

/** The sale that already holds the claimed id, when that is why a write failed. */
export const standingSale = (error: unknown): Sale | undefined =>
  error instanceof ConditionFailed
    ? ((error.standing.get('sale') ?? error.standing.get('item')) as Sale | undefined)
    : undefined;

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
      // Two first sales race, or a sale and a lead, an unlinking or an erasure: the loser decides again on the customer
      // as it then is.
      condition: {
        oneOf: { status: converts ? customerMayBecome.conversion : [before.status] },
        equals: {
          signupAt: before.signupAt,
          customerKey: before.customerKey,
          partnerId: before.partnerId,
          erasedAt: before.erasedAt,
        },
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

/** A step of a refund as an event of its sale. */
export interface RefundEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly refundReason?: string;
  /** Absent: the API told of it. */
  readonly source?: 'processor';
}

/** A refund step as it is stored. */
export interface StoredRefund extends RefundEvent, RefundStep {
  readonly programId: number;
  readonly saleId: number;
  readonly transactionId: string;
  readonly partnerId?: number;
  readonly clickId?: string;
  readonly isTest?: boolean;
  readonly currency: string;
  /** Of the deduction, which a fixed commission has in another currency than its sale. */
  readonly commissionCurrency?: string;
}

/** Refunds of a sale, oldest first; of one moment in the order of their ids, which keys spell as text. */
export async function storedRefundsOf(table: Table, transactionId: string): Promise<StoredRefund[]> {
  const found = await table.query<StoredRefund>(keys.sale(transactionId).pk, { prefix: 'REFUND#' });
  return found.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id);
}

/** Writes that tell a sale's refunds what they took of a commission that was made after them. */
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
  const { refundedCents, refundReason, takings, providerPaymentId } = after.sale;
  return [
    {
      name: 'sale',
      key: keys.sale(after.sale.transactionId),
      change: { set: { refundedCents, refundReason, takings, providerPaymentId } },
      // A repair may create the missing commission meanwhile: the refund must reach it.
      condition: {
        equals: {
          refundedCents: before.sale.refundedCents,
          takings: before.sale.takings,
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
