import { groupOf, type Group, type Payout, type PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';
import { type Key, keys, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// A payout records its commissions in steps. A claim contains the commissions of one line that one step has recorded.
// The first claim of a line is a part of the line's item; each later step writes its own item. In version 1 all claims
// are items.

/** The commissions of one partner and currency that one step of a payout claimed. */
interface ClaimItem extends PayoutClaims {
  readonly payoutId: number;
  /** Creation time of the payout. */
  readonly createdAt: string;
  /** The number of the step. Undefined in version 1, where only the item's key contains it. */
  readonly step?: number;
}

const CLAIM = 'CLAIM#';

/** The beginning of a claim's position in the list of its partner. The currency follows. */
export const placeInList = ({ id, createdAt }: Pick<Payout, 'id' | 'createdAt'>): string => `${createdAt}#${id}#`;

/** The write of the commissions that a further step has added to a line. */
export function lineClaimWrite(
  { payoutId, programId, createdAt }: Pick<PayoutLine, 'payoutId' | 'programId' | 'createdAt'>,
  step: number,
  { partnerId, currency, amountCents, commissionIds }: PayoutClaims,
): Write {
  const place = placeInList({ id: payoutId, createdAt }) + currency;
  return {
    name: 'claim',
    key: keys.payoutLineClaim(payoutId, partnerId, currency, step),
    put: {
      ...({ payoutId, createdAt, partnerId, currency, amountCents, commissionIds, step } satisfies ClaimItem),
      ...partnerIndexKeys.payoutClaim(programId, partnerId, place, step),
    },
  };
}

export const payoutReferenceWrite = (payoutId: number, reference: string): Write => ({
  name: 'payoutReference',
  key: keys.payoutReference(payoutId),
  put: { reference },
});

/** A claim with the number of its step. */
export interface StepClaim extends PayoutClaims {
  readonly step: number;
  /** Creation time of the payout. */
  readonly createdAt: string;
}

/** An item that contains a claim: the claim's own item, or a line. */
export type Claiming = Key & (ClaimItem | PayoutLine);

/** Reads the claim from an item; undefined for a line of a payout of version 1, whose claims are all separate items. */
export function claimIn(item: Claiming): StepClaim | undefined {
  const { partnerId, currency, createdAt } = item;
  if ('commissionIds' in item) {
    const { amountCents, commissionIds, step = Number(item.sk.split('#')[1]) } = item;
    return { partnerId, currency, createdAt, amountCents, commissionIds, step };
  }
  return item.firstClaim && { partnerId, currency, createdAt, ...item.firstClaim };
}

/** All claims of a payout, in the order of its steps. */
export async function claimsIn(table: Table, payoutId: number): Promise<StepClaim[]> {
  const { pk } = keys.payout(payoutId);
  const [claims, lines] = await Promise.all([
    table.query<Claiming>(pk, { prefix: CLAIM }),
    table.query<Claiming>(pk, { prefix: 'LINE#' }),
  ]);
  return [...lines, ...claims].flatMap((item) => claimIn(item) ?? []).toSorted((a, b) => a.step - b.step);
}

/** All claims of a line, in the order of the payout's steps. */
export async function claimsOfLine(
  table: Table,
  { payoutId, partnerId, currency, firstClaim, createdAt }: PayoutLine,
): Promise<StepClaim[]> {
  const name: Group = { partnerId, currency };
  const { pk } = keys.payout(payoutId);
  const prefix = firstClaim ? `${CLAIM}${partnerId}-${currency}#` : CLAIM;
  const items = await table.query<Claiming>(pk, { prefix });
  const claims = items.flatMap((item) => claimIn(item) ?? []).filter((claim) => groupOf(claim) === groupOf(name));
  return firstClaim ? [{ ...name, createdAt, ...firstClaim }, ...claims] : claims;
}

/**
 * Ids and creation times of the payouts that have recorded commissions of a partner. A payout is repeated for each of
 * its claims.
 */
export const claimingPayoutsOf = (table: Table, programId: number, partnerId: number) =>
  payoutsListed(table, partnerIndexKeys.payoutClaim(programId, partnerId, '', 0).gsi2pk, 'gsi2');

/** Yields the id and creation time of each payout in a list of the index. A position there contains both. */
export async function* payoutsListed(
  table: Table,
  list: string,
  index?: IndexName,
): AsyncGenerator<Pick<Payout, 'id' | 'createdAt'>> {
  for await (const page of pagesOf(table, list, undefined, index)) {
    for (const { position } of page) {
      const [createdAt = '', id] = position.split('#');
      yield { id: Number(id), createdAt };
    }
  }
}
