import { type AttributedCustomer, customerMayBecome, isMadeByCode } from '#lib/service/traffic/customers/customer.ts';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { versionAfter } from '#lib/service/conversions/sales/sale-version.ts';
import { lacksCommission, type Sale } from '#lib/service/conversions/sales/sale.ts';
import {
  bindKeyWrites,
  customerListing,
  newCustomerWrites,
  customerPartnerListing,
  formerKeyWrites,
  keyedCustomerWrites,
} from '#lib/service/traffic/customers/customers-items.ts';
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
 * Writes of a new sale: the claim on its transaction id, over all programs, test and real, so that of any number of
 * racing sales one is new. It is listed with its customer; one that lacks its commission is noted for `sale repair`.
 */
export const newSaleWrites = (sale: Sale): Write[] => [
  { name: 'sale', key: keys.sale(sale.transactionId), put: saleItem(sale), condition: { isNew: true } },
  ...saleOfCustomerWrites(sale),
  ...(lacksCommission(sale) ? [repairNoteWrite(sale)] : []),
];

/**
 * The item by which a real sale is among its customer's. It depends on nothing that changes, so it may be written again
 * at any time, as for sales of the versions that did not write it.
 */
export const saleOfCustomerWrites = ({ isTest, attribution, createdAt, transactionId }: Sale): Write[] =>
  isTest || !attribution
    ? []
    : [{ name: 'saleOfCustomer', key: keys.saleOfCustomer(attribution.clickId, createdAt, transactionId), put: {} }];

/** The item by which `sale repair` finds a sale. */
export const repairNoteWrite = ({ createdAt, transactionId }: Sale): Write => ({
  name: 'toRepair',
  key: keys.saleToRepair(createdAt, transactionId),
  put: { transactionId },
});

const repairedNoteWrite = ({ createdAt, transactionId }: Sale): Write => ({
  name: 'toRepair',
  key: keys.saleToRepair(createdAt, transactionId),
  remove: true,
});

/** Sales whose commission is missing, oldest first. The list is written with the sales, so it is complete. */
export async function salesToRepair(table: Table): Promise<string[]> {
  const notes = await table.query<{ transactionId: string }>(keys.saleToRepair('', '').pk);
  return notes.map(({ transactionId }) => transactionId);
}

/** What refunds and events of the same payment change on a recorded sale. */
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

/** Changes a recorded sale. Of concurrent changes, a repair that makes its commission among them, the loser decides again. */
export const changedSaleWrite = (before: Sale, after: Sale): Write => ({
  name: 'sale',
  key: keys.sale(after.transactionId),
  change: { set: { ...changeableOf(after), version: versionAfter(before, after) } },
  condition: { equals: { ...changeableOf(before), commissionState: before.commissionState } },
});

/** Makes a recorded sale a renewal: an earlier payment became known. Another change of it races: the loser decides again. */
export const overtakenSaleWrite = (before: Sale, after: Sale): Write => {
  const { isRecurring, renewalBy, wouldRenew } = after;
  const set = { ...changeableOf(after), version: versionAfter(before, after), isRecurring, renewalBy, wouldRenew };
  return { ...changedSaleWrite(before, after), change: { set } };
};

/** Writes by which a recorded sale is another customer's. A refund, a repair or an erasure races: the loser decides again. */
export const reattributedSaleWrites = (before: Sale, after: Sale): Write[] => [
  {
    ...changedSaleWrite(before, after),
    change: {
      set: {
        ...changeableOf(after),
        version: versionAfter(before, after),
        termsVersion: after.termsVersion,
        commissionState: after.commissionState,
        commissionId: after.commissionId,
        terms: after.terms,
        claimed: after.claimed,
      },
    },
  },
  ...(lacksCommission(before) ? [repairedNoteWrite(before)] : []),
  ...(before.attribution?.clickId === after.attribution?.clickId
    ? []
    : [
        ...saleOfCustomerWrites(before).map(({ name, key }): Write => ({ name, key, remove: true })),
        ...saleOfCustomerWrites(after),
        ...movedSubscriptionWrites(after),
      ]),
];

/**
 * Two repairs race: the loser finds the commission made. A concurrent refund must reduce the commission, too, and a tax
 * that becomes known changes its base.
 */
const asRead = ({ commissionState, refundedCents, taxCents }: Sale): Condition => ({
  equals: { commissionState, refundedCents, taxCents },
});

/** Holds while a sale has the same refunds, tax and state of its commission. */
export const unchangedSaleCheck = (before: Sale): Write => ({
  name: 'sale',
  key: keys.sale(before.transactionId),
  check: true,
  condition: asRead(before),
});

/** Writes by which a sale that lacked its commission is complete: with one, or because none is due. */
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
  repairedNoteWrite(before),
  ...saleOfCustomerWrites(before),
];

/** Every real sale of a program, in pages. */
export async function* everySale(table: Table, programId: number): AsyncGenerator<Sale[]> {
  const feeds = ['EVENTS', 'PROCESSOR_EVENTS'] as const;
  for (const list of feeds.flatMap((feed) => feedKeys(programId, 'sale', feed))) {
    for await (const page of pagesOf(table, list)) {
      const sales = await Promise.all(page.map(({ pk, sk }) => table.get<Sale>({ pk, sk })));
      yield sales.filter((sale) => sale !== undefined);
      // Else the read cache would keep all sales of the program.
      table.forget();
    }
  }
}

