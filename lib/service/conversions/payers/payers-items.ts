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

/**
 * The item of a payer. Its key contains the processor customer id, or a hash of a customer key or e-mail address (see
 * `payerNamesOf`).
 */
interface PayerItem {
  /** Click id of the payer's customer. Undefined while all of its payments are unattributed. */
  readonly clickId?: string;
  /** Time of the payer's first unattributed payment, ISO 8601. Undefined if there was none. */
  readonly firstUnsoldAt?: string;
  /** Set if only the e-mail address of the payer's payments found the customer, and no click or key has yet. */
  readonly boundByAddress?: true;
}

/** Whether this processor customer id was linked to its customer only because of the e-mail address in its payments. */
export const isBoundByAddress = async (
  table: Table,
  programId: number,
  processorCustomerId: string,
): Promise<boolean> => (await findPayer(table, programId, processorCustomerId))?.boundByAddress ?? false;

const findPayer = (table: Table, programId: number, processorCustomerId: string): Promise<PayerItem | undefined> =>
  table.get<PayerItem>(keys.payer(programId, processorCustomerId));

/**
 * Writes that link a processor customer id to a customer. The first link is kept, unless its customer was unlinked
 * since. If only the e-mail address made the link, a payment that finds the same customer by another identifier
 * confirms it, and a payment that finds another customer replaces it. An item stored below the customer lists the link,
 * so that erasure and unlinking find it.
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
      // Closes the race between two payments of one payer: the later request reloads and finds the link stored.
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
  // Fails if another payment has confirmed the link, or an erasure has removed it. This request then reloads and
  // decides again.
  condition: { equals: { clickId, boundByAddress: true } },
});

/** Time of the first unattributed payment of a payer with one of these names, ISO 8601. Undefined if there was none. */
export async function firstUnattributedOf(
  table: Table,
  programId: number,
  names: readonly string[],
): Promise<string | undefined> {
  const payers = await Promise.all(names.map((name) => findPayer(table, programId, name)));
  return payers.flatMap((payer) => payer?.firstUnsoldAt ?? []).toSorted()[0];
}

/**
 * Writes that store the time of a payer's first unattributed payment under each of the payer's names. Empty if nothing
 * changes.
 */
export async function unattributedPayerWrites(
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
        // Closes the race between two unattributed payments: the later request reloads and decides again, so the
        // earlier of the two times stays stored.
        condition: { equals: { firstUnsoldAt: former } },
      },
    ];
  });
}
