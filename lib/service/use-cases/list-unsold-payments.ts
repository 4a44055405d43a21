import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findSale } from '#lib/service/store/sales.ts';
import { type StoredUnsoldPayment, unsoldPaymentsOf } from '#lib/service/store/unsold-payments.ts';

/** Payments of a program that did not become sales, newest first; those that were recorded since are left out. */
export async function listUnsoldPayments(
  { table }: Deps,
  programId: number,
  page: PageRequest,
): Promise<Page<StoredUnsoldPayment>> {
  const { items, next } = await unsoldPaymentsOf(table, programId, page);
  const sales = await Promise.all(items.map(({ transactionId }) => findSale(table, transactionId)));
  return { items: items.filter((_, index) => sales[index]?.programId !== programId), next };
}
