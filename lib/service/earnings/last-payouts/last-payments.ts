import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { lastPaidAt } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import { itemsOf } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { payoutsBefore } from '#lib/service/earnings/payouts/payouts-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** The id of a payout that is only previewed. */
const NO_ID = 0;

/** The largest number of partners whose own lists are read. For more partners, the newest payouts are read instead. */
const FEW = 200;
/** How many payouts: each may take 1,000 read units, at 20,000 lines. */
const MOST_PAYOUTS = 2;

/** Returns when a partner was last paid in the program before a payout; undefined if never. */
export type LastPaid = (partner: Pick<Partner, 'programId' | 'id'>) => Promise<string | undefined>;

/**
 * When the partners of a payout were last paid before it. Most partners are in one of the newest payouts, so reading
 * these suffices for nearly all partners.
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

/** The last payment of each partner in the newest payouts, and whether these are all payouts of the program. */
async function paidInNewest(table: Table, programId: number, before: Pick<Payout, 'id' | 'createdAt'> | undefined) {
  const { items: payouts, next } = await payoutsBefore(table, programId, before, MOST_PAYOUTS);
  const paidAt = new Map<number, string>();
  for (const payout of payouts.toReversed()) {
    for (const { partnerId } of await itemsOf(table, payout)) paidAt.set(partnerId, payout.createdAt);
  }
  return { paidAt, isAll: next === undefined };
}
