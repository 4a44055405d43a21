import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { countIn, groupOf, type Payout, type PayoutClaims, sumsOf } from '#lib/service/earnings/payouts/payout.ts';
import type { PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { extendedLineWrites, newLineWrite } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { changedCommissionWrite } from '#lib/service/earnings/commissions/commissions-items.ts';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { payoutReferenceWrite, payoutsListed } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { pageOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Finds a payout by id, in any program. */
export const findPayout = (table: Table, payoutId: number): Promise<Payout | undefined> =>
  table.get<Payout>(keys.payout(payoutId));

/** The item that marks the open payout of a program. A program has at most one. */
interface OpenMark {
  readonly payoutId: number;
  /** What the payout was asked to pay. Undefined in version 1. */
  readonly choice?: PayoutChoice;
}

export const findOpenMark = (table: Table, programId: number): Promise<OpenMark | undefined> =>
  table.get<OpenMark>(keys.openPayout(programId));

/** Ids and creation times of all payouts of a program, oldest first. */
export const everyPayout = (table: Table, programId: number) =>
  payoutsListed(table, indexKeys.payout(programId, '', 0).gsi1pk);

/** A commission before and after a payout, with its status at that time. */
interface PaidCommission {
  readonly before: Commission;
  readonly after: Commission;
}

/**
 * Maximum number of commissions, lines and claims per step. A transaction allows 100 writes: two are for the payout
 * itself, two for the extra writes of a payout's first and last step, and one for the check that payouts are not frozen.
 */
export const MOST_CLAIMED_A_STEP = 95;

/** What one step of a payout records. */
export interface PayoutStep {
  readonly before: Payout;
  readonly after: Payout;
  readonly choice: PayoutChoice;
  /** The commissions that the step records, by partner and currency in order. */
  readonly claims: readonly PayoutClaims[];
  /** The line that the previous step has recorded, if the first entry of `claims` adds to it. Otherwise undefined. */
  readonly extended?: PayoutLine;
  readonly commissions: readonly PaidCommission[];
}

/**
 * The writes of one step of a payout. Commissions, their lines and the payout change in one transaction, so each
 * commission is in one payout only, and a payout that is interrupted at any point contains exactly the commissions that
 * are marked as paid by it.
 *
 * If two requests work on one payout, both try to write its next step. Only one of them can, and the other request
 * waits for it. A payout cannot start while another payout of the program is open: a request for a new payout finishes
 * the open one first.
 */
export function payoutStepWrites({ before, after, choice, claims, extended, commissions }: PayoutStep): Write[] {
  const isFirst = before.steps === 0;
  const isLast = after.status === 'made';
  const { steps } = after;
  return [
    ...commissions.map((one) => ({
      ...changedCommissionWrite(one.before, one.after),
      name: commissionWriteName(one.before.id),
    })),
    ...claims.flatMap((claim) =>
      extended && groupOf(extended) === groupOf(claim)
        ? extendedLineWrites(extended, steps, claim)
        : [newLineWrite(after, steps, claim)],
    ),
    isFirst ? newPayoutWrite(after) : changedPayoutWrite(before, after),
    ...(isFirst && isLast ? [{ ...openKey(after), check: true as const, condition: { isNew: true as const } }] : []),
    ...(isFirst && !isLast ? [openWrite(after, choice)] : []),
    ...(!isFirst && isLast ? [openPayoutRemoval(after)] : []),
  ];
}

/** The name of the write that changes a commission. If its condition fails, the name shows which commission it was. */
export const commissionWriteName = (commissionId: number): string => `commission ${commissionId}`;

/** Closes the race between two requests for the same step of a payout: the second request waits for the first. */
export const changedPayoutWrite = (before: Payout, after: Payout): Write => ({
  name: 'payout',
  key: keys.payout(after.id),
  change: { set: progressOf(after) },
  condition: { equals: { status: before.status, steps: before.steps } },
});

const progressOf = ({ status, steps, sums, items, last, planned, workedAt }: Payout) => ({
  status,
  steps,
  sums,
  items,
  last,
  planned,
  workedAt,
});

/** Fails if another payout of the program is open. */
export const openPayoutRemoval = (payout: Pick<Payout, 'id' | 'programId'>): Write => ({
  ...openKey(payout),
  remove: true,
  condition: { equals: { payoutId: payout.id } },
});

const openKey = ({ programId }: Pick<Payout, 'programId'>) => ({ name: 'openPayout', key: keys.openPayout(programId) });

const openWrite = (payout: Payout, choice: PayoutChoice): Write => ({
  ...openKey(payout),
  put: { payoutId: payout.id, choice, ...indexKeys.payoutWork(payout.createdAt, payout.id) },
  condition: { isNew: true },
});

export const newPayoutWrite = (payout: Payout): Write => {
  const { id, programId, partnerId, through, createdAt, createdBy } = payout;
  return {
    name: 'payout',
    key: keys.payout(id),
    put: {
      ...({ id, programId, partnerId, through, ...progressOf(payout), createdAt, createdBy } satisfies Payout),
      ...indexKeys.payout(programId, createdAt, id),
    },
    condition: { isNew: true },
  };
};

/** Index key of the open payouts, and of failed or void lines whose payments are not all cancelled, of all programs. */
export const payoutWorkList = indexKeys.payoutWork('', 0).gsi1pk;

/** Up to this number of lines, a payout is shown with its lines. */
export const MOST_SHOWN_LINES = 1_000;

/** Maximum number of lines of payouts per page. At about 200 bytes each, the reply stays far below 6 MB. */
const MOST_LISTED_LINES = 10_000;

const shownLines = (payout: Payout): number => {
  const lines = countIn(sumsOf(payout), 'lines');
  return lines > MOST_SHOWN_LINES ? 0 : lines;
};

/** Payouts of a program, newest first. A page with very large payouts is shorter than requested. */
export async function payoutsOf(table: Table, programId: number, request: PageRequest): Promise<Page<Payout>> {
  const list = indexKeys.payout(programId, '', 0).gsi1pk;
  const { items: payouts, next } = await pageOf<Payout>(table, list, request, undefined, { newestFirst: true });
  let listed = 0;
  const cut = payouts.findIndex((payout, index) => (listed += shownLines(payout)) > MOST_LISTED_LINES && index > 0);
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

/** Writes that store the owner's reference. Partners read a separate copy of it, as in version 1. */
export const referredPayoutWrites = ({ id, reference: before }: Payout, reference: string): Write[] => [
  {
    name: 'payout',
    key: keys.payout(id),
    change: { set: { reference } },
    // Closes the race between two owners who change the reference: the second request reloads and replaces the first
    // one's value.
    condition: { exists: true, equals: { reference: before } },
  },
  payoutReferenceWrite(id, reference),
];
