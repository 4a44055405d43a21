import type { LeadCommission } from '#lib/domain/commission.ts';
import { type AttributedCustomer, type Customer, customerMayBecome } from '#lib/domain/customer.ts';
import type { EmailTrace } from '#lib/domain/email.ts';
import { MATCHES_NOTHING } from '#lib/domain/identifier.ts';
import type { Lead } from '#lib/domain/lead.ts';
import { commissionWrites } from '#lib/service/store/commissions.ts';
import { bindKeyWrites, customerListing, keyedCustomerWrites } from '#lib/service/store/customers.ts';
import { feedOf, indexKeys, keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

export const findLead = async (table: Table, clickId: string | undefined): Promise<Lead | undefined> =>
  clickId === undefined || clickId === MATCHES_NOTHING ? undefined : table.get<Lead>(keys.lead(clickId));

/** What a customer's lead earned. */
export const findLeadCommission = async (
  table: Table,
  clickId: string | undefined,
): Promise<LeadCommission | undefined> =>
  clickId === undefined ? undefined : table.get<LeadCommission>(keys.leadCommission(clickId));

/** Writes of a browser lead that waits for the server's word: on the customer and its key, only the mark changes. */
export function provisionalLeadWrites(customer: AttributedCustomer, lead: Lead): Write[] {
  return [
    {
      name: 'customer',
      key: keys.customer(customer.clickId),
      change: { set: { leadState: 'provisional', ...customerListing(customer, lead) } },
      // Two browser leads race: one records the lead, the other finds it recorded and answers the same.
      // The operator erases the customer, or an owner unlinks it: no customer is left who could become a lead.
      condition: {
        oneOf: { status: customerMayBecome.lead },
        equals: { leadState: undefined, erasedAt: undefined, unlinkedAt: undefined },
      },
    },
    ...keyedCustomerWrites(customer, { leadState: 'provisional' }),
    leadWrite(lead),
  ];
}

/** What settles a lead. */
interface Settlement {
  /** Absent: there was no provisional lead. */
  readonly provisional?: Lead;
  /** The address under which payments find the customer. Absent: only an anonymous browser named one. */
  readonly address?: EmailTrace;
  /** Gives its key up to the customer. */
  readonly claimant?: AttributedCustomer;
  /** What the lead earns; absent: nothing. */
  readonly commission?: LeadCommission;
  readonly now: Date;
}

/**
 * Writes that settle a customer's lead, with what it earns. A provisional lead becomes the settled one and keeps its id
 * and time.
 * @param after the customer as it is afterwards
 */
export function settledLeadWrites(before: Customer, after: Customer, lead: Lead, settlement: Settlement): Write[] {
  const { provisional, address, claimant, commission, now } = settlement;
  const settled: Lead = {
    ...lead,
    emailListedAt: address && now.toISOString(),
    keyTakenFrom: claimant?.clickId,
    earned: commission && true,
  };
  const { status, leadState, signupAt, customerKey, keyBoundBy, email, traits } = after;
  return [
    {
      name: 'customer',
      key: keys.customer(after.clickId),
      change: {
        set: { status, leadState, signupAt, customerKey, keyBoundBy, email, traits, ...customerListing(after, lead) },
      },
      // Two leads race, or a lead and a sale: the loser reads the customer's new status and is refused by it. The
      // operator unlinks the customer: the item of its key must not bring the partner back. Or erases it, or an owner
      // unlinks it for good: then no customer is left to settle. A customer who has paid already keeps its status: the
      // processor's invoice may come after the checkout.
      condition: {
        oneOf: { status: status === 'lead' ? customerMayBecome.lead : [before.status] },
        equals: {
          leadState: before.leadState,
          partnerId: before.partnerId,
          traits: before.traits,
          erasedAt: undefined,
          unlinkedAt: undefined,
        },
      },
    },
    leadWrite(settled),
    ...(commission ? commissionWrites(commission) : []),
    ...(customerKey !== undefined && customerKey !== before.customerKey
      ? bindKeyWrites(after, customerKey, claimant)
      : // A customer whom a code made may have its key before.
        keyedCustomerWrites(before, { status, leadState, signupAt, keyBoundBy, traits })),
    ...addressWrites(after, settled, provisional),
  ];
}

const leadWrite = (lead: Lead): Write => ({
  name: 'lead',
  key: keys.lead(lead.clickId),
  put: { ...lead, ...indexKeys.event(lead.programId, 'lead', feedOf(lead), lead.createdAt, lead.id) },
});

/** Lists the customer under its address. Earlier versions listed provisional leads as well: such an entry goes. */
function addressWrites({ programId, clickId }: Customer, lead: Lead, provisional: Lead | undefined): Write[] {
  const former = provisional?.email && keys.email(programId, provisional.email.hash, provisional.createdAt, clickId);
  const listed = emailWrites(lead);
  const isSame = listed.some(({ key }) => former?.pk === key.pk && former?.sk === key.sk);
  return [...(former && !isSame ? [{ name: 'formerEmail', key: former, remove: true } as const] : []), ...listed];
}

/** Writes by which payments find a lead's customer by its address. */
export const emailWrites = ({ email, emailListedAt, programId, clickId }: Lead): Write[] =>
  email && emailListedAt
    ? [{ name: 'email', key: keys.email(programId, email.hash, emailListedAt, clickId), put: { clickId, programId } }]
    : [];
