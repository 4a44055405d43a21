import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Deps } from '#lib/deps.ts';
import { partnersOf } from '#lib/store/partners.ts';

/** Partners of a program, oldest first. */
export const listPartners = (
  { table }: Deps,
  programId: number,
  status: Partner['status'] | undefined,
  page: PageRequest,
): Promise<Page<Partner>> =>
  partnersOf(table, programId, page, (partner) => status === undefined || partner.status === status);
