import type { AttributedCustomer, Customer } from '#lib/service/traffic/customers/customer.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The customer who paid before with this processor customer id. */
export async function findCustomerByPayer(
  table: Table,
  programId: number,
  processorCustomerId: string,
): Promise<Customer | undefined> {
  const payer = await findPayer(table, programId, processorCustomerId);
  return findCustomer(table, payer?.clickId);
}

/** A payer, or a hash of its key or address, see `payerNamesOf`. */
interface PayerItem {
  /** Absent while no payment has had a customer. */
  readonly clickId?: string;
  /** When a payment of it was nobody's first, ISO 8601. */
  readonly firstUnsoldAt?: string;
  /** Only the address of its payments named the customer: no click or key has yet. */
  readonly boundByAddress?: true;
}

/** Whether only the address of its payments has named the customer of this processor customer id. */
export const isBoundByAddress = async (
  table: Table,
  programId: number,
  processorCustomerId: string,
): Promise<boolean> => (await findPayer(table, programId, processorCustomerId))?.boundByAddress ?? false;

const findPayer = (table: Table, programId: number, processorCustomerId: string): Promise<PayerItem | undefined> =>
  table.get<PayerItem>(keys.payer(programId, processorCustomerId));

/**
 * Writes that link a processor customer id to a customer. The first link stays, unless that customer was unlinked
 * since; one by an address alone is confirmed by a payment that names the customer otherwise, and gives way to one that
 * names another. An item below the customer lists the link, so that erasure and unlinking find it.
 */
export async function payerWrites(
  table: Table,
  { programId, clickId }: AttributedCustomer,
  processorCustomerId: string,
  boundByAddress?: true,
): Promise<Write[]> {
  const former = await findPayer(table, programId, processorCustomerId);
  const isStronger = former?.boundByAddress && !boundByAddress;
  if (isStronger && former.clickId === clickId) return [confirmedPayer(programId, processorCustomerId, clickId)];
  const stays = former?.clickId === clickId || (!isStronger && (await findCustomer(table, former?.clickId)));
  if (stays) return [];
  return [
    {
      name: 'payer',
      key: keys.payer(programId, processorCustomerId),
      change: { set: { clickId, boundByAddress } },
      // Two payments of one payer race: the loser finds the link stored.
      condition: { equals: { clickId: former?.clickId, boundByAddress: former?.boundByAddress } },
    },
    {
      name: 'payerOfCustomer',
      key: keys.payerOfCustomer(clickId, processorCustomerId),
      put: { programId, processorCustomerId },
    },
    ...(former?.clickId !== undefined
      ? [
          {
            name: 'formerPayer',
            key: keys.payerOfCustomer(former.clickId, processorCustomerId),
            remove: true,
          } as const,
        ]
      : []),
  ];
}

const confirmedPayer = (programId: number, processorCustomerId: string, clickId: string): Write => ({
  name: 'payer',
  key: keys.payer(programId, processorCustomerId),
  change: { set: { boundByAddress: undefined } },
  // Another payment has confirmed it, or an erasure removed it: the loser decides again.
  condition: { equals: { clickId, boundByAddress: true } },
});

/** When a payment under one of these names was nobody's first, ISO 8601; undefined = there was none. */
export async function firstUnsoldOf(
  table: Table,
  programId: number,
  names: readonly string[],
): Promise<string | undefined> {
  const payers = await Promise.all(names.map((name) => findPayer(table, programId, name)));
  return payers.flatMap((payer) => payer?.firstUnsoldAt ?? []).toSorted()[0];
}

/** Writes by which a payment that was nobody's is remembered under the names of its payer; none where all is known. */
export async function unsoldPayerWrites(
  table: Table,
  programId: number,
  names: readonly string[],
  paidAt: Date,
): Promise<Write[]> {
  const payers = await Promise.all(names.map((name) => findPayer(table, programId, name)));
  const [firstUnsoldAt] = [paidAt.toISOString(), ...payers.flatMap((payer) => payer?.firstUnsoldAt ?? [])].toSorted();
  return names.flatMap((name, index): Write[] => {
    const former = payers[index]?.firstUnsoldAt;
    if (former === firstUnsoldAt) return [];
    return [
      {
        name: `payer ${index}`,
        key: keys.payer(programId, name),
        change: { set: { firstUnsoldAt } },
        // Two payments of nobody race: the loser decides again, so that the earlier one is kept.
        condition: { equals: { firstUnsoldAt: former } },
      },
    ];
  });
}
