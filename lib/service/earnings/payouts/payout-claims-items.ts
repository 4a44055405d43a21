import type { Payout, PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';
import { type Key, keys, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The commissions of one partner and currency that one step of a payout claimed. */
export interface ClaimItem extends PayoutClaims {
  readonly payoutId: number;
  /** Creation time of the payout. */
  readonly createdAt: string;
}

/** The payout fields that are copied to its claims. */
type ClaimingPayout = Pick<Payout, 'id' | 'programId' | 'createdAt'>;

const CLAIM = 'CLAIM#';

/** The beginning of a claim's position in a partner's list, before the currency. */
export const placeInList = ({ id, createdAt }: Pick<Payout, 'id' | 'createdAt'>): string => `${createdAt}#${id}#`;

export const claimWrites = (payout: ClaimingPayout, step: number, claims: readonly PayoutClaims[]): Write[] =>
  claims.map((claim) => {
    const { id: payoutId, programId, createdAt } = payout;
    const { partnerId, currency, amountCents, commissionIds } = claim;
    const place = placeInList(payout) + currency;
    return {
      name: 'claim',
      key: keys.payoutClaim(payoutId, step, partnerId, currency),
      put: {
        ...({ payoutId, createdAt, partnerId, currency, amountCents, commissionIds } satisfies ClaimItem),
        ...partnerIndexKeys.payoutClaim(programId, partnerId, place, step),
      },
    };
  });

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

/** All claims of a payout's steps, in the order of the steps. */
export async function claimsIn(table: Table, payoutId: number): Promise<StepClaim[]> {
  const items = await table.query<ClaimItem & Key>(keys.payout(payoutId).pk, { prefix: CLAIM });
  return items.map((claim) => ({ ...claim, step: Number(claim.sk.split('#')[1]) }));
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
