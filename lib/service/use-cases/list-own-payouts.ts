import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Deps } from '#lib/service/deps.ts';
import { type PartnerPayout, payoutsOfPartner } from '#lib/service/store/partner-payouts.ts';
import { findPayout } from '#lib/service/store/payouts.ts';

/** What payouts paid to one partner, newest first. @param payoutId of the only one that is wanted */
export async function listOwnPayouts(
  { table }: Deps,
  { programId, id }: Pick<Partner, 'programId' | 'id'>,
  payoutId: number | undefined,
  page: PageRequest,
): Promise<Page<PartnerPayout>> {
  if (payoutId === undefined) return payoutsOfPartner(table, programId, id, page);
  const payout = await findPayout(table, payoutId);
  return payout?.programId === programId ? payoutsOfPartner(table, programId, id, page, payout) : { items: [] };
}
