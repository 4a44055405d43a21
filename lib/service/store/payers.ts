import type { AttributedCustomer, Customer } from '#lib/domain/customer.ts';
import { findCustomer } from '#lib/service/store/customers.ts';
import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** The customer who paid before with this processor customer id. */
export async function findCustomerByPayer(
  table: Table,
  programId: number,
  processorCustomerId: string,
): Promise<Customer | undefined> {
  const payer = await findPayer(table, programId, processorCustomerId);
  return findCustomer(table, payer?.clickId);
}

interface PayerItem extends Pick<Customer, 'clickId'> {
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
 * since; one by an address alone is confirmed by a payment that names the customer otherwise. An item below the customer lists the link, so that erasure and unlinking find it.
 */
export async function payerWrites(
  table: Table,
  { programId, clickId }: AttributedCustomer,
  processorCustomerId: string,
  boundByAddress?: true,
): Promise<Write[]> {
  const former = await findPayer(table, programId, processorCustomerId);
  const isConfirmed = former?.boundByAddress && !boundByAddress && former.clickId === clickId;
  if (isConfirmed) return [confirmedPayer(programId, processorCustomerId, former)];
  if (former?.clickId === clickId || (await findCustomer(table, former?.clickId))) return [];
  return [
    {
      name: 'payer',
      key: keys.payer(programId, processorCustomerId),
      put: { clickId, boundByAddress },
      // Two payments of one payer race: the loser finds the link stored.
      condition: former ? { equals: { clickId: former.clickId } } : { isNew: true },
    },
    {
      name: 'payerOfCustomer',
      key: keys.payerOfCustomer(clickId, processorCustomerId),
      put: { programId, processorCustomerId },
    },
    ...(former
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

const confirmedPayer = (programId: number, processorCustomerId: string, { clickId }: PayerItem): Write => ({
  name: 'payer',
  key: keys.payer(programId, processorCustomerId),
  put: { clickId },
  condition: { equals: { clickId, boundByAddress: true } },
});
