import { groupOf, type Group, type Payout, type PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';
import { type Key, keys, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// The first claim of a line is a part of the line's item; each later step puts an item. In version 1 all claims are items.

/** The commissions of one partner and currency that one step of a payout claimed. */
interface ClaimItem extends PayoutClaims {
  readonly payoutId: number;
  /** Creation time of the payout. */
  readonly createdAt: string;
  /** Undefined in version 1, where only the key has it. */
  readonly step?: number;
}

const CLAIM = 'CLAIM#';

/** The beginning of a claim's position in a partner's list, before the currency. */
export const placeInList = ({ id, createdAt }: Pick<Payout, 'id' | 'createdAt'>): string => `${createdAt}#${id}#`;

/** Puts the claim of a further step of a line. */
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

/** An item that has claims: a claim, or a line. */
export type Claiming = Key & (ClaimItem | PayoutLine);

/** The claim in an item; undefined for a line of version 1, whose claims are all separate items. */
export function claimIn(item: Claiming): StepClaim | undefined {
  const { partnerId, currency, createdAt } = item;
  if ('commissionIds' in item) {
    const { amountCents, commissionIds, step = Number(item.sk.split('#')[1]) } = item;
    return { partnerId, currency, createdAt, amountCents, commissionIds, step };
  }
  return item.firstClaim && { partnerId, currency, createdAt, ...item.firstClaim };
}

/** Everything that the steps of a payout have claimed, in the order of the steps. */
export async function claimsIn(table: Table, payoutId: number): Promise<StepClaim[]> {
  const { pk } = keys.payout(payoutId);
  const [claims, lines] = await Promise.all([
    table.query<Claiming>(pk, { prefix: CLAIM }),
    table.query<Claiming>(pk, { prefix: 'LINE#' }),
  ]);
  return [...lines, ...claims].flatMap((item) => claimIn(item) ?? []).toSorted((a, b) => a.step - b.step);
}

/** What the steps of a line have claimed, in their order. */
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

/** Ids and creation times of the payouts that have claimed commissions of a partner, once per claim. */
export const claimingPayoutsOf = (table: Table, programId: number, partnerId: number) =>
  payoutsListed(table, partnerIndexKeys.payoutClaim(programId, partnerId, '', 0).gsi2pk, 'gsi2');

/** Ids and creation times of payouts, read from their positions in a list of the index. */
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
