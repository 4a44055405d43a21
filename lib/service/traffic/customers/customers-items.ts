import { isAutomatic, type QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import {
  type AttributedCustomer,
  attributedPart,
  type Customer,
  type Visit,
} from '#lib/service/traffic/customers/customer.ts';
import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { type Claim, counts } from '#lib/service/traffic/customers/browser-claim.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import {
  feedOf,
  indexKeys,
  type Key,
  keys,
  type PartnerIndexKey,
  partnerIndexKeys,
} from '#lib/service/ground/table/keys.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

const MOST_PROGRAMS_OF_A_KEY = 2;

/**
 * A customer by its click; verification chains' customers only on request, erased and unlinked ones never. In place of a
 * customer who turned out to be another one, that one: what leads to a customer may have been read a moment before.
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
 * The same with erased and unlinked ones, for their recorded events. The item that a bot's or a preview's click left is no
 * customer.
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

/** The item that a click left, whoever made it. */
export const findClick = async (table: Table, clickId: string): Promise<Customer | undefined> =>
  clickId === MATCHES_NOTHING ? undefined : table.get<Customer>(keys.customer(clickId));

/** One batch of reads. Only settled leads are listed, so an address has one entry in practice. */
const MOST_LEADS_OF_AN_ADDRESS = 100;

/**
 * The customer whose settled lead brought an address first; a server's word before a browser's, if that counts at all.
 * Older items also list provisional leads, by the time of the browser's call, so the customer's own state and signup
 * decide.
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

/** Every customer whose settled lead brought an address, unlinked ones as well; the earliest entry first. */
export async function customersByEmail(table: Table, programId: number, emailHash: string): Promise<Customer[]> {
  const listed = await leadsOfAddress(table, programId, emailHash);
  const found = await Promise.all(listed.map(({ clickId }) => findRecordedCustomer(table, clickId)));
  return found.filter(
    (customer) => customer?.leadState === 'settled' && customer.email?.hash === emailHash,
  ) as Customer[];
}

/** The item that lists a customer under its address. */
export interface ListedAddress extends Pick<Customer, 'clickId' | 'programId'> {
  readonly claimedBy?: Claim;
}

const leadsOfAddress = (table: Table, programId: number, emailHash: string) =>
  table.query<Key & ListedAddress>(keys.email(programId, emailHash, '', '').pk, {
    most: MOST_LEADS_OF_AN_ADDRESS,
  });

/** The customer to whom a key is bound in a program, as far as attribution needs it. */
export async function findCustomerByKey(
  table: Table,
  programId: number,
  customerKey: string | undefined,
  isTest = false,
): Promise<AttributedCustomer | undefined> {
  if (customerKey === undefined || customerKey === MATCHES_NOTHING) return undefined;
  return table.get<AttributedCustomer>(keys.customerKey(customerKey, programId, isTest));
}

/** Programs in which a key is bound: none, one, or two when there are several. */
export async function programsOfCustomerKey(table: Table, customerKey: string | undefined): Promise<number[]> {
  if (customerKey === undefined || customerKey === MATCHES_NOTHING) return [];
  const { pk } = keys.customerKey(customerKey, 0);
  const bound = await table.query<AttributedCustomer>(pk, { most: MOST_PROGRAMS_OF_A_KEY });
  return bound.map(({ programId }) => programId);
}

/** The first click and the customer it creates are one item and one write. */
export const createCustomer = (table: Table, customer: Customer): Promise<void> =>
  table.put(
    keys.customer(customer.clickId),
    {
      ...customer,
      ...indexKeys.event(
        customer.programId,
        'click',
        feedOf({ isTest: customer.isTest }),
        customer.firstClickAt,
        customer.id,
      ),
    },
    { isNew: true },
  );

/**
 * Where a customer appears among its partner's: from its lead on, or from its first sale where there is no lead. Which
 * partner, and where in the list, are attributes of their own: who moves a customer changes the partner alone.
 * @param beginning the lead or the sale
 */
export const customerListing = (
  customer: AttributedCustomer,
  { createdAt, id }: { readonly createdAt: string; readonly id: number },
): Partial<PartnerIndexKey> => ({
  ...customerPartnerListing(customer),
  ...(customer.isTest ? {} : { gsi2sk: partnerIndexKeys.customer(0, 0, createdAt, id).gsi2sk }),
});

/** In whose list a customer is, if it is in one already. */
export const customerPartnerListing = ({
  isTest,
  programId,
  partnerId,
}: AttributedCustomer): { readonly gsi2pk: string | undefined } => ({
  gsi2pk: isTest || partnerId === undefined ? undefined : partnerIndexKeys.customer(programId, partnerId, '', 0).gsi2pk,
});

/** A later click of a known customer. It changes nothing on the customer: the first partner keeps it. */
export interface LaterClick extends QualityOfClick {
  readonly id: number;
  readonly clickId: string;
  readonly programId: number;
  readonly partnerId: number;
  readonly shortLink: string;
  readonly createdAt: string;
  readonly visit: Visit;
}

