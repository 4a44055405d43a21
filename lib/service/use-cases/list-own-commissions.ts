import type { Commission, CommissionStatus } from '#lib/domain/commission.ts';
import { asReadAt } from '#lib/domain/commission-lifecycle.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { commissionsOfPartner } from '#lib/service/store/partner-commissions.ts';
import { isKept, listWith } from '#lib/service/use-cases/list-commissions.ts';

/** Commissions of one partner as they read now, newest first. @param status as they read */
export async function listOwnCommissions(
  deps: Deps,
  program: Program,
  { id: partnerId }: Pick<Partner, 'id'>,
  status: CommissionStatus | undefined,
  page: PageRequest,
): Promise<Page<Commission>> {
  const owner = { programId: program.id, partnerId };
  const keep = isKept(deps, program, { status });
  const { items, next } = await commissionsOfPartner(deps.table, owner, listWith({ status }), page, keep);
  return { items: items.map((commission) => asReadAt(commission, program, deps.now)), next };
}
