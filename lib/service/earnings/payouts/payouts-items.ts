import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Payout, PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import { changedCommissionWrite } from '#lib/service/earnings/commissions/commissions-items.ts';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { claimsIn, claimWrites, payoutReferenceWrite } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { pageOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The payout with this id, in whichever program. */
export const findPayout = (table: Table, payoutId: number): Promise<Payout | undefined> =>
  table.get<Payout>(keys.payout(payoutId));

/** Ids of all commissions that a payout holds, finished or not. */
export async function commissionsIn(table: Table, payoutId: number): Promise<ReadonlySet<number>> {
  return new Set((await claimsIn(table, payoutId)).flatMap(({ commissionIds }) => commissionIds));
}

/** The payout of a program that was begun and not finished. A program has one at most. */
export async function findOpenPayout(table: Table, programId: number): Promise<Payout | undefined> {
  const open = await table.get<{ readonly payoutId: number }>(keys.openPayout(programId));
  return open && findPayout(table, open.payoutId);
}

/** A commission as it reads, and as the payout leaves it. */
export interface PaidCommission {
  readonly before: Commission;
  readonly after: Commission;
}

/**
 * Commissions and claims that fit into one step: a transaction takes 100 writes, of which two are the payout's own, two are
 * kept for what else a payout's begin and end have to write, and one checks that payouts are not frozen.
 */
export const MOST_CLAIMED_A_STEP = 95;

/**
 * One step of a payout: its commissions change and the payout comes to hold them in one transaction, so each commission
 * is in one payout and the payout holds what was claimed, wherever it is interrupted. A step stores what it claims
 * itself beside the sums of all; nothing grows with the commissions that were claimed before.
 *
 * Two requests that work on one payout race for its steps; the loser waits for the other. No payout begins while
 * another of the program is open: the loser finishes that one first.
 */
export function payoutStepWrites(
  before: Payout,
  after: Payout,
  claims: readonly PayoutClaims[],
  commissions: readonly PaidCommission[],
): Write[] {
  const isFirst = before.steps === 0;
  const isLast = after.status === 'made';
  const { status, steps, items } = after;
  return [
    ...commissions.map((one) => ({
      ...changedCommissionWrite(one.before, one.after),
      name: commissionWriteName(one.before.id),
    })),
    ...claimWrites(after, steps, claims),
    isFirst
      ? newPayoutWrite(after)
      : {
          name: 'payout',
          key: keys.payout(after.id),
          change: { set: { status, steps, items } },
          condition: { equals: { status: before.status, steps: before.steps } },
        },
    ...(isFirst && isLast ? [{ ...openKey(after), check: true as const, condition: { isNew: true as const } }] : []),
    ...(isFirst && !isLast ? [openWrite(after)] : []),
    ...(!isFirst && isLast
      ? [{ ...openKey(after), remove: true as const, condition: { equals: { payoutId: after.id } } }]
      : []),
  ];
}

/** Identifies the commission of a failed condition. */
export const commissionWriteName = (commissionId: number): string => `commission ${commissionId}`;

const openKey = ({ programId }: Payout) => ({ name: 'openPayout', key: keys.openPayout(programId) });

const openWrite = (payout: Payout): Write => ({
  ...openKey(payout),
  put: { payoutId: payout.id },
  condition: { isNew: true },
});

const newPayoutWrite = ({
  id,
  programId,
  partnerId,
  through,
  status,
  steps,
  items,
  createdAt,
  createdBy,
}: Payout): Write => ({
  name: 'payout',
  key: keys.payout(id),
  put: {
    ...({ id, programId, partnerId, through, status, steps, items, createdAt, createdBy } satisfies Payout),
    ...indexKeys.payout(programId, createdAt, id),
  },
  condition: { isNew: true },
});

/** Items of payouts on one page: at some 200 bytes each its reply stays far below 6 MB. */
const MOST_LISTED_ITEMS = 10_000;

/** Payouts of a program, newest first. A page of very large ones is shorter than asked for. */
export async function payoutsOf(table: Table, programId: number, request: PageRequest): Promise<Page<Payout>> {
  const list = indexKeys.payout(programId, '', 0).gsi1pk;
  const { items: payouts, next } = await pageOf<Payout>(table, list, request, undefined, { newestFirst: true });
  let listed = 0;
  const cut = payouts.findIndex((payout, index) => (listed += payout.items.length) > MOST_LISTED_ITEMS && index > 0);
  const last = payouts[cut - 1];
  return last
    ? { items: payouts.slice(0, cut), next: indexKeys.payout(programId, last.createdAt, last.id).gsi1sk }
    : { items: payouts, next };
}

/** Writes of the owner's reference. Partners read it apart: the payout itself grows with all of them. */
export const referredPayoutWrites = ({ id, reference: before }: Payout, reference: string): Write[] => [
  {
    name: 'payout',
    key: keys.payout(id),
    change: { set: { reference } },
    // Two owners change it at once: the loser replaces what the winner wrote.
    condition: { exists: true, equals: { reference: before } },
  },
  payoutReferenceWrite(id, reference),
];
