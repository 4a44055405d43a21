import type { Commission, CommissionStatus } from '#lib/domain/commission.ts';
import { commissionMayBecome, isUnsettled } from '#lib/domain/commission-lifecycle.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import { commissionNamedBy, type IndexKey, indexKeys, type Key, keys } from '#lib/service/store/keys.ts';
import { everyListed, pageOf } from '#lib/service/store/pages.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

/**
 * Writes of a new commission: itself, beside its sale, and its name, by which its id is looked up and by which all
 * commissions are listed. The commission's own place in the index is among the unsettled ones.
 */
export const commissionWrites = (commission: Commission): Write[] => [
  {
    name: 'commission',
    key: keys.commission(commission.transactionId),
    put: { ...commission, ...placeOf(commission) },
    condition: { isNew: true },
  },
  {
    name: 'commission',
    key: keys.commissionName(commission.id, commission.transactionId),
    put: indexKeys.commission(commission.programId, commission.createdAt, commission.id),
  },
];

/** Where a commission appears in the index; undefined removes it from there. */
const placeOf = (commission: Commission): IndexKey | { gsi1pk: undefined; gsi1sk: undefined } =>
  isUnsettled(commission)
    ? indexKeys.unsettledCommission(commission.programId, commission.createdAt, commission.id)
    : { gsi1pk: undefined, gsi1sk: undefined };

/**
 * Changes a commission. Every change adds a row to its history, so the history's length detects a concurrent change:
 * when approval, rejection, refund and payout race, the loser decides again on the winner's result.
 */
export const changedCommissionWrite = (before: Commission, after: Commission): Write => ({
  name: 'commission',
  key: keys.commission(after.transactionId),
  change: { set: { ...lifecycleOf(after), ...placeOf(after) } },
  condition: { oneOf: { status: statusesBefore(before, after) }, equals: { history: before.history } },
});

const statusesBefore = (before: Commission, { status }: Commission): readonly CommissionStatus[] =>
  // A won dispute restores a reversed one.
  status === 'pending' || status === before.status || before.status === 'reversed'
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
  deductedCents: commission.deductedCents,
  refundState: commission.refundState,
  reversalReason: commission.reversalReason,
  reversedAt: commission.reversedAt,
  needsReview: commission.needsReview,
  platformFee: commission.platformFee,
  history: commission.history,
});

/** The commission with this id, in whichever program. */
export async function findCommissionById(table: Table, commissionId: number): Promise<Commission | undefined> {
  const [name] = await table.query<Key>(keys.commissionName(commissionId, '').pk, { most: 1 });
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

/** Commissions of a program, newest first. */
export const commissionsOf = (
  table: Table,
  programId: number,
  list: CommissionList,
  page: PageRequest,
  keep: (commission: Commission) => boolean,
): Promise<Page<Commission>> => pageOf<Commission>(table, listedUnder(programId, list), page, keep, newestFirst(list));

/** Every commission of a program, newest first. */
export const allCommissionsOf = (table: Table, programId: number, list: CommissionList): Promise<Commission[]> =>
  everyListed<Commission>(table, listedUnder(programId, list), newestFirst(list));
