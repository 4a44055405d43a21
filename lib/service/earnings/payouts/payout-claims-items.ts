import type { Payout, PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import { type Key, keys, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { MOST_WRITES, type Write } from '#lib/service/ground/table/writes.ts';

/** What one step of a payout claimed of a partner in one currency. */
export interface ClaimItem extends PayoutClaims {
  readonly payoutId: number;
  /** Of the payout. */
  readonly createdAt: string;
}

/** What one step claimed of all partners, as earlier versions stored it. */
interface StepItem {
  readonly items: readonly PayoutClaims[];
}

/** Of a payout, what its claims repeat. */
type ClaimingPayout = Pick<Payout, 'id' | 'programId' | 'createdAt'>;

const CLAIM = 'CLAIM#';
const STEP = 'STEP#';

/** Where the claims of a payout are among those of a partner; their currency follows behind. */
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

/** What was claimed before a payout was stored as now, of any number of partners. */
export const olderStepWrite = ({ id, steps }: Pick<Payout, 'id' | 'steps'>, items: readonly PayoutClaims[]): Write => ({
  name: 'step',
  key: keys.payoutStep(id, steps),
  put: { items } satisfies StepItem,
});

export const payoutReferenceWrite = (payoutId: number, reference: string): Write => ({
  name: 'payoutReference',
  key: keys.payoutReference(payoutId),
  put: { reference },
});

/**
 * What the steps of a payout have claimed. An older step may move to single claims meanwhile: they come behind it in this
 * order, so none is missed, and one that is met in both forms counts once.
 */
export async function storedClaimsOf(table: Table, payoutId: number): Promise<PayoutClaims[]> {
  const { pk } = keys.payout(payoutId);
  const items = await table.query<Key & (ClaimItem | StepItem)>(pk, { newestFirst: true });
  const claims = new Map<string, PayoutClaims>();
  for (const item of items) {
    if (item.sk.startsWith(STEP)) {
      const step = stepOfKey(item);
      for (const claim of (item as StepItem).items) {
        claims.set(keys.payoutClaim(payoutId, step, claim.partnerId, claim.currency).sk, claim);
      }
    }
    if (item.sk.startsWith(CLAIM)) {
      const { partnerId, currency, amountCents, commissionIds } = item as ClaimItem;
      claims.set(item.sk, { partnerId, currency, amountCents, commissionIds });
    }
  }
  return [...claims.values()];
}

const stepOfKey = ({ sk }: Key): number => Number(sk.slice(STEP.length));

/** Moves what steps of earlier versions claimed to an item for each partner and currency. Repeating it is safe. */
export async function splitOlderSteps(table: Table, payout: ClaimingPayout): Promise<void> {
  const { pk } = keys.payout(payout.id);
  for (const { sk, items } of await table.query<Key & StepItem>(pk, { prefix: STEP })) {
    let left = items;
    while (left.length > 0) {
      const some = left.slice(0, MOST_WRITES - 1);
      const rest = left.slice(some.length);
      await table.transact([
        ...claimWrites(payout, stepOfKey({ pk, sk }), some),
        {
          name: 'step',
          key: { pk, sk },
          ...(rest.length > 0 ? { change: { set: { items: rest } } } : { remove: true }),
          // Two rebuilds at once: the loser fails, and may be repeated.
          condition: { equals: { items: left } },
        },
      ]);
      left = rest;
    }
  }
}
