import { type AttributedCustomer, attributedPart } from '#lib/service/traffic/customers/customer.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

const MOST_PROGRAMS_OF_A_KEY = 2;

/** Finds the customer who has a key in a program, with the data that attribution needs. */
export async function findCustomerByKey(
  table: Table,
  programId: number,
  customerKey: string | undefined,
  isTest = false,
): Promise<AttributedCustomer | undefined> {
  if (customerKey === undefined || customerKey === MATCHES_NOTHING) return undefined;
  return table.get<AttributedCustomer>(keys.customerKey(customerKey, programId, isTest));
}

/** Ids of the programs in which a customer has this key, at most two. Two are enough to know that there are several. */
export async function programsOfCustomerKey(table: Table, customerKey: string | undefined): Promise<number[]> {
  if (customerKey === undefined || customerKey === MATCHES_NOTHING) return [];
  const { pk } = keys.customerKey(customerKey, 0);
  const bound = await table.query<AttributedCustomer>(pk, { most: MOST_PROGRAMS_OF_A_KEY });
  return bound.map(({ programId }) => programId);
}

/**
 * Writes that link a key to a customer in its program. If two customers race for a key, the second request fails and is
 * retried with the customer who now has the key.
 * @param claimant another customer, who loses the key
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

/** Writes that copy changed customer data to the item of its key. Empty if the customer has no key. */
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

/** The write that deletes the item of a key, if only a browser claimed the key and a server has sent another one. */
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
