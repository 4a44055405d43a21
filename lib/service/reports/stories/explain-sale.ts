import { asReadAt } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { shownNow, type WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import { isPlainText, MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { saleNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleExplanation } from '#lib/service/reports/stories/timeline.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { laterClicksOf } from '#lib/service/traffic/clicks/clicks-items.ts';
import { findLead, findLeadCommission } from '#lib/service/conversions/leads/leads-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findCommission, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import {
  firstClick,
  laterClick,
  MOST_CLICKS,
  withPartnerName,
} from '#lib/service/reports/stories/clicks-on-the-way.ts';

/** Why a sale was credited to a partner. */
export interface ExplainedSale extends SaleExplanation {
  readonly commission?: WithPayoutStatus<SaleCommission>;
  /** The partner in the sale's attribution; undefined if it has none. */
  readonly partner?: Partner;
  /** A partner who did not get the sale, although another identifier or a coupon code points to this partner. */
  readonly overruled?: Partner;
}

/** Loads a sale of a program. @param sent the transaction id as sent @throws Refusal */
export async function saleOf({ table }: Deps, programId: number, sent = ''): Promise<Sale> {
  const sale = await findSale(table, isPlainText(sent) ? sent : MATCHES_NOTHING);
  if (sale?.programId !== programId) throw saleNotFound();
  return sale;
}

/** The history of a sale. Attribution and window are those from the time at which the sale was recorded. */
export async function explainSale(deps: Deps, program: Program, sale: Sale): Promise<ExplainedSale> {
  const { table, now } = deps;
  const { clickId, partnerId, overruled: lost } = sale.attribution ?? {};
  const [customer, lead, earned, repeatClicks, commission, refunds, partner, overruled] = await Promise.all([
    findRecordedCustomer(table, clickId),
    findLead(table, clickId),
    findLeadCommission(table, clickId),
    clickId === undefined ? [] : laterClicksOf(table, clickId, MOST_CLICKS - 1),
    findCommission(table, sale.transactionId),
    storedRefundsOf(table, sale.transactionId),
    partnerId === undefined ? undefined : findPartner(table, program.id, partnerId),
    lost && findPartner(table, program.id, lost.partnerId),
  ]);
  // The first click is shown if it came through the sale's partner, even if the customer was unlinked since.
  const first = customer ? firstClick(customer, partnerId ?? customer.partnerId) : [];
  const clicks = [...first, ...repeatClicks.map(laterClick)];
  return {
    sale,
    partner,
    overruled,
    customer,
    lead,
    leadCommission: earned && asReadAt(earned, program, now),
    clicks: await Promise.all(
      clicks.filter(({ at }) => at <= sale.createdAt).map((click) => withPartnerName(deps, program.id, click)),
    ),
    commission: commission && (await shownNow(deps, program, commission)),
    refunds,
  };
}
