import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { versionAfter } from '#lib/service/conversions/sales/sale-version.ts';
import { lacksCommission, type Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Condition } from '#lib/service/ground/table/expressions.ts';
import { feedKeys, feedOf, indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import { movedSubscriptionWrites } from '#lib/service/conversions/sales/subscriptions-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

export const findSale = async (table: Table, transactionId: string | undefined): Promise<Sale | undefined> =>
  transactionId === undefined || transactionId === MATCHES_NOTHING
    ? undefined
    : table.get<Sale>(keys.sale(transactionId));

export const findCommission = async (table: Table, transactionId: string): Promise<SaleCommission | undefined> =>
  transactionId === MATCHES_NOTHING ? undefined : table.get<SaleCommission>(keys.commission(transactionId));

const saleItem = (sale: Sale) => ({
  ...sale,
  ...indexKeys.event(sale.programId, 'sale', feedOf(sale), sale.createdAt, sale.id),
});

/**
 * Writes for a new sale. The condition makes its transaction id unique over all programs and over test and real sales:
 * if two sales with the same id race, only one succeeds. Further items list the sale with its customer and, if it has
 * no commission yet, for `sale repair`.
 */
export const newSaleWrites = (sale: Sale): Write[] => [
  { name: 'sale', key: keys.sale(sale.transactionId), put: saleItem(sale), condition: { isNew: true } },
  ...saleOfCustomerWrites(sale),
  ...(lacksCommission(sale) ? [repairEntryWrite(sale)] : []),
];

/**
 * The item that lists a real sale with its customer. It depends only on values that never change, so it can be written
 * again at any time.
 */
export const saleOfCustomerWrites = ({ isTest, attribution, createdAt, transactionId }: Sale): Write[] =>
  isTest || !attribution
    ? []
    : [{ name: 'saleOfCustomer', key: keys.saleOfCustomer(attribution.clickId, createdAt, transactionId), put: {} }];

const repairEntry = ({ createdAt, transactionId }: Sale) => ({
  name: 'toRepair',
  key: keys.saleToRepair(createdAt, transactionId),
});

/** The item that lists a sale for `sale repair`. */
export const repairEntryWrite = (sale: Sale): Write => ({
  ...repairEntry(sale),
  put: { transactionId: sale.transactionId },
});

const repairedEntryWrite = (sale: Sale): Write => ({ ...repairEntry(sale), remove: true });

/**
 * Sales without their commission, oldest first. The list is complete, because it is written in the same transactions as
 * the sales.
 */
export async function salesToRepair(table: Table): Promise<string[]> {
  const notes = await table.query<{ transactionId: string }>(keys.saleToRepair('', '').pk);
  return notes.map(({ transactionId }) => transactionId);
}

/** The fields of a sale that refunds and other events of the same payment may change. */
const changeableOf = ({
  refundedCents,
  refundReason,
  fullyRefundedAt,
  formerFullRefunds,
  reversals,
  duplicateOf,
  providerPaymentId,
  taxCents,
  baseCents,
  code,
  attribution,
  changedAt,
  version,
}: Sale) => ({
  refundedCents,
  refundReason,
  fullyRefundedAt,
  formerFullRefunds,
  reversals,
  duplicateOf,
  providerPaymentId,
  taxCents,
  baseCents,
  code,
  attribution,
  changedAt,
  version,
});

/**
 * The write that changes a recorded sale. Fails if another change was written first, such as a repair that created the
 * commission. This request then reloads and decides again.
 * @param further fields that refunds never change
 */
export const changedSaleWrite = (before: Sale, after: Sale, further: Partial<Sale> = {}): Write => ({
  name: 'sale',
  key: keys.sale(after.transactionId),
  change: { set: { ...changeableOf(after), version: versionAfter(before, after), ...further } },
  condition: { equals: { ...changeableOf(before), commissionState: before.commissionState } },
});

/**
 * The write that makes a recorded sale a renewal, because an earlier payment became known. Fails if another change was
 * written first. This request then reloads and decides again.
 */
export const overtakenSaleWrite = (before: Sale, after: Sale): Write => {
  const { isRecurring, renewalBy, wouldRenew } = after;
  return changedSaleWrite(before, after, { isRecurring, renewalBy, wouldRenew });
};

/**
 * Writes that move a recorded sale to another customer. Fails if a refund, a repair or an erasure was written first.
 * This request then reloads and decides again.
 */
export const reattributedSaleWrites = (before: Sale, after: Sale): Write[] => {
  const { termsVersion, commissionState, commissionId, terms, claimed } = after;
  const isOfOther = before.attribution?.clickId !== after.attribution?.clickId;
  return [
    changedSaleWrite(before, after, { termsVersion, commissionState, commissionId, terms, claimed }),
    ...(lacksCommission(before) ? [repairedEntryWrite(before)] : []),
    ...(isOfOther
      ? [
          ...saleOfCustomerWrites(before).map(({ name, key }): Write => ({ name, key, remove: true })),
          ...saleOfCustomerWrites(after),
          ...movedSubscriptionWrites(after),
        ]
      : []),
  ];
};

/**
 * Fails if another request was written first: a repair that created the commission, a refund, which must reduce the
 * commission, or a tax reported late, which changes the amount that the commission is computed from.
 */
const asRead = ({ commissionState, refundedCents, taxCents }: Sale): Condition => ({
  equals: { commissionState, refundedCents, taxCents },
});

/** A check that fails the transaction if refunds, tax or commission state of the sale have changed. */
export const unchangedSaleCheck = (before: Sale): Write => ({
  name: 'sale',
  key: keys.sale(before.transactionId),
  check: true,
  condition: asRead(before),
});

/** Writes that complete a sale without commission, after its commission was created or none is due. */
export const repairedSaleWrites = (before: Sale, after: Sale): Write[] => [
  {
    name: 'sale',
    key: keys.sale(before.transactionId),
    change: {
      set: {
        commissionState: after.commissionState,
        commissionId: after.commissionId,
        changedAt: after.changedAt,
        version: versionAfter(before, after),
        terms: undefined,
        claimed: undefined,
      },
    },
    condition: asRead(before),
  },
  repairedEntryWrite(before),
  ...saleOfCustomerWrites(before),
];

/** The index keys under which the real sales of a program are listed. */
export const saleLists = (programId: number): readonly string[] =>
  (['EVENTS', 'PROCESSOR_EVENTS'] as const).flatMap((feed) => feedKeys(programId, 'sale', feed));

/**
 * The real sales in one list, page by page, each with the position at which the page ends.
 * @param after position to begin after
 */
export async function* salesListedIn(
  table: Table,
  list: string,
  after?: string,
): AsyncGenerator<{ readonly sales: Sale[]; readonly position?: string }> {
  for await (const page of pagesOf(table, list, after)) {
    const sales = await Promise.all(page.map(({ pk, sk }) => table.get<Sale>({ pk, sk })));
    yield { sales: sales.filter((sale) => sale !== undefined), position: page.at(-1)?.position };
    // Clears the read cache, which would otherwise keep all sales of the program.
    table.forget();
  }
}

/**
 * Commits a new sale with related writes.
 * @throws ConditionFailed if the transaction id exists or something changed concurrently
 * @throws WriteRejected if the table rejects a write
 */
export async function commitSale(table: Table, { id }: Sale, writes: readonly Write[]): Promise<void> {
  try {
    await table.transact(writes);
  } catch (error) {
    // An earlier attempt of this commit may have succeeded although it reported an error. Then the stored sale is this
    // one, with all its writes.
    if (existingSale(error)?.id !== id) throw error;
  }
}

/** Stores a sale without related writes. @throws ConditionFailed if the transaction id exists */
export const storeSale = (table: Table, sale: Sale): Promise<void> =>
  table.put(keys.sale(sale.transactionId), saleItem(sale), { isNew: true });

type ExistingSale = Pick<Sale, 'id' | 'programId' | 'isTest'>;

/** If a write failed because its transaction id is taken: the sale that has the id. Otherwise undefined. */
export const existingSale = (error: unknown): ExistingSale | undefined =>
  error instanceof ConditionFailed
    ? ((error.existing.get('sale') ?? error.existing.get('item')) as ExistingSale | undefined)
    : undefined;
