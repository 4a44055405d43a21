import type { AttributedCustomer, Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { keyedCustomerWrites } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { customerWrites } from '#lib/service/traffic/customers/paying-customers-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Writes that merge a customer created by a coupon code into another customer, who gets its identifiers and its first
 * sale. The merged customer stays in the table, unlinked, and points to the other one.
 * @param stored the other customer before the merge; undefined if the payment creates it
 * @param after the other customer with the sale
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
    // `emptiedWrite` already removes the key from the merged customer, so the write `claimant` is left out.
    ...customerWrites(stored, after, sale, takesKey ? made : undefined).filter(({ name }) => name !== 'claimant'),
    ...(await movedPayerWrites(table, made, after.clickId, isByAddressAlone)),
  ];
}

const emptiedWrite = (made: Customer, { clickId: movedTo }: AttributedCustomer, at: Date): Write => {
  const { clickId, customerKey, status, leadState, partnerId } = made;
  const unlinkReason = `Identified as customer ${movedTo}`;
  const unlinked = { unlinkedAt: at.toISOString(), unlinkedBy: 'processor', unlinkReason };
  return {
    name: 'made',
    key: keys.customer(clickId),
    change: { set: { ...unlinked, movedTo, customerKey: undefined, keyBoundBy: undefined } },
    // Fails if a lead, sale, erasure, unlinking, or another event of the same payment has changed the merged customer.
    // This request then reloads and decides again.
    condition: {
      exists: true,
      equals: { customerKey, status, leadState, partnerId, erasedAt: undefined, unlinkedAt: undefined },
    },
  };
};

/** The write that resets a merged customer after all of its sales have moved. */
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
 * Writes that make a customer a lead again after its only sale, which only the e-mail address had attributed to it,
 * moved to another customer. The sale's payer is removed from the customer too.
 */
export const resetCustomerWrites = (customer: Customer, payer: string | undefined): Write[] => {
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
      // Fails if an earlier sale, a change of the key, an erasure or an unlinking was written first. This request then
      // reloads and decides again.
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

/**
 * Writes that move a customer's payer ids to another customer.
 * @param boundByAddress set if the payment found the other customer only by its e-mail address
 */
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
