import type { LeadCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type AttributedCustomer, type Customer, customerMayBecome } from '#lib/service/traffic/customers/customer.ts';
import type { EmailTrace } from '#lib/service/ground/addresses/email.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import { customerListing, keptClick, type ListedAddress } from '#lib/service/traffic/customers/customers-items.ts';
import {
  bindKeyWrites,
  formerKeyWrites,
  keyedCustomerWrites,
} from '#lib/service/traffic/customers/customer-keys-items.ts';
import { feedOf, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

export const findLead = async (table: Table, clickId: string | undefined): Promise<Lead | undefined> =>
  clickId === undefined || clickId === MATCHES_NOTHING ? undefined : table.get<Lead>(keys.lead(clickId));

/** The commission of a customer's lead. */
export const findLeadCommission = async (
  table: Table,
  clickId: string | undefined,
): Promise<LeadCommission | undefined> =>
  clickId === undefined ? undefined : table.get<LeadCommission>(keys.leadCommission(clickId));

/**
 * Writes for a provisional lead: a signup sent by a browser, which a server must confirm. Of the customer and its key,
 * only `leadState` and the index keys change.
 */
export function provisionalLeadWrites(customer: AttributedCustomer, lead: Lead): Write[] {
  return [
    {
      name: 'customer',
      key: keys.customer(customer.clickId),
      change: { set: { leadState: 'provisional', ...keptClick, ...customerListing(customer, lead) } },
      // Fails if another browser's lead was written first. This request then finds that lead and sends the same reply.
      // Also fails if an erasure or an unlinking of the customer was written first; then no lead is recorded.
      condition: {
        oneOf: { status: customerMayBecome.lead },
        equals: { leadState: undefined, erasedAt: undefined, unlinkedAt: undefined },
      },
    },
    ...keyedCustomerWrites(customer, { leadState: 'provisional' }),
    leadWrite(lead),
  ];
}

/** What settling a lead results in. */
interface Settlement {
  /** The e-mail address by which payments find the customer. Undefined if none was sent or if it is unverified. */
  readonly address?: EmailTrace;
  /** Another customer, who had the same customer key only by a browser's claim and now loses it. */
  readonly claimant?: AttributedCustomer;
  /** The commission of the lead. Undefined if it earns none. */
  readonly commission?: LeadCommission;
  readonly now: Date;
}

/**
 * Writes that settle (finally record) a customer's lead, with its commission. A provisional lead keeps its id and time.
 * @param after the customer after the change
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
  const signup = { status, leadState, signupAt, customerKey, keyBoundBy, email, traits };
  return [
    {
      name: 'customer',
      key: keys.customer(after.clickId),
      change: {
        set: { ...signup, ...keptClick, ...customerListing(after, lead) },
      },
      // Fails if another lead or a sale was written first. This request then reloads and is refused. Also fails if the
      // customer was erased or unlinked first, or if the operator removed the partner first: this request writes the
      // key's item too, and would restore the removed partner there. A customer who has already paid keeps its status,
      // because the processor's invoice may arrive after the checkout.
      condition: {
        oneOf: { status: status === 'lead' ? customerMayBecome.lead : [before.status] },
        equals: {
          leadState: before.leadState,
          partnerId: before.partnerId,
          // The key's item below gets a copy of `hasPaidFor`, so the customer must still have the value that was read.
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
      : // The customer already has this key if a coupon code created the customer with it.
        keyedCustomerWrites(before, { status, leadState, signupAt, keyBoundBy, traits })),
    ...emailWrites(settled),
  ];
}

const leadWrite = (lead: Lead) => ({
  name: 'lead',
  key: keys.lead(lead.clickId),
  put: { ...lead, ...indexKeys.event(lead.programId, 'lead', feedOf(lead), lead.createdAt, lead.id) },
});

/**
 * Lists the customer under its new e-mail address and removes the entries of former addresses. An entry among the
 * former ones that is also a new one stays.
 */
function addressWrites(lead: Lead, former: readonly Key[]): Write[] {
  const listed = emailWrites(lead);
  const isListed = ({ pk, sk }: Key): boolean => listed.some(({ key }) => key.pk === pk && key.sk === sk);
  const gone = former.filter((key) => !isListed(key));
  return [...gone.map((key): Write => ({ name: 'formerEmail', key, remove: true })), ...listed];
}

/** Writes of the entry by which payments find the customer by e-mail address. Empty if the lead lists no address. */
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
 * Writes that apply a server's data to a customer whose lead is settled. The customer key and e-mail address are set if
 * they were missing or if only a browser had claimed them. The status does not change.
 * @param after the customer and the lead after the change
 * @param claimant another customer, who loses the key
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
      // Fails if a sale, another lead, an unlinking or an erasure was written first. This request then reloads and
      // decides again.
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
