import type { Commission, CommissionStatus } from '#lib/domain/commission.ts';
import { asReadAt } from '#lib/domain/commission-lifecycle.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findCommissionById } from '#lib/service/store/commissions.ts';
import { keptPage } from '#lib/service/store/pages.ts';
import { commissionsOfPartner } from '#lib/service/store/partner-commissions.ts';
import { isKept, listWith } from '#lib/service/use-cases/list-commissions.ts';
import { listOwnPayouts } from '#lib/service/use-cases/list-own-payouts.ts';

interface OwnCommissionFilter {
  /** As it reads. */
  readonly status?: CommissionStatus;
  /** The payout that paid or adjusted it. */
  readonly payoutId?: number;
}

/** Commissions of one partner as they read now, newest first. */
export async function listOwnCommissions(
  deps: Deps,
  program: Program,
  partner: Pick<Partner, 'programId' | 'id'>,
  { status, payoutId }: OwnCommissionFilter,
  page: PageRequest,
): Promise<Page<Commission>> {
  const keep = isKept(deps, program, { status });
  const owner = { programId: program.id, partnerId: partner.id };
  const { items, next } = await (payoutId === undefined
    ? commissionsOfPartner(deps.table, owner, listWith({ status }), page, keep)
    : commissionsInPayout(deps, partner, payoutId, page, keep));
  return { items: items.map((commission) => asReadAt(commission, program, deps.now)), next };
}

/** Those of one payout, by their ids. It holds them in a limited number of steps, which name them all. */
async function commissionsInPayout(
  deps: Deps,
  partner: Pick<Partner, 'programId' | 'id'>,
  payoutId: number,
  page: PageRequest,
  keep: (commission: Commission) => boolean,
): Promise<Page<Commission>> {
  const ids = (await idsInPayout(deps, partner, payoutId)).toSorted((a, b) => b - a);
  return keptPage(page, async ({ most, after }) => {
    const left = after === undefined ? ids : ids.filter((id) => id < Number(after));
    const part = left.slice(0, most);
    const found = await Promise.all(part.map((id) => findCommissionById(deps.table, id)));
    const items = found.flatMap((item) => (item && keep(item) ? [{ position: String(item.id), item }] : []));
    return { items, next: left.length > most ? String(part.at(-1)) : undefined };
  });
}

/** Currencies of a payout that are read at a time. */
const STRIDE = 100;

async function idsInPayout(
  deps: Deps,
  partner: Pick<Partner, 'programId' | 'id'>,
  payoutId: number,
): Promise<number[]> {
  const ids: number[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await listOwnPayouts(deps, partner, payoutId, { most: STRIDE, after });
    ids.push(...items.flatMap(({ commissionIds }) => commissionIds));
    after = next;
  } while (after !== undefined);
  return ids;
}
