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
  placeNamedBy,
} from '#lib/service/earnings/commissions/commission-places-items.ts';
import { endOfDay, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { everyListed, pageOf, pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Writes of a new commission: itself, beside its sale or lead, and its name, by which its id is looked up and by which
 * all commissions are listed. The commission's own places are among the unsettled ones and among its partner's.
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
    put: indexKeys.commission(commission.programId, commission.createdAt, commission.id),
  },
  ...awaitingMonthWrites(commission),
];

/**
 * Changes a commission. Every change adds a row to its history, so the history's length detects a concurrent change:
 * when approval, rejection, refund and payout race, the loser decides again on the winner's result.
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

/** Holds while a commission is as it was read. */
export const unchangedCommissionCheck = ({ transactionId, history }: SaleCommission): Write => ({
  name: 'commission',
  key: keys.commission(transactionId),
  check: true,
  condition: { equals: { history } },
});

/** The version of a changed commission. Every change that anybody sees has a row. */
export const versionAfter = (before: Commission, after: Commission): number | undefined =>
  after.history === before.history ? before.version : versionOf(before) + 1;

/** Of a payment another event may tell its code, which is no row of the history: other changes leave it alone. */
const newCodeOf = (before: Commission, after: Commission) => {
  const [former, code] = [ofSale(before)?.code, ofSale(after)?.code];
  return code === former ? {} : { code };
};

/** That it became certain what the partner sold may be no row either. */
const newTierOf = (before: Commission, after: Commission) => {
  const [former, present] = [ofSale(before), ofSale(after)];
  return !present || present.tierSales === former?.tierSales
    ? {}
    : { tierSales: present.tierSales, commissionRate: present.commissionRate };
};

/** Writes of a sale's commission that is another partner's now, made, or no longer due. */
export function reattributedCommissionWrites(
  before: SaleCommission | undefined,
  after: SaleCommission | undefined,
): Write[] {
  if (!before) return after ? commissionWrites(after) : [];
  // An approval, a payout or a refund races: the loser decides again.
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
  // A won dispute restores a reversed one.
  status === 'held' || status === before.status || before.status === 'reversed'
    ? [before.status]
    : commissionMayBecome[status];

/** The fields of an existing commission that may change. */
const lifecycleOf = (commission: Commission) => ({
  status: commission.status,
  approvedAt: commission.approvedAt,
  rejectionReason: commission.rejectionReason,
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

/** The commission with this id, in whichever program. A manual one comes before its name. */
export async function findCommissionById(table: Table, commissionId: number): Promise<Commission | undefined> {
  const [name] = await table.query<Key>(keys.manualCommission(commissionId).pk, { most: 1 });
  return name && table.get<Commission>(commissionNamedBy(name));
}

/** Which commissions of a program are listed: all of them, or those that wait for a payout or may come to. */
export type CommissionList = 'all' | 'unsettled';

const listedUnder = (programId: number, list: CommissionList): string =>
  (list === 'all' ? indexKeys.commission : indexKeys.unsettledCommission)(programId, '', 0).gsi1pk;

/** The list of all holds names, that of the unsettled ones holds the commissions. */
const newestFirst = (list: CommissionList) => ({
  newestFirst: true,
  keyOf: list === 'all' ? commissionNamedBy : undefined,
});

/** A page of the commissions that were recorded within a range of days, both included. */
interface CommissionPage extends PageRequest {
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

/** Customers of a program whose leads have earned a commission, in pages. No commission is read. */
export async function* customersWithLeadCommission(table: Table, programId: number): AsyncGenerator<string[]> {
  for await (const page of pagesOf(table, listedUnder(programId, 'all'))) {
    yield page.map(placeNamedBy).flatMap((place) => (place.kind === 'lead' ? place.clickId : []));
  }
}

/** Every commission of a program, newest first. */
export const allCommissionsOf = (table: Table, programId: number, list: CommissionList): Promise<Commission[]> =>
  everyListed<Commission>(table, listedUnder(programId, list), newestFirst(list));
