import { sha256 } from '#lib/domain/credential.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import { eventForgottenAtSeconds } from '#lib/domain/processor.ts';
import { isListed, type StoredUnsoldPayment, type UnsoldPayment } from '#lib/domain/unsold-payment.ts';
import { indexKeys, type Key, keys } from '#lib/service/store/keys.ts';
import { pageOf } from '#lib/service/store/pages.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

const LONGEST_TEXT = 255;
const cut = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed();

/** Names the item of a sale that the brand's server sent. */
const hashOfSent = (transactionId: string): string => sha256(`api ${transactionId}`);

/** The write that keeps a payment for 90 days. Repeated deliveries of an event, and sales of one id, have one item. @param at it came in */
export function unsoldPaymentWrite(payment: UnsoldPayment, at: Date): Write & { readonly put: object } {
  const { programId, eventId, transactionId } = payment;
  const hash = eventId === undefined ? hashOfSent(transactionId) : sha256(eventId);
  return {
    name: 'unsoldPayment',
    key: keys.unsoldPayment(programId, hash),
    put: {
      ...payment,
      ...(eventId !== undefined && { eventId: cut(eventId) }),
      transactionId: cut(transactionId),
      ...(payment.detail !== undefined && { detail: cut(payment.detail) }),
      currency: cut(payment.currency),
      at: at.toISOString(),
      expires_at: eventForgottenAtSeconds(at),
      ...indexKeys.unsoldPayment(programId, at.toISOString(), hash),
    },
  };
}

export function noteUnsoldPayment(table: Table, payment: UnsoldPayment, at: Date): Promise<void> {
  const { key, put } = unsoldPaymentWrite(payment, at);
  return table.put(key, put);
}

/** A sale that the brand's server sent. */
export const findUnsoldSale = (
  table: Table,
  programId: number,
  transactionId: string,
): Promise<StoredUnsoldPayment | undefined> =>
  table.get<StoredUnsoldPayment>(keys.unsoldPayment(programId, hashOfSent(transactionId)));

export const findUnsoldPayment = (
  table: Table,
  programId: number,
  eventId: string,
): Promise<StoredUnsoldPayment | undefined> =>
  table.get<StoredUnsoldPayment>(keys.unsoldPayment(programId, sha256(eventId)));

/** A payment that turned out to name nobody is not listed any more. */
export const forgetUnsoldPayment = (table: Table, programId: number, eventId: string): Promise<void> =>
  table.transact([{ name: 'unsoldPayment', key: keys.unsoldPayment(programId, sha256(eventId)), remove: true }]);

const listOf = (programId: number): string => indexKeys.unsoldPayment(programId, '', '').gsi1pk;

/** Payments of a program that are listed, newest first. */
export const unsoldPaymentsOf = (
  table: Table,
  programId: number,
  page: PageRequest,
  now: Date,
): Promise<Page<StoredUnsoldPayment>> =>
  pageOf<StoredUnsoldPayment>(table, listOf(programId), page, (payment) => isListed(payment, now), {
    newestFirst: true,
  });

/** Takes away what is kept of a customer's payments; they stay listed. */
export async function eraseUnsoldPayments(
  table: Table,
  { programId, clickId, customerKey }: { programId: number; clickId: string; customerKey?: string },
): Promise<void> {
  const isTheirs = ({ kept, sent }: StoredUnsoldPayment): boolean =>
    [kept?.clickId, kept?.payer.clickId, kept?.payer.foundByEmail?.clickId, sent?.clickId].includes(clickId) ||
    (customerKey !== undefined && [kept?.payer.customerKey, sent?.customerKey].includes(customerKey));
  let after: string | undefined;
  do {
    const { items, next } = await pageOf<StoredUnsoldPayment & Key>(
      table,
      listOf(programId),
      { most: 100, after },
      isTheirs,
    );
    for (const { pk, sk } of items)
      await table.update({ pk, sk }, { set: { kept: undefined, sent: undefined } }, { exists: true });
    after = next;
  } while (after !== undefined);
}
