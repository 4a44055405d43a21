import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Payout, PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import { changedCommissionWrite } from '#lib/service/earnings/commissions/commissions-items.ts';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { claimWrites, payoutReferenceWrite, payoutsListed } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { pageOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Finds a payout by id, in any program. */
export const findPayout = (table: Table, payoutId: number): Promise<Payout | undefined> =>
  table.get<Payout>(keys.payout(payoutId));

/** Finds the open payout of a program. A program has at most one. */
export async function findOpenPayout(table: Table, programId: number): Promise<Payout | undefined> {
  const id = await findOpenPayoutId(table, programId);
  return id === undefined ? undefined : findPayout(table, id);
}

/** The id in the item that marks a program's payout as open. */
export const findOpenPayoutId = async (table: Table, programId: number): Promise<number | undefined> =>
  (await table.get<{ readonly payoutId: number }>(keys.openPayout(programId)))?.payoutId;

/** Ids and creation times of all payouts of a program, oldest first. */
export const everyPayout = (table: Table, programId: number) =>
  payoutsListed(table, indexKeys.payout(programId, '', 0).gsi1pk);

/** A commission before and after a payout, with its status at that time. */
export interface PaidCommission {
  readonly before: Commission;
  readonly after: Commission;
}

/**
 * Maximum number of commissions and claims per step. A transaction allows 100 writes: two are for the payout itself,
 * two for the extra writes of a payout's first and last step, and one for the check that payouts are not frozen.
 */
export const MOST_CLAIMED_A_STEP = 95;

/**
 * The writes of one step of a payout. Commissions and payout change in one transaction, so each commission is in one
 * payout only, and the payout contains exactly what was claimed, wherever it is interrupted. The claims of a step are
 * separate items, so that the payout does not grow with earlier claims.
 *
 * If two requests work on one payout, they race for its steps; the loser waits for the winner. A payout cannot start
 * while another one of the program is open: the loser finishes that one first.
 */
export function payoutStepWrites(
  before: Payout,
  after: Payout,
  claims: readonly PayoutClaims[],
  commissions: readonly PaidCommission[],
): Write[] {
  const isFirst = before.steps === 0;
  const isLast = after.status === 'made';
  return [
    ...commissions.map((one) => ({
      ...changedCommissionWrite(one.before, one.after),
      name: commissionWriteName(one.before.id),
    })),
    ...claimWrites(after, after.steps, claims),
    isFirst ? newPayoutWrite(after) : changedPayoutWrite(before, after),
    ...(isFirst && isLast ? [{ ...openKey(after), check: true as const, condition: { isNew: true as const } }] : []),
    ...(isFirst && !isLast ? [openWrite(after)] : []),
    ...(!isFirst && isLast ? [openPayoutRemoval(after)] : []),
  ];
}

/** The write's name, by which a failed condition is matched to its commission. */
export const commissionWriteName = (commissionId: number): string => `commission ${commissionId}`;

/** Closes the race of two requests for one step: the loser waits for the winner. */
export const changedPayoutWrite = (before: Payout, { id, status, steps, items }: Payout): Write => ({
  name: 'payout',
  key: keys.payout(id),
  change: { set: { status, steps, items } },
  condition: { equals: { status: before.status, steps: before.steps } },
});

/** Fails if another payout of the program is open. */
export const openPayoutRemoval = (payout: Pick<Payout, 'id' | 'programId'>): Write => ({
  ...openKey(payout),
  remove: true,
  condition: { equals: { payoutId: payout.id } },
});

const openKey = ({ programId }: Pick<Payout, 'programId'>) => ({ name: 'openPayout', key: keys.openPayout(programId) });

const openWrite = (payout: Payout): Write => ({
  ...openKey(payout),
  put: { payoutId: payout.id },
  condition: { isNew: true },
});

export const newPayoutWrite = ({
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

/** Maximum number of items of payouts per page. At about 200 bytes each, the reply stays far below 6 MB. */
const MOST_LISTED_ITEMS = 10_000;

/** Payouts of a program, newest first. A page with very large payouts is shorter than requested. */
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

/** The newest payouts of a program, or the newest before a given payout. */
export const payoutsBefore = (
  table: Table,
  programId: number,
  before: Pick<Payout, 'id' | 'createdAt'> | undefined,
  most: number,
): Promise<Page<Payout>> =>
  payoutsOf(table, programId, {
    most,
    after: before && indexKeys.payout(programId, before.createdAt, before.id).gsi1sk,
  });

/**
 * Writes that store the owner's reference. A copy is stored separately for partners, because the payout itself grows
 * with the number of partners.
 */
export const referredPayoutWrites = ({ id, reference: before }: Payout, reference: string): Write[] => [
  {
    name: 'payout',
    key: keys.payout(id),
    change: { set: { reference } },
    // Closes the race between two owners who change the reference: the loser reloads and overwrites the winner's value.
    condition: { exists: true, equals: { reference: before } },
  },
  payoutReferenceWrite(id, reference),
];
