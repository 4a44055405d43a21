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

/** Puts a line with the claim of its first step. */
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

/** A line is listed for its partner in place of the claim of its first step. */
const partnerIndexOf = ({ programId, partnerId, currency, firstClaim, ...line }: PayoutLine) =>
  firstClaim &&
  partnerIndexKeys.payoutClaim(
    programId,
    partnerId,
    placeInList({ id: line.payoutId, createdAt: line.createdAt }) + currency,
    firstClaim.step,
  );

/** Paid lines are listed with their amounts, lines that give back are listed until they have done so. */
function indexOf(line: PayoutLine) {
  const { payoutId, programId, partnerId, createdAt, currency, amountCents, status, endedAt, returning } = line;
  if (returning) return indexKeys.payoutWork(endedAt!, payoutId);
  if (status !== 'paid') return { gsi1pk: undefined, gsi1sk: undefined };
  return indexKeys.paidLine(programId, partnerId, createdAt, payoutId, currency, amountCents);
}

/** The writes by which a further step adds its claim to a line. */
export const extendedLineWrites = (line: PayoutLine, step: number, claim: PayoutClaims): Write[] => [
  lineClaimWrite(line, step, claim),
  {
    name: lineWriteName(line),
    key: lineKey(line),
    change: { set: sumsOfLine(withClaim(line, claim)) },
    // Two requests work on the payout: the loser of the step waits for the winner.
    condition: { equals: { amountCents: line.amountCents, commissions: line.commissions, status: 'recorded' } },
  },
];

const sumsOfLine = ({ amountCents, commissions }: PayoutLine) => ({ amountCents, commissions });

/** Changes the status of a line. @param isStored false for a line of version 1 that was never changed */
export function changedLineWrite(before: PayoutLine, after: PayoutLine, isStored: boolean): Write {
  if (!isStored) return lineWrite(after, { isNew: true });
  const { status, sentAt, paidAt, endedAt, endedBy, reason, reference, paidTo, returning } = after;
  const set = { status, sentAt, paidAt, endedAt, endedBy, reason, reference, paidTo, returning };
  return {
    name: lineWriteName(before),
    key: lineKey(before),
    change: { set: { ...set, ...indexOf(after) } },
    // Of two changes at once the loser reloads the line and is judged by what the winner left.
    condition: {
      equals: { status: before.status, sentAt: before.sentAt, paidAt: before.paidAt, reference: before.reference },
    },
  };
}

/** Notes that an ended line has given everything back. Another run may have noted it already. */
export const returnedLineWrite = (line: PayoutLine): Write => ({
  name: lineWriteName(line),
  key: lineKey(line),
  change: { set: { returning: undefined, gsi1pk: undefined, gsi1sk: undefined } },
  condition: { exists: true },
});

/** A stored line. A line of version 1 is stored from its first change on. */
export const findStoredLine = (table: Table, line: LineName): Promise<PayoutLine | undefined> =>
  table.get<PayoutLine>(lineKey(line));

const LINE = 'LINE#';

/** Stored lines of a payout by partner and currency. */
export const storedLines = (
  table: Table,
  payoutId: number,
  page: { readonly most?: number; readonly after?: string; readonly forList?: boolean } = {},
): Promise<(PayoutLine & Key)[]> => table.query(keys.payout(payoutId).pk, { prefix: LINE, ...page });

/** The items of a payout by partner and currency, as they were recorded. */
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

/** The position of a line in the list of its payout. */
export const linePosition = (line: LineName): string => lineKey(line).sk;

export const countsChangeWrite = (payoutId: number, added: Readonly<Record<string, number>>): Write[] =>
  Object.keys(added).length === 0
    ? []
    : [{ name: 'lineCounts', key: keys.payoutLineCounts(payoutId), change: { add: added } }];

/** Stores the counts as its lines have them, after a restore. */
export const countsWrite = (payoutId: number, counts: StoredCounts): Write => ({
  name: 'lineCounts',
  key: keys.payoutLineCounts(payoutId),
  put: counts,
});

export const findLineCounts = (table: Table, payoutId: number): Promise<StoredCounts | undefined> =>
  table.get<StoredCounts>(keys.payoutLineCounts(payoutId));

/** The amounts of a partner's paid lines by currency, from the index, which may be a moment late. */
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

/** More than a partner has. */
const EVERY = 1_000_000;
