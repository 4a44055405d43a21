import { claimBeforeCode, isUnattributed } from '#lib/service/conversions/attribution/code-claim.ts';
import type { AttributedCustomer, Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { isByCodeAlone, mayMove } from '#lib/service/conversions/attribution/reattribution.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { AttributedSale } from '#lib/service/conversions/sales/sale-decision.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { salesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import {
  handOverWrites,
  movedPayerWrites,
  withoutSalesWrite,
} from '#lib/service/conversions/attribution/moved-customers-items.ts';
import { findCommission, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import type { NamedPayment } from '#lib/service/conversions/waiting/keep-payment.ts';
import { resolvePayer } from '#lib/service/conversions/payers/resolve-payer.ts';
import {
  decideFor,
  moveOtherSale,
  moveSale,
  type MergeTarget,
  newGuestWrites,
  recordLateClaim,
} from '#lib/service/conversions/attribution/move-sale.ts';
import { takeOtherSales, takeSale } from '#lib/service/conversions/attribution/take-sale.ts';

/**
 * Attributes a sale again after a second event of its payment identified the customer. Two events may report a payment;
 * if the first one found a customer only by coupon code, the sale moves to the customer whom the second event
 * identifies, and the customer created by the code is merged into it. The two events give the same result in either
 * order. A sale that only the e-mail address attributed also moves, but nothing else of its former customer does. Sales
 * with paid or rejected commissions and sales sent by the brand's server do not move.
 * @returns the sale after the change
 * @throws ConditionFailed after a concurrent change: the caller must reload and decide again
 */
export async function reattributeSale(
  deps: Deps,
  { payment, program, event }: NamedPayment,
  sale: Sale,
): Promise<Sale> {
  const { table } = deps;
  const { attribution } = sale;
  if (!event.isLive || !attribution || sale.source === 'api') return sale;
  if (attribution.movedFrom !== undefined) {
    await moveOtherSales(deps, program, attribution.movedFrom, attribution);
    return sale;
  }
  if (attribution.takenFrom !== undefined) {
    await takeOtherSales(deps, program, sale, payment.payer);
    return sale;
  }
  if (attribution.isByAddressAlone) return takeSale(deps, { payment, program }, sale);
  if (attribution.resolvedBy !== 'code' || program.codePrecedence === 'code_first') return sale;
  const made = await findRecordedCustomer(table, attribution.clickId);
  if (!isByCodeAlone(sale, made)) return sale;
  const found = await resolvePayer(deps, payment.payer, program, sale);
  const times = { paidAt: new Date(sale.occurredAt), cameInAt: new Date(sale.createdAt) };
  if (!found || isUnattributed(found.customer, times, program)) return sale;

  const decision = await decideFor(deps, program, sale, claimBeforeCode(found, sale), payment.payer);
  if (!decision) return sale;
  const commission = await findCommission(table, sale.transactionId);
  if (!mayMove(commission)) return recordLateClaim(deps, sale, found);
  const converted = withKeyOf(made, decision, payment.payer);
  const handOver = await handOverWrites(table, made, decision.stored, converted, sale, {
    at: deps.now,
    isByAddressAlone: found.isByAddressAlone,
  });
  await moveSale(deps, { sale, commission }, decision, {
    movedFrom: made.clickId,
    writes: [...handOver, ...(await newGuestWrites(table, found))],
  });
  await moveOtherSales(deps, program, made.clickId, {
    clickId: converted.clickId,
    isByAddressAlone: found.isByAddressAlone,
  });
  return (await findSale(table, sale.transactionId))!;
}

/**
 * The merged customer, whom the coupon code had created, may have a customer key. The customer who gets the sale takes
 * over this key, if the payment names it together with this customer's click, and if this customer has no key yet.
 */
function withKeyOf(
  { customerKey }: Customer,
  { customer, converted }: AttributedSale,
  payer: Payer,
): AttributedCustomer {
  const isNamed = payer.clickId === customer.clickId && payer.customerKey === customerKey;
  const isFree = customer.customerKey === undefined && customer.leadState !== 'provisional';
  return isNamed && isFree ? { ...converted, customerKey } : converted;
}

/**
 * Moves the other sales of a merged customer. No sale can be added meanwhile, because recording a sale requires that
 * its customer is not unlinked.
 */
async function moveOtherSales(deps: Deps, program: Program, from: string, to: MergeTarget): Promise<void> {
  const { table } = deps;
  table.forget();
  const payers = await movedPayerWrites(
    table,
    { clickId: from, programId: program.id },
    to.clickId,
    to.isByAddressAlone,
  );
  if (payers.length > 0) await table.transact(payers);
  let isEmpty = true;
  for await (const sales of salesOf(table, from)) {
    for (const sale of sales) if (!(await moveOtherSale(deps, program, sale, to))) isEmpty = false;
  }
  const made = await findRecordedCustomer(table, from);
  if (isEmpty && made?.status === 'conversion') await table.transact([withoutSalesWrite(from)]);
  table.forget();
}
