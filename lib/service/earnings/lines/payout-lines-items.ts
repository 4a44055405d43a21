import { indexKeys, keys, partnerIndexKeys, type Key } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { lineClaimWrite, placeInList } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { groupOf, type Payout, type PayoutClaims, type PayoutItem } from '#lib/service/earnings/payouts/payout.ts';
import type { StoredCounts } from '#lib/service/earnings/lines/line-counts.ts';
import { type PayoutLine, withClaim } from '#lib/service/earnings/lines/payout-line.ts';

type LineName = Pick<PayoutLine, 'payoutId' | 'partnerId' | 'currency'>;

const lineKey = ({ payoutId, partnerId, currency }: LineName): Key => keys.payoutLine(payoutId, partnerId, currency);

const lineWriteName = (line: LineName): string => `line ${groupOf(line)}`;

/** The write of a new line, with the commissions that its first step put into it. */
export const newLineWrite = (payout: Payout, step: number, claim: PayoutClaims): Write =>
  lineWrite(lineOfClaim(payout, step, claim), { isNew: true });

export function lineOfClaim(
  { id: payoutId, programId, createdAt }: Pick<Payout, 'id' | 'programId' | 'createdAt'>,
  step: number,
  { partnerId, currency, amountCents, commissionIds }: PayoutClaims,
): PayoutLine {
  const commissions = commissionIds.length;
  const firstClaim = { step, amountCents, commissionIds };
  const status = 'recorded';
  return { payoutId, programId, createdAt, partnerId, currency, amountCents, commissions, status, firstClaim };
}

export const lineWrite = (line: PayoutLine, condition?: Write['condition']): Write => ({
  name: lineWriteName(line),
  key: lineKey(line),
  put: { ...line, ...indexOf(line), ...partnerIndexOf(line) },
  ...(condition && { condition }),
});

/** The index keys that list a line for its partner. The commissions of later steps have their own entries. */
const partnerIndexOf = ({ programId, partnerId, currency, firstClaim, ...line }: PayoutLine) =>
  firstClaim &&
  partnerIndexKeys.payoutClaim(
    programId,
    partnerId,
    placeInList({ id: line.payoutId, createdAt: line.createdAt }) + currency,
    firstClaim.step,
  );

/**
 * The index keys of a line. Paid lines are listed with their amounts. Failed and void lines are listed until their
 * payments for all commissions are cancelled.
 */
function indexOf(line: PayoutLine) {
  const { payoutId, programId, partnerId, createdAt, currency, amountCents, status, endedAt, returning } = line;
  if (returning) return indexKeys.payoutWork(endedAt!, payoutId);
  if (status !== 'paid') return { gsi1pk: undefined, gsi1sk: undefined };
  return indexKeys.paidLine(programId, partnerId, createdAt, payoutId, currency, amountCents);
}

/** The writes by which a further step of the payout adds commissions to a line. */
export const extendedLineWrites = (line: PayoutLine, step: number, claim: PayoutClaims): Write[] => [
  lineClaimWrite(line, step, claim),
  {
    name: lineWriteName(line),
    key: lineKey(line),
    change: { set: sumsOfLine(withClaim(line, claim)) },
    // Fails if another request that works on the same payout has made this step. This request then waits for the other
    // one.
    condition: { equals: { amountCents: line.amountCents, commissions: line.commissions, status: 'recorded' } },
  },
];

const sumsOfLine = ({ amountCents, commissions }: PayoutLine) => ({ amountCents, commissions });

/**
 * The write that changes the status of a line.
 * @param isStored false for a line of a payout of version 1 that was never changed
 */
export function changedLineWrite(before: PayoutLine, after: PayoutLine, isStored: boolean): Write {
  if (!isStored) return lineWrite(after, { isNew: true });
  const { status, sentAt, paidAt, endedAt, endedBy, reason, reference, paidTo, returning } = after;
  const set = { status, sentAt, paidAt, endedAt, endedBy, reason, reference, paidTo, returning };
  return {
    name: lineWriteName(before),
    key: lineKey(before),
    change: { set: { ...set, ...indexOf(after) } },
    // Fails if another request has changed the line. This request then reloads the line and checks whether the change
    // is still allowed.
    condition: {
      equals: { status: before.status, sentAt: before.sentAt, paidAt: before.paidAt, reference: before.reference },
    },
  };
}

/** The write which records that all payments by a failed or void line are cancelled. It may be repeated. */
export const returnedLineWrite = (line: PayoutLine): Write => ({
  name: lineWriteName(line),
  key: lineKey(line),
  change: { set: { returning: undefined, gsi1pk: undefined, gsi1sk: undefined } },
  condition: { exists: true },
});

/** Finds the item of a line. A line of a payout of version 1 has an item only after its first change. */
export const findStoredLine = (table: Table, line: LineName): Promise<PayoutLine | undefined> =>
  table.get<PayoutLine>(lineKey(line));

const LINE = 'LINE#';

/** Stored lines of a payout by partner and currency. */
export const storedLines = (
  table: Table,
  payoutId: number,
  page: { readonly most?: number; readonly after?: string; readonly forList?: boolean } = {},
): Promise<(PayoutLine & Key)[]> => table.query(keys.payout(payoutId).pk, { prefix: LINE, ...page });

/** The recorded amounts of a payout, by partner and currency. */
export async function itemsOf(
  table: Table,
  { id, items }: Pick<Payout, 'id' | 'items'>,
): Promise<readonly PayoutItem[]> {
  if (items) return items;
  const lines = await storedLines(table, id, { forList: true });
  return lines.map(({ partnerId, currency, amountCents, commissions }) => ({
    partnerId,
    currency,
    amountCents,
    commissions,
  }));
}

/** The position of a line in the list of its payout's lines. */
export const linePosition = (line: LineName): string => lineKey(line).sk;

export const countsChangeWrite = (payoutId: number, added: Readonly<Record<string, number>>): Write[] =>
  Object.keys(added).length === 0
    ? []
    : [{ name: 'lineCounts', key: keys.payoutLineCounts(payoutId), change: { add: added } }];

/** Stores the line counts of a payout after a restore, computed from the lines themselves. */
export const countsWrite = (payoutId: number, counts: StoredCounts): Write => ({
  name: 'lineCounts',
  key: keys.payoutLineCounts(payoutId),
  put: counts,
});

export const findLineCounts = (table: Table, payoutId: number): Promise<StoredCounts | undefined> =>
  table.get<StoredCounts>(keys.payoutLineCounts(payoutId));

/** The amounts of a partner's paid lines, by currency. They come from the index, which may be a moment behind. */
export async function paidLinesCents(
  table: Table,
  programId: number,
  partnerId: number,
): Promise<Readonly<Record<string, number>>> {
  const list = indexKeys.paidLine(programId, partnerId, '', 0, '', 0).gsi1pk;
  const sums: Record<string, number> = {};
  const { entries } = await table.list(list, { most: EVERY });
  for (const { position } of entries) {
    const [, , currency = '', cents] = position.split('#');
    sums[currency] = (sums[currency] ?? 0) + Number(cents);
  }
  return sums;
}

/** A page size larger than the number of lines of any partner. */
const EVERY = 1_000_000;
