import type { AttributedCustomer, Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { keyedCustomerWrites } from '#lib/service/traffic/customers/customers-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { customerWrites } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// A customer whom a code made, and who turned out to be another one.

/**
 * Writes by which a customer whom a code made gives its identifiers and its first sale to another one. It stays as an
 * unlinked customer who leads to the other: nothing new is recorded for it.
 * @param stored the other one, unless the payment makes it, and as it is with the sale
 */
export async function handOverWrites(
  table: Table,
  made: Customer,
  stored: AttributedCustomer | undefined,
  after: AttributedCustomer,
  sale: Sale,
  { at, isByAddressAlone }: { readonly at: Date; readonly isByAddressAlone?: true },
): Promise<Write[]> {
  const { programId, customerKey } = made;
  const takesKey = after.customerKey !== stored?.customerKey && after.customerKey === customerKey;
  const freedKey: Write[] =
    customerKey === undefined || takesKey
      ? []
      : [{ name: 'customerKey', key: keys.customerKey(customerKey, programId), remove: true }];
  return [
    emptiedWrite(made, after, at),
    ...freedKey,
    // Who gives the key is written above.
    ...customerWrites(stored, after, sale, takesKey ? made : undefined).filter(({ name }) => name !== 'claimant'),
    ...(await movedPayerWrites(table, made, after.clickId, isByAddressAlone)),
  ];
}

const emptiedWrite = (made: Customer, { clickId: movedTo }: AttributedCustomer, at: Date): Write => {
  const { clickId, customerKey, status, leadState, partnerId } = made;
  const unlinkReason = `It turned out to be ${movedTo}`;
  const unlinked = { unlinkedAt: at.toISOString(), unlinkedBy: 'processor', unlinkReason };
  return {
    name: 'made',
    key: keys.customer(clickId),
    change: { set: { ...unlinked, movedTo, customerKey: undefined, keyBoundBy: undefined } },
    // A lead, a sale, an erasure or an unlinking races, or another event of the same payment: the loser decides again.
    condition: {
      exists: true,
      equals: { customerKey, status, leadState, partnerId, erasedAt: undefined, unlinkedAt: undefined },
    },
  };
};

/** The write after which a customer who became another one has bought nothing: all of its sales have moved. */
export const withoutSalesWrite = (clickId: string): Write => ({
  name: 'made',
  key: keys.customer(clickId),
  change: {
    set: {
      status: 'click',
      firstPurchaseAt: undefined,
      firstTerms: undefined,
      hasPaidFor: undefined,
      gsi2pk: undefined,
      gsi2sk: undefined,
    },
  },
  condition: { exists: true },
});

/**
 * Writes by which a customer has not bought: its only sale turned out to be another one's, and an address alone had found
 * it. Who paid for that one is nobody to it.
 */
export const unsoldCustomerWrites = (customer: Customer, payer: string | undefined): Write[] => {
  const { clickId, firstPurchaseAt, firstPayer, customerKey } = customer;
  const set = {
    status: 'lead',
    firstPurchaseAt: undefined,
    firstRecordedAt: undefined,
    firstTerms: undefined,
    hasPaidFor: undefined,
  } as const;
  return [
    {
      name: 'customer',
      key: keys.customer(clickId),
      change: { set: { ...set, ...(firstPayer === payer && { firstPayer: undefined }) } },
      // An earlier sale, a change of its key, an erasure or an unlinking races: the loser decides again.
      condition: {
        exists: true,
        equals: {
          status: 'conversion',
          firstPurchaseAt,
          firstPayer,
          customerKey,
          erasedAt: undefined,
          unlinkedAt: undefined,
        },
      },
    },
    ...keyedCustomerWrites(customer, set),
  ];
};

/** Writes that link the processor's customers of a customer to another one. @param boundByAddress an address alone named it */
export async function movedPayerWrites(
  table: Table,
  { clickId, programId }: Pick<Customer, 'clickId' | 'programId'>,
  movedTo: string,
  boundByAddress?: true,
): Promise<Write[]> {
  const payers = await table.query<{ processorCustomerId: string }>(keys.customer(clickId).pk, { prefix: 'PAYER#' });
  return payers.flatMap(({ processorCustomerId }): Write[] => [
    {
      name: 'payer',
      key: keys.payer(programId, processorCustomerId),
      change: { set: { clickId: movedTo, boundByAddress } },
      condition: { equals: { clickId } },
    },
    {
      name: 'payerOfCustomer',
      key: keys.payerOfCustomer(movedTo, processorCustomerId),
      put: { programId, processorCustomerId },
    },
    { name: 'formerPayer', key: keys.payerOfCustomer(clickId, processorCustomerId), remove: true },
  ]);
}
