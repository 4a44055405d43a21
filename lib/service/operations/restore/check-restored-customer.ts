import { isDeepStrictEqual } from 'node:util';
import { attributedPart, type Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { customerListing, findRecordedCustomer, keptClick } from '#lib/service/traffic/customers/customers-items.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { type Key, keys, type PartnerIndexKey } from '#lib/service/ground/table/keys.ts';
import { emailWrites, findLead } from '#lib/service/conversions/leads/leads-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import {
  checkLeadCommission,
  removeLeadCommission,
} from '#lib/service/operations/restore/check-restored-commission.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Repairs a customer with its lead, the lead's commission and the customer key's item.
 * @param name key of the item by which the lead's commission is found by id, if there is one
 */
export async function checkRestoredCustomer(
  restored: RestoredProgram,
  clickId: string,
  name: Key | undefined,
): Promise<void> {
  const { table } = restored.deps;
  const [existing, lead] = await Promise.all([findRecordedCustomer(table, clickId), findLead(table, clickId)]);
  if (!existing) return void restored.unrepaired.push(`customer ${clickId}: lost, with events of it left`);
  if (existing.erasedAt) return;
  const customer = lead
    ? await checkLead(restored, existing, lead, name)
    : await checkLostLead(restored, existing, name);
  await checkKey(restored, customer);
  await checkSharer(restored, customer);
}

/**
 * People who pay with one customer's click are numbered, and that customer's item counts them. If the count is lower
 * than this customer's number, it is raised. Otherwise the next payer would get the same number.
 */
async function checkSharer(restored: RestoredProgram, { clickId, sharedClick }: Customer): Promise<void> {
  if (!sharedClick) return;
  const { clickId: shared, place } = sharedClick;
  const { people } = (await findRecordedCustomer(restored.deps.table, shared)) ?? { people: place };
  if ((people ?? 1) >= place) return;
  await repair(restored, `customer ${shared}: that customer ${clickId} paid with its click`, [
    {
      name: 'sharer',
      key: keys.customer(shared),
      change: { set: { people: place, ...keptClick } },
      condition: { equals: { people } },
    },
  ]);
}

/** Repairs the items by which a lead is found under its customer and its address. */
async function checkLead(
  restored: RestoredProgram,
  customer: Customer,
  lead: Lead,
  name: Key | undefined,
): Promise<Customer> {
  const { clickId } = customer;
  const { table } = restored.deps;
  const [email] = emailWrites(lead);
  if (email && !(await table.get(email.key))) await repair(restored, `customer ${clickId}: its address`, [email]);
  if (customer.leadState === 'settled') {
    const settled = { name: 'lead', key: keys.lead(clickId), change: { set: { state: 'settled' } } } as const;
    if (lead.state !== 'settled') await repair(restored, `customer ${clickId}: its lead`, [settled]);
    await checkLeadCommission(restored, customer, lead);
    return customer;
  }
  if (customer.leadState === lead.state) {
    await removeLeadCommission(restored, clickId, name);
    return customer;
  }
  const after: Customer = {
    ...customer,
    leadState: lead.state,
    ...(lead.state === 'settled' && {
      status: customer.status === 'click' ? 'lead' : customer.status,
      signupAt: lead.createdAt,
      email: lead.email ?? customer.email,
    }),
  };
  const { status, leadState, signupAt, email: trace } = after;
  const signup = { status, leadState, signupAt, email: trace };
  await repair(restored, `customer ${clickId}: its lead`, [
    customerWrite(customer, { ...signup, ...keptClick, ...customerListing(after, lead) }),
  ]);
  if (lead.state === 'settled') await checkLeadCommission(restored, after, lead);
  return after;
}

/**
 * Resets the status of a customer whose lead was lost, so that the lead can be sent again. With the old status, a new
 * lead would be refused.
 */
async function checkLostLead(restored: RestoredProgram, customer: Customer, name: Key | undefined): Promise<Customer> {
  await removeLeadCommission(restored, customer.clickId, name);
  if (customer.leadState === undefined) return customer;
  const status = customer.status === 'lead' ? 'click' : customer.status;
  const undone = { status, leadState: undefined, signupAt: undefined } as const;
  const unlisted = status === 'click' ? { gsi2pk: undefined, gsi2sk: undefined } : {};
  await repair(restored, `customer ${customer.clickId}: its lead is lost and can be sent again`, [
    customerWrite(customer, { ...undone, ...unlisted }),
  ]);
  return { ...customer, ...undone };
}

const customerWrite = ({ clickId, status, leadState }: Customer, set: Partial<Customer & PartnerIndexKey>): Write => ({
  name: 'customer',
  key: keys.customer(clickId),
  change: { set },
  condition: { equals: { status, leadState } },
});

/** Repairs the item of a customer's key. It is a copy of the customer. */
async function checkKey(restored: RestoredProgram, customer: Customer): Promise<void> {
  const { clickId, customerKey, programId } = customer;
  if (customerKey === undefined) return;
  const keyed = await findCustomerByKey(restored.deps.table, programId, customerKey);
  if (keyed && keyed.clickId !== clickId) {
    return void restored.unrepaired.push(`customer ${clickId}: its key belongs to customer ${keyed.clickId}`);
  }
  const { status, leadState, partnerId } = customer;
  const isInStep =
    keyed?.status === status &&
    keyed.leadState === leadState &&
    keyed.partnerId === partnerId &&
    isDeepStrictEqual(keyed.traits, customer.traits);
  if (isInStep) return;
  await repair(restored, `customer ${clickId}: its key`, [
    { name: 'customerKey', key: keys.customerKey(customerKey, programId), put: attributedPart(customer) },
  ]);
}
