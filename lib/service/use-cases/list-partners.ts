import type { EventCounts } from '#lib/domain/counter-readings.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Deps } from '#lib/service/deps.ts';
import { countsOf } from '#lib/service/store/counter-readings.ts';
import { partnersOf } from '#lib/service/store/partners.ts';

export interface CountedPartner {
  readonly partner: Partner;
  /** Since ever. */
  readonly counts: EventCounts;
}

/** Partners of a program, oldest first, each with what came through it. */
export async function listPartners(
  deps: Deps,
  programId: number,
  status: Partner['status'] | undefined,
  page: PageRequest,
): Promise<Page<CountedPartner>> {
  const isWanted = (partner: Partner) => status === undefined || partner.status === status;
  const { items, next } = await partnersOf(deps.table, programId, page, isWanted);
  return { items: await Promise.all(items.map((partner) => withCounts(deps, partner))), next };
}

export const withCounts = async ({ table }: Deps, partner: Partner): Promise<CountedPartner> => ({
  partner,
  counts: await countsOf(table, { of: 'partner', programId: partner.programId, partnerId: partner.id }),
});
