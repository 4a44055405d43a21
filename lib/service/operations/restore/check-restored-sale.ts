import { ofSale, type SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { paymentIdsOf } from '#lib/service/conversions/payments/payment-ids.ts';
import { termsOfSale } from '#lib/service/programs/program/program.ts';
import { lacksCommission, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { convertedCustomer } from '#lib/service/conversions/sales/sale-decision.ts';
import { awaitingMonthWrites } from '#lib/service/earnings/commissions/awaiting-month-items.ts';
import { commissionsOf } from '#lib/service/earnings/commissions/commissions-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { listingsOfLostSale } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import {
  findCommission,
  findSale,
  repairEntryWrite,
  saleOfCustomerWrites,
} from '#lib/service/conversions/sales/sales-items.ts';
import { customerWrites } from '#lib/service/traffic/customers/paying-customers-items.ts';
import { subscriptionOf } from '#lib/service/conversions/sales/subscriptions-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { checkCommissionName } from '#lib/service/operations/restore/check-restored-commission.ts';
import { checkRestoredBase } from '#lib/service/operations/restore/check-restored-base.ts';
import { checkRestoredRefunds } from '#lib/service/operations/restore/check-restored-refunds.ts';
import { repairSale } from '#lib/service/conversions/sales/repair-sale.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';
import { termsOfRecordedSale } from '#lib/service/conversions/payments/terms-of-payment.ts';

/**
 * Repairs a sale and what belongs to it: its commission, its customer's conversion, the ids of its payment, and its
 * refunds.
 * @param name key of the item by which its commission is found by id, if there is one
 */
export async function checkRestoredSale(
  restored: RestoredProgram,
  transactionId: string,
  name: Key | undefined,
): Promise<void> {
  const sale = await findSale(restored.deps.table, transactionId);
  if (!sale) return removeRemains(restored, transactionId, name);
  if (sale.programId !== restored.program.id || sale.isTest) return;
  await checkNote(restored, sale);
  await checkListing(restored, sale);
  if (sale.commissionState === 'created') await checkCommission(restored, sale);
  if (sale.commissionState === 'created' || sale.commissionState === 'notDue') await checkConversion(restored, sale);
  await checkPaymentIds(restored, sale);
  await checkSubscription(restored, sale);
  await checkRestoredRefunds(restored, sale);
}

/**
 * Removes the commission of a lost sale; otherwise, the sale could not be sent again, because it would conflict with
 * the commission.
 */
async function removeRemains(restored: RestoredProgram, transactionId: string, name: Key | undefined): Promise<void> {
  const { table } = restored.deps;
  const items = await table.query<Key & { readonly paidAt?: string; readonly clickId?: string }>(
    keys.sale(transactionId).pk,
  );
  if (items.some(({ paidAt }) => paidAt !== undefined)) {
    return void restored.unrepaired.push(`sale ${transactionId}: lost, and its commission is paid`);
  }
  const clickId = items.find((item) => item.clickId !== undefined)?.clickId;
  const listings = clickId === undefined ? [] : await listingsOfLostSale(table, clickId, transactionId);
  const remains = [...items, ...(name ? [name] : []), ...listings];
  const writes = remains.map(({ pk, sk }): Write => ({ name: 'remains', key: { pk, sk }, remove: true }));
  if (writes.length > 0) await repair(restored, `sale ${transactionId}: lost and can be sent again`, writes);
}

/** Repairs the entry by which `sale repair --all` finds a sale without a commission. */
async function checkNote(restored: RestoredProgram, sale: Sale): Promise<void> {
  if (!lacksCommission(sale)) return;
  const note = repairEntryWrite(sale);
  if (await restored.deps.table.get(note.key)) return;
  await repair(restored, `sale ${sale.transactionId}: its note for sale repair`, [note]);
}

/** Repairs the entry that lists the sale for its customer. */
async function checkListing(restored: RestoredProgram, sale: Sale): Promise<void> {
  const [listing] = saleOfCustomerWrites(sale);
  if (!listing || (await restored.deps.table.get(listing.key))) return;
  await repair(restored, `sale ${sale.transactionId}: its place among its customer's`, [listing]);
}

async function checkCommission(restored: RestoredProgram, sale: Sale): Promise<void> {
  const commission = await findCommission(restored.deps.table, sale.transactionId);
  if (!commission) return remakeCommission(restored, sale);
  const customers = [sale.attribution?.clickId, commission.clickId];
  if (customers[0] !== customers[1]) {
    return void restored.unrepaired.push(
      `sale ${sale.transactionId}: it is customer ${customers[0]}’s, its commission customer ${customers[1]}’s`,
    );
  }
  await checkRestoredBase(restored, sale, commission);
  await checkCommissionName(restored, commission);
  await checkAwaitingMonth(restored, commission);
}

/** Repairs the entry by which a commission is recomputed when its partner's number of sales in the month is final. */
async function checkAwaitingMonth(restored: RestoredProgram, commission: SaleCommission): Promise<void> {
  const [listing] = awaitingMonthWrites(commission);
  if (!listing || (await restored.deps.table.get(listing.key))) return;
  const what = `sale ${commission.transactionId}: that its commission awaits the sales of a month`;
  await repair(restored, what, [listing]);
}

/**
 * Creates a lost commission again, as `sale repair` does, with the version of terms that the sale names. An older sale
 * names no version; its commission gets the terms that are current now.
 */
async function remakeCommission(restored: RestoredProgram, sale: Sale): Promise<void> {
  const { deps, program } = restored;
  const { transactionId } = sale;
  const latest = await latestOfSale(deps.table, program.id);
  if (!latest) {
    return void restored.unrepaired.push(
      `sale ${transactionId}: its commission is lost, and no other one tells the fee`,
    );
  }
  const terms = termsOfSale(program, await termsOfRecordedSale(deps, program, sale), latest.platformFee.bps);
  await deps.table.transact([
    { name: 'sale', key: keys.sale(transactionId), change: { set: { commissionState: 'failed', terms } } },
    repairEntryWrite(sale),
  ]);
  deps.table.forget();
  const { skipped } = await repairSale(deps, transactionId);
  deps.table.forget();
  (skipped ? restored.unrepaired : restored.repaired).push(
    `sale ${transactionId}: its commission${skipped ? ` (${skipped})` : ''}`,
  );
}

/** The newest commission of any sale of the program. Only it tells the fee: commissions without a sale have none. */
async function latestOfSale(table: Table, programId: number): Promise<SaleCommission | undefined> {
  let after: string | undefined;
  do {
    const request = { most: 1, after };
    const { items, next } = await commissionsOf(table, programId, 'all', request, (one) => ofSale(one) !== undefined);
    if (items[0]) return ofSale(items[0]);
    after = next;
  } while (after !== undefined);
  return undefined;
}

async function checkConversion(restored: RestoredProgram, sale: Sale): Promise<void> {
  const { attribution, occurredAt, transactionId, termsVersion, saleType } = sale;
  const customer = await findRecordedCustomer(restored.deps.table, attribution?.clickId);
  if (!customer || customer.erasedAt) return;
  const converted = convertedCustomer(customer, {
    paidAt: new Date(occurredAt),
    firstTerms: termsVersion?.version,
    saleType,
  });
  if (customer.status === 'conversion' && customer.hasPaidFor === converted.hasPaidFor) return;
  await repair(restored, `sale ${transactionId}: its customer's conversion`, customerWrites(customer, converted, sale));
}

/** Repairs the item by which the next payment of the sale's subscription is recognized as a renewal. */
async function checkSubscription(restored: RestoredProgram, sale: Sale): Promise<void> {
  const { attribution, programId, transactionId, subscriptionId } = sale;
  if (!attribution) return;
  const { writes } = await subscriptionOf(restored.deps.table, { programId, clickId: attribution.clickId }, sale);
  if (writes.length === 0) return;
  await repair(restored, `sale ${transactionId}: its subscription ${subscriptionId}`, writes);
}

/** Repairs the items by which a refund or dispute finds the sale, and which prevent recording the payment twice. */
async function checkPaymentIds(restored: RestoredProgram, sale: Sale): Promise<void> {
  const { transactionId, programId, source } = sale;
  const { ids, other } = paymentIdsOf(sale);
  const named = source === 'processor' ? [...new Set([transactionId, ...ids])] : ids;
  const all = [
    ...named.map((id) => ({ id, key: keys.payment(programId, id) })),
    ...(other ? [{ id: other.id, key: keys.payment(programId, other.id, other.provider) }] : []),
  ];
  for (const { id, key } of all) {
    const payment = await restored.deps.table.get<{ transactionId?: string }>(key);
    if (payment?.transactionId !== undefined) continue;
    if (payment) {
      restored.unrepaired.push(`sale ${transactionId}: what waits for payment ${id}; send its events again`);
    } else {
      const put = { transactionId, version: 1 };
      await repair(restored, `sale ${transactionId}: payment ${id}`, [
        { name: 'payment', key, put, condition: { isNew: true } },
      ]);
    }
  }
}
