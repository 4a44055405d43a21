import type { Commission, CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import { statusAt } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type CommissionList, commissionsOf } from '#lib/service/earnings/commissions/commissions-items.ts';
import { commissionsOfPartner } from '#lib/service/earnings/commissions/partner-commissions-items.ts';
import { shownNow, type WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';

export interface CommissionFilter {
  readonly partnerId?: number;
  /** The status at this moment, which may differ from the stored one. */
  readonly status?: CommissionStatus;
  readonly currency?: Currency;
  /** Set to list only commissions that a rule matched, including those that it holds for review. */
  readonly isFlagged?: boolean;
  /** First day on which the listed commissions were recorded, inclusive. */
  readonly from?: Day;
  readonly to?: Day;
}

export interface CommissionOfPartner {
  /** The commission with its present status. */
  readonly commission: WithPayoutStatus;
  readonly partner?: Partner;
}

/** Commissions of a program, newest first. */
export async function listCommissions(
  deps: Deps,
  program: Program,
  filter: CommissionFilter,
  page: PageRequest,
): Promise<Page<CommissionOfPartner>> {
  const { items, next } = await storedCommissions(deps.table, program.id, filter, page, isKept(deps, program, filter));
  return { items: await Promise.all(items.map((commission) => asListed(deps, program, commission))), next };
}

/**
 * A page of the commissions of a program, or of one of its partners, that were recorded on the filter's days.
 * @param keep returns whether a commission matches the rest of the filter
 */
export function storedCommissions(
  table: Table,
  programId: number,
  filter: CommissionFilter,
  page: PageRequest,
  keep: (commission: Commission) => boolean,
): Promise<Page<Commission>> {
  const { partnerId, from, to } = filter;
  const days = { ...page, from, to };
  return partnerId === undefined
    ? commissionsOf(table, programId, listWith(filter), days, keep)
    : commissionsOfPartner(table, { programId, partnerId }, listWith(filter), days, keep);
}

/** Commissions that are held, pending or approved are all in the list of unsettled ones, which is shorter. */
export const listWith = ({ status }: CommissionFilter): CommissionList =>
  status === 'held' || status === 'pending' || status === 'approved' ? 'unsettled' : 'all';

export const isKept =
  ({ now }: Deps, program: Program, { status, currency, isFlagged }: CommissionFilter) =>
  (commission: Commission): boolean =>
    (!isFlagged || commission.flags !== undefined) &&
    (currency === undefined || commission.currency === currency) &&
    (status === undefined || statusAt(commission, program, now) === status);

/** A commission with its present status and its partner. */
export const asListed = async (
  deps: Pick<Deps, 'table' | 'now'>,
  program: Program,
  commission: Commission,
): Promise<CommissionOfPartner> => ({
  commission: await shownNow(deps, program, commission),
  partner: await findPartner(deps.table, program.id, commission.partnerId),
});
