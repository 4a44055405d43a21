import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Deps } from '#lib/service/deps.ts';
import { type PartnerPayout, payoutsOfPartner } from '#lib/service/store/partner-payouts.ts';

/** What payouts paid to one partner, newest first. */
export const listOwnPayouts = (
  { table }: Deps,
  { programId, id }: Pick<Partner, 'programId' | 'id'>,
  page: PageRequest,
): Promise<Page<PartnerPayout>> => payoutsOfPartner(table, programId, id, page);