/** Commits a new sale with what belongs to it. @throws ConditionFailed, WriteRejected */
export async function commitSale(table: Table, { id }: Sale, writes: readonly Write[]): Promise<void> {
  try {
    await table.transact(writes);
  } catch (error) {
    // An earlier attempt may have succeeded late: the id then belongs to this very sale, with all its writes.
    if (existingSale(error)?.id !== id) throw error;
  }
}

/** The same claim for a sale without anything else. @throws ConditionFailed */
export const storeSale = (table: Table, sale: Sale): Promise<void> =>
  table.put(keys.sale(sale.transactionId), saleItem(sale), { isNew: true });

type ExistingSale = Pick<Sale, 'id' | 'programId'>;

/** The sale that already has the claimed id, when that is why a write failed. */
export const existingSale = (error: unknown): ExistingSale | undefined =>
  error instanceof ConditionFailed
    ? ((error.existing.get('sale') ?? error.existing.get('item')) as ExistingSale | undefined)
    : undefined;

/**
 * Holds while a customer whom a code made is not unlinked. Its payment may turn out to be another customer's at this
 * moment, who gets its sales: this one would be missed.
 */
const sameCustomerCheck = ({ clickId, unlinkedAt }: AttributedCustomer): Write => ({
  name: 'customer',
  key: keys.customer(clickId),
  check: true,
  condition: { exists: true, equals: { unlinkedAt } },
});

/** By which the next payment with the customer's click tells whether it is this person's. */
const payingParts = ['firstPayer', 'firstGuest', 'unboundKey'] as const;

const payingOf = ({ firstPayer, firstGuest, unboundKey }: AttributedCustomer) => ({
  firstPayer,
  firstGuest,
  unboundKey,
});

/**
 * What a recorded sale changes on its customer: the first one moves it to `conversion`, its code may move it to another
 * partner; a sale that found the customer by click id may bind its key. The item of the key is kept in step. Nothing to
 * change: no write.
 * @param before as it is stored; absent: the payment makes it
 * @param after the customer as it is afterwards
 * @param sale which makes a customer without lead one of its partner's; absent: none is recorded
 * @param claimant loses its key to the customer
 */
export function customerWrites(
  before: AttributedCustomer | undefined,
  after: AttributedCustomer,
  sale?: Pick<Sale, 'createdAt' | 'id'>,
  claimant?: AttributedCustomer,
): Write[] {
  const isNewHere = sale && after.status === 'conversion' && after.leadState === undefined;
  const listing = isNewHere ? customerListing(after, sale) : customerPartnerListing(after);
  if (!before) return newCustomerWrites(after, listing, claimant);
  const converts = before.status !== after.status;
  const binds = before.customerKey !== after.customerKey;
  const confirms = before.keyBoundBy !== after.keyBoundBy;
  const moves = before.code !== after.code;
  const paysFor = before.hasPaidFor !== after.hasPaidFor;
  const paysEarlier = !converts && before.firstPurchaseAt !== after.firstPurchaseAt;
  const [paidBefore, paidAfter] = [payingOf(before), payingOf(after)];
  const pays = payingParts.some((part) => before[part] !== after[part]);
  const isRepeated = converts || binds || confirms || moves || paysFor || paysEarlier;
  if (!isRepeated && !pays) return isMadeByCode(before) ? [sameCustomerCheck(before)] : [];
  const { status, firstPurchaseAt, firstTerms, hasPaidFor, customerKey, keyBoundBy, firstRecordedAt } = after;
  const { code, partnerId, formerPartnerId } = after;
  const moved = moves ? { code, partnerId, formerPartnerId } : {};
  const paid = pays ? paidAfter : {};
  const overtaken = paysEarlier ? { firstRecordedAt } : {};
  const listed = converts || moves ? listing : {};
  return [
    {
      name: 'customer',
      key: keys.customer(after.clickId),
      change: {
        set: {
          status,
          firstPurchaseAt,
          firstTerms,
          hasPaidFor,
          customerKey,
          keyBoundBy,
          ...moved,
          ...paid,
          ...listed,
          ...overtaken,
        },
      },
      // Two first sales race, or a sale and a lead, an unlinking or an erasure: the loser decides again on the customer
      // as it then is.
      condition: {
        oneOf: { status: converts ? customerMayBecome.conversion : [before.status] },
        equals: {
          signupAt: before.signupAt,
          customerKey: before.customerKey,
          partnerId: before.partnerId,
          code: before.code,
          // Of two payments for a first subscription the loser is a renewal.
          hasPaidFor: before.hasPaidFor,
          // Of two payments from before the first known one the loser may be the later of them.
          ...(paysEarlier && { firstPurchaseAt: before.firstPurchaseAt }),
          erasedAt: before.erasedAt,
          unlinkedAt: before.unlinkedAt,
          // The key's new item repeats them.
          ...(binds && { traits: before.traits }),
          // Two people pay with one click for the first time: the loser is another person.
          ...(pays && paidBefore),
        },
      },
    },
    ...(binds && customerKey ? [...bindKeyWrites(after, customerKey, claimant), ...formerKeyWrites(before)] : []),
    ...(isRepeated && !binds
      ? keyedCustomerWrites(after, {
          status,
          firstPurchaseAt,
          firstTerms,
          hasPaidFor,
          keyBoundBy,
          ...moved,
          ...overtaken,
        })
      : []),
  ];
}
