import type { Commission, CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import { shownNow, type WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCommissionById } from '#lib/service/earnings/commissions/commissions-items.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import { commissionsOfPartner } from '#lib/service/earnings/commissions/partner-commissions-items.ts';
import { isKept, listWith } from '#lib/service/reports/lists/list-commissions.ts';
import { listOwnPayouts } from '#lib/service/reports/exports/list-own-payouts.ts';

interface OwnCommissionFilter {
  /** The status at this moment, which may differ from the stored one. */
  readonly status?: CommissionStatus;
  /** The payout that paid or adjusted the commission. */
  readonly payoutId?: number;
}

/** Commissions of one partner with their present status, newest first. */
export async function listOwnCommissions(
  deps: Deps,
  program: Program,
  partner: Pick<Partner, 'programId' | 'id'>,
  { status, payoutId }: OwnCommissionFilter,
  page: PageRequest,
): Promise<Page<WithPayoutStatus>> {
  const keep = isKept(deps, program, { status });
  const owner = { programId: program.id, partnerId: partner.id };
  const { items, next } = await (payoutId === undefined
    ? commissionsOfPartner(deps.table, owner, listWith({ status }), page, keep)
    : commissionsInPayout(deps, partner, payoutId, page, keep));
  return { items: await Promise.all(items.map((commission) => shownNow(deps, program, commission))), next };
}

/** Lists commissions in one payout by their ids. A payout stores these ids in a limited number of items. */
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
    // After its payout line failed or became void, a commission may have moved to another partner.
    const own = found.filter((item) => item?.partnerId === partner.id);
    const items = own.flatMap((item) => (item && keep(item) ? [{ position: String(item.id), item }] : []));
    return { items, next: left.length > most ? String(part.at(-1)) : undefined };
  });
}

/** How many of a payout's currencies are read at once. */
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
