import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { eventForgottenAtSeconds } from '#lib/service/programs/program/processor.ts';
import {
  isListed,
  type StoredUnattributedPayment,
  type UnattributedPayment,
} from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { ItemChange } from '#lib/service/ground/table/expressions.ts';
import { indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { pageOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

const LONGEST_TEXT = 255;
const cut = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed();

/** The part of an item's key that identifies a sale sent by the brand's server: a hash of its transaction id. */
const hashOfSent = (transactionId: string): string => sha256(`api ${transactionId}`);

/**
 * The item of an unattributed payment, which is stored for 90 days: its data, and its position in the list.
 * @param at when it was received
 */
function unattributedPaymentItem(payment: UnattributedPayment, at: Date) {
  const { programId, eventId, transactionId } = payment;
  const hash = eventId === undefined ? hashOfSent(transactionId) : sha256(eventId);
  return {
    key: keys.unattributedPayment(programId, hash),
    known: {
      ...payment,
      ...(eventId !== undefined && { eventId: cut(eventId) }),
      transactionId: cut(transactionId),
      ...(payment.detail !== undefined && { detail: cut(payment.detail) }),
      currency: cut(payment.currency),
    },
    place: {
      at: at.toISOString(),
      expires_at: eventForgottenAtSeconds(at),
      ...indexKeys.unattributedPayment(programId, at.toISOString(), hash),
    },
  };
}

/**
 * Stores an unattributed payment. If an event is delivered several times, there is one item, at the position of the
 * first delivery; if a server sends a sale several times, there is one item, at the position of the last call. The data
 * is always that of the last one.
 */
export function unattributedPaymentWrite(
  payment: UnattributedPayment,
  at: Date,
): Write & { readonly change: ItemChange } {
  const { key, known, place } = unattributedPaymentItem(payment, at);
  const change = payment.eventId === undefined ? { set: { ...known, ...place } } : { set: known, setOnce: place };
  return { name: 'unattributedPayment', key, change };
}

export async function putUnattributedPayment(table: Table, payment: UnattributedPayment, at: Date): Promise<void> {
  const { key, change } = unattributedPaymentWrite(payment, at);
  await table.update(key, change);
}

/** Finds the item of a sale that the brand's server sent. */
export const findUnattributedSale = (
  table: Table,
  programId: number,
  transactionId: string,
): Promise<StoredUnattributedPayment | undefined> =>
  table.get<StoredUnattributedPayment>(keys.unattributedPayment(programId, hashOfSent(transactionId)));

export const findUnattributedPayment = (
  table: Table,
  programId: number,
  eventId: string,
): Promise<StoredUnattributedPayment | undefined> =>
  table.get<StoredUnattributedPayment>(keys.unattributedPayment(programId, sha256(eventId)));

/** The write that removes a payment from the list. */
export const forgottenPaymentWrite = (programId: number, eventId: string): Write => ({
  name: 'unattributedPayment',
  key: keys.unattributedPayment(programId, sha256(eventId)),
  remove: true,
});

/** Removes a payment from the list after a retry found that it has no customer. */
export const forgetUnattributedPayment = (table: Table, programId: number, eventId: string): Promise<void> =>
  table.transact([forgottenPaymentWrite(programId, eventId)]);

const listOf = (programId: number): string => indexKeys.unattributedPayment(programId, '', '').gsi1pk;

/** The listed payments of a program, newest first. */
export const unattributedPaymentsOf = (
  table: Table,
  programId: number,
  page: PageRequest,
  now: Date,
): Promise<Page<StoredUnattributedPayment>> =>
  pageOf<StoredUnattributedPayment>(table, listOf(programId), page, (payment) => isListed(payment, now), {
    newestFirst: true,
  });

/** The customers whose stored payments are searched. */
export interface CustomersOfPayments {
  readonly programId: number;
  readonly clickIds: ReadonlySet<unknown>;
  /** SHA-256 of the customers' keys. */
  readonly keyHashes: ReadonlySet<string>;
}

/** A page of the customers' payments, oldest first, with the data stored for a retry. */
export const paymentsOfCustomers = (
  table: Table,
  { programId, clickIds, keyHashes }: CustomersOfPayments,
  page: PageRequest,
): Promise<Page<StoredUnattributedPayment & Key>> =>
  pageOf<StoredUnattributedPayment & Key>(table, listOf(programId), page, ({ kept, sent }) => {
    const ids = [kept?.clickId, kept?.payer.clickId, kept?.payer.foundByEmail?.clickId, sent?.clickId];
    const customerKeys = [kept?.payer.customerKey, sent?.customerKey];
    return (
      ids.some((id) => clickIds.has(id)) ||
      customerKeys.some((customerKey) => customerKey !== undefined && keyHashes.has(sha256(customerKey)))
    );
  });

/**
 * Removes the personal data from the stored payments of customers, page by page. The payments stay in the list.
 * @param after position to begin after
 * @returns the position at which each page ends
 */
export async function* eraseUnattributedPayments(
  table: Table,
  customers: CustomersOfPayments,
  after?: string,
): AsyncGenerator<string | undefined> {
  let position = after;
  do {
    const { items, next } = await paymentsOfCustomers(table, customers, { most: 100, after: position });
    for (const { pk, sk } of items)
      await table.update({ pk, sk }, { set: { kept: undefined, sent: undefined } }, { exists: true });
    yield next;
    position = next;
  } while (position !== undefined);
}
