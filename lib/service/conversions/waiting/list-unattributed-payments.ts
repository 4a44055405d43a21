import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { StoredUnattributedPayment } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { saleOfPayment } from '#lib/service/conversions/payments/payments-items.ts';
import { recordsPaymentOf } from '#lib/service/conversions/sales/sale.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { unattributedPaymentsOf } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';

/** Payments of a program that were not recorded as sales, newest first. Those recorded since are left out. */
export async function listUnattributedPayments(
  deps: Pick<Deps, 'table' | 'now'>,
  programId: number,
  page: PageRequest,
): Promise<Page<StoredUnattributedPayment>> {
  const { items, next } = await unattributedPaymentsOf(deps.table, programId, page, deps.now);
  const recorded = await Promise.all(items.map((payment) => isRecorded(deps, programId, payment)));
  return { items: items.filter((_, index) => !recorded[index]), next };
}

/**
 * Whether the program has meanwhile recorded the payment: under its own id, another id of the payment, or the id that a
 * retry used.
 */
export async function isRecorded(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  { transactionId, eventId, reason, sent, kept }: StoredUnattributedPayment,
): Promise<boolean> {
  if (eventId === undefined) {
    const { provider = 'stripe', providerPaymentId = transactionId } = sent?.facts ?? {};
    const paymentIds = provider === 'stripe' ? new Set([transactionId, providerPaymentId]) : [transactionId];
    const [sale, ofPayment] = await Promise.all([
      findSale(table, transactionId),
      Promise.all([...paymentIds].map((id) => saleOfPayment(table, programId, id))),
    ]);
    return recordsPaymentOf(programId, sale) || ofPayment.some((id) => id !== undefined);
  }
  const names = [...new Set([transactionId, ...(kept?.references ?? [])])];
  const [sale, ...others] = await Promise.all([
    findSale(table, transactionId),
    ...names.map((id) => saleOfPayment(table, programId, id)),
  ]);
  // A payment of an account with several programs waits in each of them until one has the promotion code. If the
  // payment names another program, that program may have recorded it.
  const mayBeElsewhere = reason === 'waiting_for_code' || reason === 'other_program';
  const isSold = recordsPaymentOf(programId, sale) || (mayBeElsewhere && sale !== undefined);
  return isSold || others.some((other) => other !== undefined);
}
