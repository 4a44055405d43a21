import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Payout, PayoutClaims, PayoutItem } from '#lib/service/earnings/payouts/payout.ts';
import { changedCommissionWrite } from '#lib/service/earnings/commissions/commissions-items.ts';
import { type IndexKey, indexKeys, keys, payoutIdOf } from '#lib/service/ground/table/keys.ts';
import {
  claimWrites,
  olderStepWrite,
  payoutReferenceWrite,
  splitOlderSteps,
  storedClaimsOf,
} from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { pageOf, pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A payout as it was stored before its steps were: with all its commissions, and without status once it was made. */
interface OlderPayout extends Pick<Payout, 'id' | 'programId' | 'partnerId' | 'through' | 'createdAt'> {
  readonly items: readonly PayoutClaims[];
  readonly steps?: number;
}

type StoredPayout = Payout | OlderPayout;

const isOlder = (stored: StoredPayout): stored is OlderPayout => !('status' in stored);

const itemOf = ({ commissionIds, ...item }: PayoutClaims): PayoutItem => ({
  ...item,
  commissions: commissionIds.length,
});

const payoutOf = (stored: StoredPayout, status: Payout['status'] = 'made'): Payout =>
  isOlder(stored) ? { ...stored, status, steps: stored.steps ?? 0, items: stored.items.map(itemOf) } : stored;

/** The payout with this id, in whichever program. */
export async function findPayout(table: Table, payoutId: number): Promise<Payout | undefined> {
  const stored = await table.get<StoredPayout>(keys.payout(payoutId));
  return stored && payoutOf(stored);
}

/** What the steps of a payout have claimed. */
export async function claimsIn(table: Table, payoutId: number): Promise<PayoutClaims[]> {
  const [stored, claims] = await Promise.all([
    table.get<StoredPayout>(keys.payout(payoutId)),
    storedClaimsOf(table, payoutId),
  ]);
  return [...(stored && isOlder(stored) ? stored.items : []), ...claims];
}

/** Ids of all commissions that a payout holds, finished or not. */
export async function commissionsIn(table: Table, programId: number, payoutId: number): Promise<ReadonlySet<number>> {
  const { pk, sk } = keys.openPayout(programId);
  const [claims, olderOpen] = await Promise.all([
    claimsIn(table, payoutId),
    table.query<OlderPayout>(pk, { prefix: `${sk}#` }),
  ]);
  const held = [...claims, ...olderOpen.filter(({ id }) => id === payoutId).flatMap(({ items }) => items)];
  return new Set(held.flatMap(({ commissionIds }) => commissionIds));
}

/** Lists a payout that was made before payouts were listed. @returns whether it was missing */
export async function listOlderPayout(table: Table, payoutId: number): Promise<boolean> {
  const stored = await table.get<StoredPayout & Partial<IndexKey>>(keys.payout(payoutId));
  if (!stored || stored.gsi1pk !== undefined) return false;
  const { programId, createdAt } = stored;
  await table.update(
    keys.payout(payoutId),
    { set: { ...indexKeys.payout(programId, createdAt, payoutId) } },
    { exists: true },
  );
  return true;
}

/**
 * Moves what a payout of an earlier version claimed to single items, by which its partners find their parts, and stores
 * its reference for them. Repeating it is safe.
 */
export async function splitOlderPayout(table: Table, payoutId: number): Promise<void> {
  const stored = await table.get<StoredPayout>(keys.payout(payoutId));
  if (!stored) return;
  const payout = payoutOf(stored);
  if (isOlder(stored)) {
    const { status, steps, items } = payout;
    const change = { set: { status, steps, items } };
    await table.transact([
      // Two rebuilds at once: the loser fails, and may be repeated.
      { name: 'payout', key: keys.payout(payoutId), change, condition: { equals: { status: undefined } } },
      olderStepWrite(payout, stored.items),
    ]);
  }
  await splitOlderSteps(table, payout);
  const { reference } = payout;
  if (reference !== undefined && !(await table.get(keys.payoutReference(payoutId)))) {
    await table.transact([payoutReferenceWrite(payoutId, reference)]);
  }
}

/** A payout that was begun and not finished. */
export interface OpenPayout {
  readonly payout: Payout;
  /** The format before steps existed. */
  readonly older?: OlderPayout;
}

/** The open payout of a program. It has one at most, and older ones beside it, each of which has its turn. */
export async function findOpenPayout(table: Table, programId: number): Promise<OpenPayout | undefined> {
  const { pk, sk: prefix } = keys.openPayout(programId);
  const [found] = await table.query<{ readonly payoutId: number } | OlderPayout>(pk, { prefix, most: 1 });
  if (!found) return undefined;
  if (!('payoutId' in found)) return { payout: payoutOf(found, 'open'), older: found };
  const payout = await findPayout(table, found.payoutId);
  return payout && { payout };
}

/**
 * Migrates an older open payout to the present format; what it claimed stays in one item, because it may be more than a
 * transaction takes. The loser of a race finds it migrated or finished.
 */
export const adoptedPayoutWrites = (
  payout: Payout,
  { items, partnerId = 0, through = '', steps }: OlderPayout,
): Write[] => [
  {
    name: 'openPayout',
    key: { pk: keys.openPayout(payout.programId).pk, sk: `OPEN_PAYOUT#${partnerId}#${through}` },
    remove: true,
    condition: { equals: { id: payout.id, steps } },
  },
  openWrite(payout),
  newPayoutWrite(payout),
  olderStepWrite(payout, items),
];

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

/** Ids of all payouts of a program that are listed, in pages. */
export async function* everyPayoutId(table: Table, programId: number): AsyncGenerator<number[]> {
  for await (const page of pagesOf(table, indexKeys.payout(programId, '', 0).gsi1pk)) yield page.map(payoutIdOf);
}

/** Payouts of a program, newest first. A page of very large ones is shorter than asked for. */
export async function payoutsOf(table: Table, programId: number, request: PageRequest): Promise<Page<Payout>> {
  const list = indexKeys.payout(programId, '', 0).gsi1pk;
  const { items, next } = await pageOf<StoredPayout>(table, list, request, undefined, { newestFirst: true });
  const payouts = items.map((stored) => payoutOf(stored));
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
