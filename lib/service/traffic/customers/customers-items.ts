import { isAutomatic } from '#lib/service/traffic/clicks/click-quality.ts';
import type { AttributedCustomer, Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { type UnconfirmedSource, counts } from '#lib/service/traffic/customers/browser-claim.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { type Key, keys, type PartnerIndexKey, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { keyedCustomerWrites } from '#lib/service/traffic/customers/customer-keys-items.ts';

/**
 * Finds a customer by click id. Test customers are found only on request, erased and unlinked ones never. For a
 * customer who was merged into another one, the other customer is returned, because the click id may have been read
 * before the merge.
 */
export async function findCustomer(
  table: Table,
  clickId: string | undefined,
  isTest = false,
): Promise<Customer | undefined> {
  const customer = await findRecordedCustomer(table, clickId, isTest);
  if (customer?.movedTo !== undefined) return findCustomer(table, customer.movedTo, isTest);
  return customer?.erasedAt === undefined && customer?.unlinkedAt === undefined ? customer : undefined;
}

/**
 * Finds a customer like `findCustomer`, but also if erased or unlinked, for the customer's recorded events. Items of
 * automatic clicks (bots, previews) are not customers.
 */
export async function findRecordedCustomer(
  table: Table,
  clickId: string | undefined,
  isTest = false,
): Promise<Customer | undefined> {
  if (clickId === undefined || clickId === MATCHES_NOTHING) return undefined;
  const customer = await table.get<Customer>(keys.customer(clickId));
  if (!customer || isAutomatic(customer)) return undefined;
  return (customer.isTest ?? false) === isTest ? customer : undefined;
}

/** How many customers are read at most for one e-mail address. Usually there is only one. */
const MOST_LEADS_OF_AN_ADDRESS = 100;

/**
 * Finds the customer of the first settled lead with this e-mail address. Addresses that a server confirmed are
 * preferred to those that only a browser sent; the latter are used only if the program accepts browsers. An entry of
 * the list may be older than the settlement of its lead, so the customer's own state and signup time decide.
 */
export async function findCustomerByEmail(
  table: Table,
  program: Pick<Program, 'id' | 'leadAuth'>,
  emailHash: string,
): Promise<{ readonly customer: Customer; readonly isClaimed?: true } | undefined> {
  const listed = await leadsOfAddress(table, program.id, emailHash);
  const counting = listed.filter(({ claimedBy }) => counts(claimedBy, program));
  const found = await Promise.all(
    counting.map(async ({ sk, clickId, claimedBy }) => {
      const customer = await findCustomer(table, clickId);
      if (customer?.leadState !== 'settled' || customer.email?.hash !== emailHash) return [];
      const [listedAt = ''] = sk.split('#');
      const { signupAt = '' } = customer;
      const since = signupAt > listedAt ? signupAt : listedAt;
      return [{ customer, since, isClaimed: claimedBy && (true as const) }];
    }),
  );
  const [first] = found
    .flat()
    .toSorted(
      (a, b) =>
        Number(a.isClaimed ?? false) - Number(b.isClaimed ?? false) || Date.parse(a.since) - Date.parse(b.since),
    );
  return first && { customer: first.customer, isClaimed: first.isClaimed };
}

/** Returns the customers whose settled lead has this e-mail address, including unlinked ones, earliest first. */
export async function customersByEmail(table: Table, programId: number, emailHash: string): Promise<Customer[]> {
  const listed = await leadsOfAddress(table, programId, emailHash);
  const found = await Promise.all(listed.map(({ clickId }) => findRecordedCustomer(table, clickId)));
  return found.filter(
    (customer) => customer?.leadState === 'settled' && customer.email?.hash === emailHash,
  ) as Customer[];
}

/** The item that lists a customer under its e-mail address. */
export interface ListedAddress extends Pick<Customer, 'clickId' | 'programId'> {
  readonly claimedBy?: UnconfirmedSource;
}

const leadsOfAddress = (table: Table, programId: number, emailHash: string) =>
  table.query<Key & ListedAddress>(keys.email(programId, emailHash, '', '').pk, {
    most: MOST_LEADS_OF_AN_ADDRESS,
  });

/** The change that removes the expiry of a customer's click when the customer signs up or pays. */
export const keptClick = { expires_at: undefined } as const satisfies Partial<Customer>;

/** The event, a lead or a sale, whose time decides the customer's position in lists. */
export interface ListedEvent {
  readonly createdAt: string;
  readonly id: number;
}

/**
 * The customer's position in its partner's list: the time of the lead, or of the first sale if there is no lead.
 * Partner and position are separate attributes, so only the partner changes if the customer moves to another partner.
 */
export const customerListing = (
  customer: AttributedCustomer,
  { createdAt, id }: ListedEvent,
): Partial<PartnerIndexKey> => ({
  ...customerPartnerListing(customer),
  ...(customer.isTest ? {} : { gsi2sk: partnerIndexKeys.customer(0, 0, createdAt, id).gsi2sk }),
});

/** The partition key of the partner's list that contains the customer. Undefined if the customer is in no list. */
export const customerPartnerListing = ({
  isTest,
  programId,
  partnerId,
}: AttributedCustomer): { readonly gsi2pk: string | undefined } => ({
  gsi2pk: isTest || partnerId === undefined ? undefined : partnerIndexKeys.customer(programId, partnerId, '', 0).gsi2pk,
});

/**
 * Writes that change what the program's rules compare. Their condition fails if these values or the key have changed,
 * or if the customer was erased or unlinked, in the meantime. This request then reloads and decides again.
 */
export const changedTraitsWrites = (before: Customer, traits: CustomerTraits): Write[] => [
  {
    name: 'customer',
    key: keys.customer(before.clickId),
    change: { set: { traits } },
    condition: {
      exists: true,
      equals: { traits: before.traits, customerKey: before.customerKey, erasedAt: undefined, unlinkedAt: undefined },
    },
  },
  ...keyedCustomerWrites(before, { traits }),
];

/** Who unlinked a customer, when and why. */
export interface Unlinking {
  readonly at: Date;
  readonly by: Actor;
  readonly reason: string;
}

/**
 * Writes after which no new event can find the customer. The customer's key is free again, for the customer of the next
 * click.
 */
export const detachedCustomerWrites = (
  { clickId, programId, customerKey }: AttributedCustomer,
  { at, by, reason }: Unlinking,
): Write[] => [
  {
    name: 'customer',
    key: keys.customer(clickId),
    change: {
      set: {
        unlinkedAt: at.toISOString(),
        unlinkedBy: by,
        unlinkReason: reason,
        customerKey: undefined,
        keyBoundBy: undefined,
      },
    },
    // Fails if the customer's key has changed in the meantime, because the item of the new key would still name this
    // customer. Also fails if the customer was erased or unlinked. This request then reloads and decides again.
    condition: { exists: true, equals: { customerKey, erasedAt: undefined, unlinkedAt: undefined } },
  },
  ...(customerKey === undefined
    ? []
    : [{ name: 'customerKey', key: keys.customerKey(customerKey, programId), remove: true } as const]),
];

/** Writes that unlink a customer from its partner, on the customer item and the item of its key. */
export const unlinkedCustomerWrites = ({ clickId, programId, customerKey }: AttributedCustomer): Write[] => [
  {
    name: 'customer',
    key: keys.customer(clickId),
    change: { set: { partnerId: undefined, gsi2pk: undefined } },
    // Fails if a key was linked in the meantime, because the key's item would still name the partner. Also fails if the
    // customer was erased, which removes the key, or unlinked. This request then reloads and decides again.
    condition: { exists: true, equals: { customerKey, erasedAt: undefined, unlinkedAt: undefined } },
  },
  ...(customerKey === undefined
    ? []
    : [
        {
          name: 'customerKey',
          key: keys.customerKey(customerKey, programId),
          change: { set: { partnerId: undefined } },
          condition: { exists: true },
        } as const,
      ]),
];
