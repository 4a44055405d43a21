import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type PartnerPayout, payoutsOfPartner } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import { findPayout } from '#lib/service/earnings/payouts/payouts-items.ts';

/** Payouts to one partner, newest first. @param payoutId returns only this payout */
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
