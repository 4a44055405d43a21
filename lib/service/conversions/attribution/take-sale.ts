import { claimBeforeCode, isUnattributed } from '#lib/service/conversions/attribution/code-claim.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { mayMove, containsMore } from '#lib/service/conversions/attribution/reattribution.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import type { AttributedSale } from '#lib/service/conversions/sales/sale-decision.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { salesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { resetCustomerWrites } from '#lib/service/conversions/attribution/moved-customers-items.ts';
import { payerWrites } from '#lib/service/conversions/payers/payers-items.ts';
import { findCommission, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { customerWrites } from '#lib/service/traffic/customers/paying-customers-items.ts';
import type { NamedPayment } from '#lib/service/conversions/waiting/keep-payment.ts';
import { resolvePayer } from '#lib/service/conversions/payers/resolve-payer.ts';
import {
  decideFor,
  moveOtherSale,
  moveSale,
  newGuestWrites,
  recordLateClaim,
} from '#lib/service/conversions/attribution/move-sale.ts';

// If a sale was attributed by e-mail address alone, and another event of its payment then supplies more identifiers,
// this file attributes the sale again.

type PaymentEvent = Pick<NamedPayment, 'payment' | 'program'>;

/**
 * Attributes a sale again that only the e-mail address had attributed: the sale moves to the customer that the event
 * identifies, or it records that another identifier contradicts the address.
 */
export async function takeSale(deps: Deps, { payment, program }: PaymentEvent, sale: Sale): Promise<Sale> {
  const { table } = deps;
  const { payer } = payment;
  const former = sale.attribution!;
  const found = await resolvePayer(deps, payer, program, sale);
  const times = { paidAt: new Date(sale.occurredAt), cameInAt: new Date(sale.createdAt) };
  if (!found || !containsMore(found, sale) || isUnattributed(found.customer, times, program)) return sale;
  const isSame = found.customer.clickId === former.clickId;
  // `found` is the customer as it was before this sale, so the customer is loaded as it is stored now.
  const customer = isSame ? await findCustomer(table, former.clickId) : found.customer;
  if (!customer) return sale;
  const decided = await decideFor(deps, program, sale, claimBeforeCode({ ...found, customer }, sale), payer);
  if (!decided) return sale;
  const decision = isSame ? withWindow(decided, former) : decided;
  const commission = await findCommission(table, sale.transactionId);
  if (!mayMove(commission)) return recordLateClaim(deps, sale, found);
  const { processorCustomerId } = payer;
  const payers =
    found.isClaimed || processorCustomerId === undefined
      ? await newGuestWrites(table, found)
      : await payerWrites(table, found.customer, processorCustomerId, found.isByAddressAlone);
  const writes = [...customerWrites(decision.stored, decision.converted, sale, decision.claimant), ...payers];
  await moveSale(deps, { sale, commission }, decision, { takenFrom: isSame ? undefined : former.clickId, writes });
  const taken = (await findSale(table, sale.transactionId))!;
  if (!isSame) await takeOtherSales(deps, program, taken, payer);
  return taken;
}

/** Returns the new decision with the sale's original check of the attribution window. */
const withWindow = (decision: AttributedSale, { window }: SaleAttribution): AttributedSale => ({
  ...decision,
  sale: { ...decision.sale, attribution: { ...decision.sale.attribution!, window } },
});

/**
 * Moves the renewals of a sale that has moved. If the former customer has no sales left, it is reset to a lead, so that
 * the attribution window is checked again for its next sale.
 */
export async function takeOtherSales(deps: Deps, program: Program, taken: Sale, payer: Payer): Promise<void> {
  const { table } = deps;
  const { takenFrom: from = '', clickId } = taken.attribution!;
  table.forget();
  const isRenewal = ({ attribution, subscriptionId }: Sale) =>
    attribution?.isByAddressAlone && subscriptionId !== undefined && subscriptionId === taken.subscriptionId;
  let isEmpty = true;
  for await (const sales of salesOf(table, from)) {
    for (const sale of sales) {
      if (!isRenewal(sale) || !(await moveOtherSale(deps, program, sale, { clickId }))) isEmpty = false;
    }
  }
  const former = await findCustomer(table, from);
  if (isEmpty && former?.status === 'conversion' && former.firstPurchaseAt === taken.occurredAt) {
    await table.transact(resetCustomerWrites(former, payer.processorCustomerId));
  }
  table.forget();
}
