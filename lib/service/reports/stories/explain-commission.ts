import { type Commission, ofSale } from '#lib/service/earnings/commissions/commission.ts';
import { shownNow, type WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import type { CommissionStory } from '#lib/service/reports/stories/commission-story.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { commissionNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { findCommissionById } from '#lib/service/earnings/commissions/commissions-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { laterClicksOf } from '#lib/service/traffic/clicks/clicks-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { firstClick, laterClick, MOST_CLICKS } from '#lib/service/reports/stories/clicks-on-the-way.ts';
import { termsOfVersion } from '#lib/service/programs/terms/terms-in-force.ts';

/**
 * Loads a commission of the partner.
 * @param commissionId undefined for an invalid id
 * @throws Refusal when there is no such commission, or it is another partner's
 */
export async function ownCommission(
  { table }: Deps,
  { programId, id: partnerId }: Pick<Partner, 'programId' | 'id'>,
  commissionId: number | undefined,
): Promise<Commission> {
  const found = commissionId === undefined ? undefined : await findCommissionById(table, commissionId);
  if (found?.programId !== programId || found.partnerId !== partnerId) throw commissionNotFound();
  return found;
}

/**
 * Explains why a partner has a commission, with the customer's clicks through the partner's own links, and the
 * partner's own code. Links and codes of other partners are confidential.
 */
export async function explainCommission(
  deps: Deps,
  program: Program,
  partner: Partner,
  commission: Commission,
): Promise<CommissionStory & { readonly commission: WithPayoutStatus }> {
  const { table } = deps;
  const { clickId } = commission;
  const transactionId = ofSale(commission)?.transactionId;
  const version = commission.kind === 'manual' ? undefined : commission.terms?.version;
  const [customer, repeatClicks, sale, terms] = await Promise.all([
    findRecordedCustomer(table, clickId),
    clickId === undefined ? [] : laterClicksOf(table, clickId, MOST_CLICKS - 1),
    transactionId === undefined ? undefined : findSale(table, transactionId),
    version === undefined ? undefined : termsOfVersion(deps, program, version),
  ]);
  const clicks = [...(customer ? firstClick(customer, undefined) : []), ...repeatClicks.map(laterClick)];
  const code = sale?.attribution?.resolvedBy === 'code' ? sale.attribution.identifier : undefined;
  const isOwnCode = (await findCode(table, program.id, code))?.partnerId === partner.id;
  return {
    commission: await shownNow(deps, program, commission),
    terms,
    clicks: clicks.filter(({ at, shortLink }) => at <= commission.createdAt && partner.links.includes(shortLink)),
    signupAt: customer?.signupAt,
    sale,
    code: isOwnCode ? code : undefined,
  };
}
