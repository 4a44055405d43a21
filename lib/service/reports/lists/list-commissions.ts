import type { Commission, CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import { asReadAt, statusAt } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type CommissionList, commissionsOf } from '#lib/service/earnings/commissions/commissions-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';

export interface CommissionFilter {
  readonly partnerId?: number;
  /** As it reads. */
  readonly status?: CommissionStatus;
  readonly currency?: Currency;
  /** Only those that a rule has fitted, held ones among them. */
  readonly isFlagged?: boolean;
  /** Days on which it was recorded, both included. */
  readonly from?: Day;
  readonly to?: Day;
}

export interface CommissionOfPartner {
  /** As it reads now. */
  readonly commission: Commission;
  readonly partner?: Partner;
}

/** Commissions of a program, newest first. */
export async function listCommissions(
  deps: Deps,
  program: Program,
  filter: CommissionFilter,
  page: PageRequest,
): Promise<Page<CommissionOfPartner>> {
  const { items, next } = await commissionsOf(
    deps.table,
    program.id,
    listWith(filter),
    { ...page, ...daysOf(filter) },
    isKept(deps, program, filter),
  );
  return { items: await Promise.all(items.map((commission) => asListed(deps, program, commission))), next };
}

/** Held, pending and approved commissions are all among the unsettled ones, which are few. */
export const listWith = ({ status }: CommissionFilter): CommissionList =>
  status === 'held' || status === 'pending' || status === 'approved' ? 'unsettled' : 'all';

/** The part of the filter by which the table itself lists; what is left tells `isKept`. */
export const daysOf = ({ from, to }: CommissionFilter): Pick<CommissionFilter, 'from' | 'to'> => ({ from, to });

export const isKept =
  ({ now }: Deps, program: Program, { partnerId, status, currency, isFlagged }: CommissionFilter) =>
  (commission: Commission): boolean =>
    (partnerId === undefined || commission.partnerId === partnerId) &&
    (!isFlagged || commission.flags !== undefined) &&
    (currency === undefined || commission.currency === currency) &&
    (status === undefined || statusAt(commission, program, now) === status);

/** A commission as it reads now, with its partner. */
export const asListed = async (
  { table, now }: Pick<Deps, 'table' | 'now'>,
  program: Program,
  commission: Commission,
): Promise<CommissionOfPartner> => ({
  commission: asReadAt(commission, program, now),
  partner: await findPartner(table, program.id, commission.partnerId),
});
