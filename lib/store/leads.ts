import { type AttributedCustomer, type Customer, customerMayBecome } from '#lib/domain/customer.ts';
import { MATCHES_NOTHING } from '#lib/domain/identifier.ts';
import type { Lead } from '#lib/domain/lead.ts';
import { bindKeyWrite } from '#lib/store/customers.ts';
import { feedOf, indexKeys, keys } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';
import type { Write } from '#lib/store/writes.ts';

export const findLead = async (table: Table, clickId: string | undefined): Promise<Lead | undefined> =>
  clickId === undefined || clickId === MATCHES_NOTHING ? undefined : table.get<Lead>(keys.lead(clickId));

/** Writes of a browser lead that waits for the server's word: on the customer, only the mark changes. */
export function provisionalLeadWrites(customer: AttributedCustomer, lead: Lead): Write[] {
  return [
    {
      name: 'customer',
      key: keys.customer(customer.clickId),
      change: { set: { leadState: 'provisional' } },
      // Two browser leads race: one records the lead, the other finds it recorded and answers the same.
      // The operator erases the customer: nobody is then left who could become a lead.
      condition: { oneOf: { status: customerMayBecome.lead }, equals: { leadState: undefined, erasedAt: undefined } },
    },
    leadWrite(lead),
    ...emailWrites(lead),
  ];
}

/**
 * Writes that settle a customer's lead. A provisional lead becomes the settled one and keeps its id and time.
 * @param after the customer as it is afterwards
 */
export function settledLeadWrites(before: Customer, after: Customer, lead: Lead): Write[] {
  const { status, leadState, signupAt, customerKey, email } = after;
  return [
    {
      name: 'customer',
      key: keys.customer(after.clickId),
      change: { set: { status, leadState, signupAt, customerKey, email } },
      // Two leads race, or a lead and a sale: the loser reads the customer's new status and is refused by it. The
      // operator unlinks the customer: the item of its key must not bring the partner back. Or erases it: then nobody is
      // left to settle. A customer who has paid already keeps its status: the processor's invoice may come after the
      // checkout.
      condition: {
        oneOf: { status: status === 'lead' ? customerMayBecome.lead : [before.status] },
        equals: { leadState: before.leadState, partnerId: before.partnerId, erasedAt: undefined },
      },
    },
    leadWrite(lead),
    ...(customerKey !== undefined && customerKey !== before.customerKey ? [bindKeyWrite(after, customerKey)] : []),
    ...emailWrites(lead),
  ];
}

const leadWrite = (lead: Lead): Write => ({
  name: 'lead',
  key: keys.lead(lead.clickId),
  put: { ...lead, ...indexKeys.event(lead.programId, 'lead', feedOf(lead), lead.createdAt, lead.id) },
});

/** Writes by which a lead's customer is found by its address. */
export const emailWrites = ({ email, programId, createdAt, clickId }: Lead): Write[] =>
  email
    ? [{ name: 'email', key: keys.email(programId, email.hash, createdAt, clickId), put: { clickId, programId } }]
    : [];
