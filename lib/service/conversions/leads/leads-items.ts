import type { LeadCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type AttributedCustomer, type Customer, customerMayBecome } from '#lib/service/traffic/customers/customer.ts';
import type { EmailTrace } from '#lib/service/ground/addresses/email.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import {
  bindKeyWrites,
  customerListing,
  formerKeyWrites,
  keyedCustomerWrites,
  type ListedAddress,
} from '#lib/service/traffic/customers/customers-items.ts';
import { feedOf, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

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
  const { address, claimant, commission, now } = settlement;
  const settled: Lead = {
    ...lead,
    emailListedAt: address && now.toISOString(),
    emailClaimedBy: address && lead.mode === 'browser' ? 'browser' : undefined,
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
          // The key's new item repeats it.
          hasPaidFor: before.hasPaidFor,
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
    ...emailWrites(settled),
  ];
}

const leadWrite = (lead: Lead) => ({
  name: 'lead',
  key: keys.lead(lead.clickId),
  put: { ...lead, ...indexKeys.event(lead.programId, 'lead', feedOf(lead), lead.createdAt, lead.id) },
});

/** Lists the customer under its address, and no longer under its former ones: of the same moment they are one item. */
function addressWrites(lead: Lead, former: readonly Key[]): Write[] {
  const listed = emailWrites(lead);
  const isListed = ({ pk, sk }: Key): boolean => listed.some(({ key }) => key.pk === pk && key.sk === sk);
  const gone = former.filter((key) => !isListed(key));
  return [...gone.map((key): Write => ({ name: 'formerEmail', key, remove: true })), ...listed];
}

/** Writes by which payments find a lead's customer by its address. */
export const emailWrites = ({ email, emailListedAt, emailClaimedBy, programId, clickId }: Lead): Write[] =>
  email && emailListedAt
    ? [
        {
          name: 'email',
          key: keys.email(programId, email.hash, emailListedAt, clickId),
          put: { clickId, programId, claimedBy: emailClaimedBy } satisfies ListedAddress,
        },
      ]
    : [];

/**
 * Writes of a server's word on a customer whose lead is settled: its key and its address in place of those that only a
 * browser claimed, or that were missing. Its status stays.
 * @param after the customer and the lead as they are afterwards
 * @param claimant gives its key up to the customer
 */
export function confirmedLeadWrites(
  before: { readonly customer: Customer; readonly lead: Lead },
  after: { readonly customer: Customer; readonly lead: Lead },
  claimant: AttributedCustomer | undefined,
): Write[] {
  const { customerKey, keyBoundBy, email, traits } = after.customer;
  const { emailListedAt } = before.lead;
  const binds = customerKey !== before.customer.customerKey;
  const changesAddress = after.lead !== before.lead;
  return [
    {
      name: 'customer',
      key: keys.customer(before.customer.clickId),
      change: { set: { customerKey, keyBoundBy, email, traits } },
      // A sale, another lead, an unlinking or an erasure races: the loser decides again.
      condition: {
        equals: {
          status: before.customer.status,
          leadState: before.customer.leadState,
          partnerId: before.customer.partnerId,
          customerKey: before.customer.customerKey,
          keyBoundBy: before.customer.keyBoundBy,
          hasPaidFor: before.customer.hasPaidFor,
          traits: before.customer.traits,
          erasedAt: undefined,
          unlinkedAt: undefined,
        },
      },
    },
    ...(binds && customerKey !== undefined
      ? [...bindKeyWrites(after.customer, customerKey, claimant), ...formerKeyWrites(before.customer)]
      : keyedCustomerWrites(before.customer, { keyBoundBy, traits })),
    ...(changesAddress
      ? [
          { ...leadWrite(after.lead), condition: { equals: { state: before.lead.state, emailListedAt } } },
          ...addressWrites(
            after.lead,
            emailWrites(before.lead).map(({ key }) => key),
          ),
        ]
      : []),
  ];
}
