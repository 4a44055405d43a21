import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { lastPaidAt } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import { itemsOf } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { payoutsBefore } from '#lib/service/earnings/payouts/payouts-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** The id used for a payout that is only previewed. */
const NO_ID = 0;

/**
 * Up to this number of partners, each partner's own list of payouts is read. For more partners, the newest payouts of
 * the program are read instead.
 */
const FEW = 200;
/** How many of the newest payouts are read. Each may cost 1,000 read units, if it has 20,000 lines. */
const MOST_PAYOUTS = 2;

/** Returns when a partner was last paid in the program before a payout; undefined if never. */
export type LastPaid = (partner: Pick<Partner, 'programId' | 'id'>) => Promise<string | undefined>;

/**
 * Returns a function that finds when a partner of a payout was last paid before it. Most partners are in one of the
 * newest payouts, so reading these is enough for nearly all of them.
 * @param count the number of partners that will be asked for
 */
export function lastPayments(
  table: Table,
  payout: Pick<Payout, 'id' | 'programId' | 'createdAt'>,
  count: number,
): LastPaid {
  const before = payout.id === NO_ID ? undefined : payout;
  const newest = count > FEW ? paidInNewest(table, payout.programId, before) : undefined;
  return async (partner) => {
    const { paidAt, isAll } = (await newest) ?? { isAll: false };
    return paidAt?.get(partner.id) ?? (isAll ? undefined : lastPaidAt(table, partner, before));
  };
}

/** The last payment of each partner in the program's newest payouts, and whether the program has no older payouts. */
async function paidInNewest(table: Table, programId: number, before: Pick<Payout, 'id' | 'createdAt'> | undefined) {
  const { items: payouts, next } = await payoutsBefore(table, programId, before, MOST_PAYOUTS);
  const paidAt = new Map<number, string>();
  for (const payout of payouts.toReversed()) {
    for (const { partnerId } of await itemsOf(table, payout)) paidAt.set(partnerId, payout.createdAt);
  }
  return { paidAt, isAll: next === undefined };
}