export const logLaterClick = (table: Table, click: LaterClick): Promise<void> =>
  table.put(keys.laterClick(click.clickId, click.createdAt, click.id), {
    ...click,
    ...indexKeys.event(click.programId, 'click', 'EVENTS', click.createdAt, click.id),
  });

/** Changes the quality of a click. @param click without a time it is the first one */
export const setQuality = async (
  table: Table,
  { clickId, id, createdAt }: Pick<LaterClick, 'clickId' | 'id'> & { readonly createdAt?: string },
  quality: QualityOfClick['quality'],
): Promise<void> => {
  const key = createdAt === undefined ? keys.customer(clickId) : keys.laterClick(clickId, createdAt, id);
  await table.update(key, { set: { quality } }, { exists: true });
};

/** Later clicks of a customer, oldest first. */
export const laterClicksOf = (table: Table, clickId: string, most: number): Promise<LaterClick[]> =>
  table.query<LaterClick>(keys.customer(clickId).pk, { prefix: 'CLICK#', most });

/**
 * Writes that bind a key to a customer in its program. Two customers race for a key: the loser reads its new customer.
 * @param claimant loses it
 */
export const bindKeyWrites = (
  customer: AttributedCustomer,
  customerKey: string,
  claimant?: AttributedCustomer,
): Write[] => [
  {
    name: 'customerKey',
    key: keys.customerKey(customerKey, customer.programId, customer.isTest),
    put: attributedPart({ ...customer, customerKey }),
    condition: claimant ? { equals: { clickId: claimant.clickId, keyBoundBy: claimant.keyBoundBy } } : { isNew: true },
  },
  ...(claimant
    ? [
        {
          name: 'claimant',
          key: keys.customer(claimant.clickId),
          change: { set: { customerKey: undefined, keyBoundBy: undefined } },
          condition: { equals: { customerKey, keyBoundBy: 'browser' } },
        } as const,
      ]
    : []),
];

/** Writes that repeat on the item of a customer's key, where it has one, what changes on the customer. */
export const keyedCustomerWrites = (
  { clickId, programId, customerKey, isTest }: AttributedCustomer,
  set: Partial<AttributedCustomer>,
): Write[] =>
  customerKey === undefined
    ? []
    : [
        {
          name: 'customerKey',
          key: keys.customerKey(customerKey, programId, isTest),
          change: { set },
          condition: { equals: { clickId } },
        },
      ];

/**
 * Writes of what rules look at. Another change of it, or of the key whose item repeats it, races, or the customer is
 * erased or unlinked: the loser decides again.
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

/** The write after which a customer has not the key any more that only a browser claimed, and a server replaced. */
export const formerKeyWrites = ({ customerKey, programId, isTest, clickId }: AttributedCustomer): Write[] =>
  customerKey === undefined
    ? []
    : [
        {
          name: 'formerKey',
          key: keys.customerKey(customerKey, programId, isTest),
          remove: true,
          condition: { equals: { clickId } },
        },
      ];

/**
 * Writes of a customer whom a payment makes, with its key. Two payments of a person race: the loser finds the winner's
 * customer by the key.
 * @param claimant loses the key
 */
export const newCustomerWrites = (
  customer: AttributedCustomer,
  listing: Partial<PartnerIndexKey>,
  claimant?: AttributedCustomer,
): Write[] => [
  {
    name: 'customer',
    key: keys.customer(customer.clickId),
    put: { ...customer, ...listing },
    condition: { isNew: true },
  },
  ...(customer.customerKey === undefined ? [] : bindKeyWrites(customer, customer.customerKey, claimant)),
  ...(customer.sharedClick ? [sharerWrite(customer.sharedClick)] : []),
];

/** Counts who pays with a customer's click. Two new people race: the loser is the next one. */
const sharerWrite = ({ clickId, place }: NonNullable<AttributedCustomer['sharedClick']>): Write => ({
  name: 'sharer',
  key: keys.customer(clickId),
  change: { set: { people: place } },
  condition: {
    exists: true,
    equals: { people: place === 2 ? undefined : place - 1, erasedAt: undefined, unlinkedAt: undefined },
  },
});

/** Who unlinked a customer, and why. */
export interface Unlinking {
  readonly at: Date;
  readonly by: Actor;
  readonly reason: string;
}

/** Writes after which nothing new finds the customer. Its key is free for the customer of the next click. */
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
    // A concurrent write binds or moves a key, whose item would keep naming the customer, or erases the customer.
    condition: { exists: true, equals: { customerKey, erasedAt: undefined, unlinkedAt: undefined } },
  },
  ...(customerKey === undefined
    ? []
    : [{ name: 'customerKey', key: keys.customerKey(customerKey, programId), remove: true } as const]),
];

/** Writes that unlink a customer from its partner: on its own item, and on that of its key. */
export const unlinkedCustomerWrites = ({ clickId, programId, customerKey }: AttributedCustomer): Write[] => [
  {
    name: 'customer',
    key: keys.customer(clickId),
    change: { set: { partnerId: undefined, gsi2pk: undefined } },
    // A concurrent write binds a key, whose item would keep the partner, or erases the customer, which then has no key.
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
