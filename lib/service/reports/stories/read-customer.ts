import type { LeadCommission, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { shownNow, type WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { customerNotFound } from '#lib/service/ground/values/refusals.ts';
import { wasEverReversed } from '#lib/service/conversions/refunds/reversals.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { CustomerHistory, SaleOutcome } from '#lib/service/reports/stories/timeline.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { newestSalesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { laterClicksOf } from '#lib/service/traffic/clicks/clicks-items.ts';
import { findLead, findLeadCommission } from '#lib/service/conversions/leads/leads-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import { findCommission } from '#lib/service/conversions/sales/sales-items.ts';
import {
  firstClick,
  laterClick,
  MOST_CLICKS,
  withPartnerName,
} from '#lib/service/reports/stories/clicks-on-the-way.ts';

/** A customer with its partner and its amounts. The amounts come from counters and may be some seconds behind. */
export interface CountedCustomer {
  readonly customer: Customer;
  /** The partner of the customer; undefined if the operator unlinked the customer. */
  readonly partner?: Partner;
  readonly amounts: EventCounts['amounts'];
}

export async function withAmounts({ table }: Deps, customer: Customer): Promise<CountedCustomer> {
  const { clickId, programId, partnerId } = customer;
  const [partner, { amounts }] = await Promise.all([
    partnerId === undefined ? undefined : findPartner(table, programId, partnerId),
    countsOf(table, { of: 'customer', clickId }),
  ]);
  return { customer, partner, amounts };
}

/** Loads a customer of the program, including unlinked and erased ones. @throws Refusal */
export async function recordedCustomerOf({ table }: Deps, programId: number, clickId = ''): Promise<Customer> {
  const customer = await findRecordedCustomer(table, isPlainText(clickId) ? clickId : undefined);
  if (customer?.programId !== programId) throw customerNotFound();
  return customer;
}

/**
 * Maximum number of sales shown per customer, newest first: with their commissions, they fit on a page and into one
 * read batch.
 */
const MOST_SALES = 50;
/** Maximum number of refunds shown per sale, newest first. */
const MOST_REFUNDS = 20;

/** A sale of a customer with the partner who earned its commission, even if the customer has been unlinked since. */
interface SaleOfCustomer extends SaleOutcome {
  readonly commission?: WithPayoutStatus<SaleCommission>;
  readonly partner?: Partner;
}

/** The full history of a customer. */
export interface CustomerStory extends CustomerHistory, CountedCustomer {
  readonly leadCommission?: WithPayoutStatus<LeadCommission>;
  /** The partner who earned the lead's commission. */
  readonly leadPartner?: Partner;
  readonly sales: readonly SaleOfCustomer[];
}

export async function readCustomer(deps: Deps, program: Program, customer: Customer): Promise<CustomerStory> {
  const { table } = deps;
  const { clickId, partnerId } = customer;
  const [counted, lead, earned, repeatClicks, sales] = await Promise.all([
    withAmounts(deps, customer),
    findLead(table, clickId),
    findLeadCommission(table, clickId),
    laterClicksOf(table, clickId, MOST_CLICKS - 1),
    newestSalesOf(table, clickId, MOST_SALES),
  ]);
  const clicks = [...firstClick(customer, partnerId), ...repeatClicks.map(laterClick)];
  return {
    ...counted,
    lead,
    leadCommission: earned && (await shownNow(deps, program, earned)),
    leadPartner: earned && (await findPartner(table, program.id, earned.partnerId)),
    clicks: await Promise.all(clicks.map((click) => withPartnerName(deps, program.id, click))),
    sales: await Promise.all(sales.map((sale) => withOutcome(deps, program, sale))),
  };
}

async function withOutcome(deps: Deps, program: Program, sale: Sale): Promise<SaleOfCustomer> {
  const { table } = deps;
  const { transactionId } = sale;
  const [commission, refunds] = await Promise.all([
    findCommission(table, transactionId),
    wasEverReversed(sale) ? storedRefundsOf(table, transactionId, MOST_REFUNDS) : [],
  ]);
  return {
    sale,
    commission: commission && (await shownNow(deps, program, commission)),
    partner: commission && (await findPartner(table, program.id, commission.partnerId)),
    refunds,
  };
}
