import { setTimeout as pause } from 'node:timers/promises';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { customerNotFound, customerOfKeyNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { formerIdsOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { findLead } from '#lib/service/conversions/leads/leads-items.ts';
import {
  erasedClickId,
  erasedCustomerWrites,
  eraseHistory,
  eraseSales,
} from '#lib/service/operations/erasure/erasure-items.ts';
import { eraseFacts } from '#lib/service/outbox/facts/facts-items.ts';
import { eraseAnswers } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import { eraseUnattributedPayments } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** The customer to erase, by click id or by customer key. */
export interface Erasure {
  readonly programId: number;
  readonly clickId?: string;
  readonly customerKey?: string;
}

export interface Erased {
  readonly clickId: string;
  /** Real sales of the customer, which are kept without personal data. */
  readonly sales: number;
}

/**
 * This time is longer than a function that has read the customer can still run (29 seconds), and longer than the index
 * needs to show its writes.
 */
const SETTLING_MS = 35_000;

/**
 * Erases a customer's personal data. First, one write makes the customer impossible to find; then it waits for requests
 * that had already found it; finally it goes through the customer's records. A concurrent request is either refused
 * because the customer does not exist, or recorded and then erased with the rest. Sales, commissions, refunds and
 * counters stay. After a crash it can safely be repeated.
 * @param settle waits until requests in progress have ended
 * @throws Refusal if there is no such customer
 */
export async function eraseCustomer(
  deps: OperatorDeps,
  erasure: Erasure,
  settle: () => Promise<unknown> = () => pause(SETTLING_MS),
): Promise<Erased> {
  const { table, now } = deps;
  const customer = await retryOnConflict(deps, () => markErased(deps, erasure));
  const erasedAgoMs = now.getTime() - Date.parse(customer.erasedAt ?? now.toISOString());
  if (erasedAgoMs < SETTLING_MS) await settle();
  await eraseHistory(table, customer);
  const clickIds = [customer.clickId, ...(await formerIdsOf(table, customer.clickId))];
  for (const clickId of clickIds) await eraseUnattributedPayments(table, { ...customer, clickId });
  const factIds = await eraseFacts(table, customer.programId, new Set(clickIds));
  await eraseDeliveries(deps, customer.programId, factIds);
  return { clickId: customer.clickId, sales: await eraseSales(table, customer) };
}

/** Erases the responses of a customer's deliveries. Those of a deleted endpoint cannot be found, but expire. */
async function eraseDeliveries(
  { table, now }: OperatorDeps,
  programId: number,
  factIds: readonly string[],
): Promise<void> {
  const { endpoints } = await findWebhooks(table, programId);
  for (const factId of factIds) {
    for (const { id } of endpoints) await eraseAnswers(table, id, factId, now);
  }
}

/** Makes the customer impossible to find. @returns the customer before the erasure */
async function markErased(deps: OperatorDeps, erasure: Erasure): Promise<Customer> {
  const { table, now } = deps;
  const customer = await customerOf(deps, erasure);
  if (customer.erasedAt === undefined) {
    const lead = await findLead(table, customer.clickId);
    await table.transact(erasedCustomerWrites(customer, lead, now));
  }
  table.forget();
  return customer;
}

async function customerOf({ table }: OperatorDeps, { programId, clickId, customerKey }: Erasure): Promise<Customer> {
  const keyed = await findCustomerByKey(table, programId, customerKey);
  const former = customerKey === undefined ? undefined : await erasedClickId(table, programId, customerKey);
  const named = await findRecordedCustomer(table, clickId ?? keyed?.clickId ?? former);
  // A customer created from a code may have been merged into another one, which then has all personal data.
  const customer = named?.movedTo === undefined ? named : await findRecordedCustomer(table, named.movedTo);
  if (customer?.programId === programId) return customer;
  throw clickId === undefined ? customerOfKeyNotFound() : customerNotFound();
}
