import {
  type Commission,
  type CommissionStatus,
  ofSale,
  type SaleCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import { versionOf } from '#lib/service/ground/changes/versions.ts';
import { commissionMayBecome } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { awaitingMonthWrites } from '#lib/service/earnings/commissions/awaiting-month-items.ts';
import { commissionListing, pageEndAt } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import {
  commissionKey,
  commissionNamedBy,
  commissionNameKey,
  type CommissionPlace,
} from '#lib/service/earnings/commissions/commission-places-items.ts';
import { endOfDay, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { pageOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Maximum size, in bytes, of the histories that one transaction changes. DynamoDB accepts 4 MB per transaction, and
 * each history is sent twice: in the condition and in the change.
 */
export const MOST_HISTORY_BYTES = 1_700_000;

export const historyBytes = ({ history }: Pick<Commission, 'history'>): number =>
  Buffer.byteLength(JSON.stringify(history));

/**
 * Writes for a new commission: the item itself, next to its sale or lead, and a name item, by which it is found by id
 * and listed with all commissions. The item itself is listed with the program's unsettled commissions and with its
 * partner's commissions.
 */
export const commissionWrites = (commission: Commission): [item: Write, name: Write, ...awaits: Write[]] => [
  {
    name: 'commission',
    key: commissionKey(commission),
    put: { ...commission, ...commissionListing(commission) },
    condition: { isNew: true },
  },
  {
    name: 'commission',
    key: commissionNameKey(commission),
    put: {
      ...indexKeys.commission(commission.programId, commission.createdAt, commission.id),
      externalId: commission.kind === 'manual' ? commission.externalId : undefined,
    },
  },
  ...awaitingMonthWrites(commission),
];

/**
 * The write that changes a commission. Every change adds a row to the history, so an unchanged history proves that
 * there was no concurrent change. Fails if an approval, rejection, refund or payout was written first. This request
 * then reloads and decides again.
 */
export const changedCommissionWrite = (before: Commission, after: Commission): Write => ({
  name: 'commission',
  key: commissionKey(after),
  change: {
    set: {
      ...lifecycleOf(after),
      ...newCodeOf(before, after),
      ...newTierOf(before, after),
      ...commissionListing(after),
      version: versionAfter(before, after),
    },
  },
  condition: { oneOf: { status: statusesBefore(before, after) }, equals: { history: before.history } },
});

/** A check that fails the transaction if the commission has changed since it was read. */
export const unchangedCommissionCheck = ({ transactionId, history }: SaleCommission): Write => ({
  name: 'commission',
  key: keys.commission(transactionId),
  check: true,
  condition: { equals: { history } },
});

/** The version after a change. It increases with every new row in the history, that is, with every visible change. */
export const versionAfter = (before: Commission, after: Commission): number | undefined =>
  after.history === before.history ? before.version : versionOf(before) + 1;

/**
 * The coupon code, if the change adds one. It must be set separately: a later event of the payment may have added a
 * code without a row in the history, and a change that knows no code must not remove it.
 */
const newCodeOf = (before: Commission, after: Commission) => {
  const [former, code] = [ofSale(before)?.code, ofSale(after)?.code];
  return code === former ? {} : { code };
};

/**
 * If the change stores the partner's final number of sales in the month, returns it with the commission's rate. These
 * fields are set separately, because the history may have no row about them.
 */
const newTierOf = (before: Commission, after: Commission) => {
  const [former, present] = [ofSale(before), ofSale(after)];
  return !present || present.tierSales === former?.tierSales
    ? {}
    : { tierSales: present.tierSales, commissionRate: present.commissionRate };
};

/**
 * Writes for a sale's commission after a new attribution: it moves to another partner, is created, or is removed
 * because none is due.
 */
export function reattributedCommissionWrites(
  before: SaleCommission | undefined,
  after: SaleCommission | undefined,
): Write[] {
  if (!before) return after ? commissionWrites(after) : [];
  // Fails if an approval, payout or refund was written first. This request then reloads and decides again.
  const condition = { equals: { history: before.history } };
  const key = commissionKey(before);
  if (after) {
    return [
      {
        name: 'commission',
        key,
        put: { ...after, ...commissionListing(after), version: versionOf(before) + 1 },
        condition,
      },
      ...awaitingMonthWrites(after),
    ];
  }
  return [
    { name: 'commission', key, remove: true, condition },
    { name: 'commission', key: commissionNameKey(before), remove: true },
  ];
}

const statusesBefore = (before: Commission, { status }: Commission): readonly CommissionStatus[] =>
  // A status may also go back: a won dispute restores a reversed commission, and a payout line that failed or became
  // void makes a paid commission approved again.
  status === 'held' || status === before.status || before.status === 'reversed' || before.status === 'paid'
    ? [before.status]
    : commissionMayBecome[status];

/** The fields of an existing commission that may change. */
const lifecycleOf = (commission: Commission) => ({
  status: commission.status,
  approvedAt: commission.approvedAt,
  rejectionReason: commission.rejectionReason,
  byHand: commission.byHand,
  lateDeductions: commission.lateDeductions,
  paidAt: commission.paidAt,
  paidOutCents: commission.paidOutCents,
  payoutId: commission.payoutId,
  baseAmountCents: ofSale(commission)?.baseAmountCents,
  isOvertaken: ofSale(commission)?.isOvertaken,
  amountCents: commission.amountCents,
  deductedCents: commission.deductedCents,
  refundState: commission.refundState,
  reversalReason: commission.reversalReason,
  reversedAt: commission.reversedAt,
  releasedAt: commission.releasedAt,
  heldDeductedCents: commission.heldDeductedCents,
  needsReview: commission.needsReview,
  platformFee: commission.platformFee,
  history: commission.history,
});

export const findCommissionAt = (table: Table, place: CommissionPlace): Promise<Commission | undefined> =>
  table.get<Commission>(commissionKey(place));

/**
 * Finds a commission by id, in any program. A manual commission is in the same partition as its name item and sorts
 * before it.
 */
export async function findCommissionById(table: Table, commissionId: number): Promise<Commission | undefined> {
  const [name] = await table.query<Key>(keys.manualCommission(commissionId).pk, { most: 1 });
  return name && table.get<Commission>(commissionNamedBy(name));
}

/** Which commissions of a program to list: all, or those that may become part of a payout. */
export type CommissionList = 'all' | 'unsettled';

const listedUnder = (programId: number, list: CommissionList): string =>
  (list === 'all' ? indexKeys.commission : indexKeys.unsettledCommission)(programId, '', 0).gsi1pk;

/**
 * The list of all commissions consists of name items; the list of unsettled ones contains the commissions themselves.
 */
const newestFirst = (list: CommissionList) => ({
  newestFirst: true,
  keyOf: list === 'all' ? commissionNamedBy : undefined,
});

/** A page of commissions recorded within a range of days, both inclusive. */
export interface CommissionPage extends PageRequest {
  readonly from?: Day;
  readonly to?: Day;
}

/** Commissions of a program, newest first. */
export async function commissionsOf(
  table: Table,
  programId: number,
  list: CommissionList,
  { most, after, from, to }: CommissionPage,
  keep: (commission: Commission) => boolean,
): Promise<Page<Commission>> {
  const page = { most, after: after ?? (to && endOfDay(to)) };
  const range = { ...newestFirst(list), downTo: from };
  const { items, next } = await pageOf<Commission>(table, listedUnder(programId, list), page, keep, range);
  return { items, next: next && pageEndAt(next) };
}
