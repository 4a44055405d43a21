import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import { countingOf, withRefunds } from '#lib/service/conversions/refunds/refunded-commission.ts';
import { programNotFound, saleToRepairNotFound } from '#lib/service/ground/values/refusals.ts';
import { verdictOn } from '#lib/service/earnings/commissions/rules-that-fit.ts';
import { changedAtOf, lacksCommission } from '#lib/service/conversions/sales/sale.ts';
import {
  type AttributedSale,
  convertedCustomer,
  withCommission,
} from '#lib/service/conversions/sales/sale-decision.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { refundShareWrites, storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import { findSale, salesToRepair } from '#lib/service/conversions/sales/sales-items.ts';
import { bindableKey } from '#lib/service/traffic/customers/bindable-key.ts';
import { bookMissingCommission } from '#lib/service/conversions/sales/book-sale.ts';
import { addressFacts } from '#lib/service/conversions/payers/compare-address.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** The result of the repair of one sale. */
export interface SaleRepair {
  readonly transactionId: string;
  /** Why no commission was created. Undefined if one was. */
  readonly skipped?: string;
}

/**
 * Creates the missing commission of a sale, with the terms at the time of the sale and the refunds recorded since, and
 * updates its customer accordingly. May be repeated; if two repairs race, only one of them creates the commission.
 * @throws Refusal if there is no such sale
 */
export const repairSale = (deps: OperatorDeps, transactionId: string): Promise<SaleRepair> =>
  retryOnConflict(deps, () => decideRepair(deps, transactionId));

/** Repairs all sales without commission, oldest first, so that a customer's first payment comes before later ones. */
export async function repairAllSales(deps: OperatorDeps): Promise<SaleRepair[]> {
  const repairs: SaleRepair[] = [];
  for (const transactionId of await salesToRepair(deps.table)) {
    // Clears the read cache, because the previous repair may have changed the same customer.
    deps.table.forget();
    repairs.push(await repairSale(deps, transactionId));
  }
  return repairs;
}

async function decideRepair(deps: OperatorDeps, transactionId: string): Promise<SaleRepair> {
  const { table, ids, now } = deps;
  const skipped = (reason: string): SaleRepair => ({ transactionId, skipped: reason });
  const sale = await findSale(table, transactionId);
  if (!sale) throw saleToRepairNotFound();
  const { attribution, terms } = sale;
  if (!lacksCommission(sale)) return skipped('no commission is missing');
  if (!terms || attribution?.partnerId === undefined) return skipped('its customer had no partner');
  const { clickId, partnerId, shortLink } = attribution;
  // The customer is read even if the person was erased in the meantime, because the partner still gets the commission.
  const customer = await findRecordedCustomer(table, clickId);
  if (!customer) throw new Error(`Sale ${transactionId} names customer ${clickId}, which does not exist`);

  const [id, refunds, program, agreements] = await Promise.all([
    // The sale keeps its commission's id even if a restore of the table has lost the commission.
    sale.commissionId ?? ids.take(table),
    storedRefundsOf(table, transactionId),
    findProgram(table, sale.programId),
    findAgreements(table, sale.programId),
  ]);
  if (!program) throw programNotFound();
  const isGone = customer.erasedAt !== undefined || customer.unlinkedAt !== undefined;
  const named = { clickId, customerKey: sale.claimed?.customerKey };
  const { customerKey, claimant, confirmsKey } = isGone ? {} : await bindableKey(table, customer, named, program);
  // A coupon code may have moved the customer to another partner since the sale, whose commission belongs to the sale's
  // partner.
  const earner = { ...customer, partnerId, shortLink, code: undefined };
  const facts = { ...agreements, ...(await addressFacts(deps, program, earner)) };
  const names = { id, partnerId, clickId, createdAt: now.toISOString(), actor: 'operator' } as const;
  const decision: AttributedSale = {
    outcome: 'attributed',
    stored: customer,
    customer,
    converted: convertedCustomer(customer, {
      customerKey,
      paidAt: new Date(sale.occurredAt),
      firstTerms: terms.version?.version,
      saleType: sale.saleType,
      confirmsKey,
    }),
    claimant,
    terms,
    ...withCommission(sale, terms, customer.firstPurchaseAt, names, verdictOn(program, earner, facts, now)),
  };
  const failure = await bookMissingCommission(deps, sale, decision, (after, commission) => {
    const changed = { ...after, changedAt: timeAfter(now, changedAtOf(sale)).toISOString() };
    if (!commission) return { sale: changed };
    const reduced = withRefunds(commission, sale, refunds, { actor: 'operator', at: now });
    const writes = refundShareWrites(refunds, reduced.shares, commission.currency, countingOf(commission));
    return { sale: changed, commission: reduced.commission, writes };
  });
  if (failure) return skipped(failure.message);
  return decision.commission ? { transactionId } : skipped('no commission is due for this payment');
}
