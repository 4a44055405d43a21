import { sha256 } from '#lib/domain/credential.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import { eventForgottenAtSeconds } from '#lib/domain/processor.ts';
import type { UnsoldPayment } from '#lib/domain/unsold-payment.ts';
import { indexKeys, keys } from '#lib/service/store/keys.ts';
import { pageOf } from '#lib/service/store/pages.ts';
import type { Table } from '#lib/service/store/table.ts';

export type StoredUnsoldPayment = UnsoldPayment & { readonly at: string };

const LONGEST_TEXT = 255;
const cut = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed();

/** Stores a payment that did not become a sale for 90 days. Repeated deliveries of an event have one item. */
export function noteUnsoldPayment(table: Table, payment: UnsoldPayment, now: Date): Promise<void> {
  const { programId, eventId, transactionId } = payment;
  const hash = sha256(eventId ?? `api ${transactionId}`);
  const at = now.toISOString();
  return table.put(keys.unsoldPayment(programId, hash), {
    ...payment,
    ...(eventId !== undefined && { eventId: cut(eventId) }),
    transactionId: cut(transactionId),
    currency: cut(payment.currency),
    at,
    expires_at: eventForgottenAtSeconds(now),
    ...indexKeys.unsoldPayment(programId, at, hash),
  });
}

/** Payments of a program that were noted, newest first. */
export const unsoldPaymentsOf = (
  table: Table,
  programId: number,
  page: PageRequest,
): Promise<Page<StoredUnsoldPayment>> =>
  pageOf<StoredUnsoldPayment>(table, indexKeys.unsoldPayment(programId, '', '').gsi1pk, page, undefined, {
    newestFirst: true,
  });
