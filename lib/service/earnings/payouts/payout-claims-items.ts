import type { Payout, PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import { keys, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
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

/** The payout's position in a partner's list of claims. The currency follows. */
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

/** Everything that the steps of a payout have claimed. */
export async function claimsIn(table: Table, payoutId: number): Promise<PayoutClaims[]> {
  const items = await table.query<ClaimItem>(keys.payout(payoutId).pk, { prefix: CLAIM });
  return items.map(({ partnerId, currency, amountCents, commissionIds }) => ({
    partnerId,
    currency,
    amountCents,
    commissionIds,
  }));
}
