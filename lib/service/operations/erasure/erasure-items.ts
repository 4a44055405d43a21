import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import {
  erasedCustomer,
  erasedLead,
  erasedLaterClick,
  erasedRefund,
  erasedSale,
} from '#lib/service/outbox/facts/erasure.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { addressName, keyName } from '#lib/service/conversions/payers/unattributed-payer.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { storedRefundsOf } from '#lib/service/conversions/refunds/refunds-items.ts';
import { everySale } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** How long a repeated erasure can still find its customer by the former key. */
const REMEMBERED_SECONDS = 7 * 86_400;

/** The click id of the erased customer who had this key; undefined if unknown. */
export async function erasedClickId(table: Table, programId: number, customerKey: string): Promise<string | undefined> {
  return (await table.get<{ clickId: string }>(keys.erasure(programId, sha256(customerKey))))?.clickId;
}

/** Writes that make the customer impossible to find, and remove personal data from its item and its lead. */
export function erasedCustomerWrites(customer: Customer, lead: Lead | undefined, at: Date): Write[] {
  const { clickId, programId, customerKey, leadState } = customer;
  const listings = lead ? listingsOf(lead) : [];
  return [
    {
      name: 'customer',
      key: keys.customer(clickId),
      change: { set: erasedCustomer(at) },
      // Race: a lead is recorded or settled, or a key bound. The loser reads again and also erases the new data.
      condition: { exists: true, equals: { customerKey, leadState, erasedAt: undefined } },
    },
    ...(lead
      ? [{ name: 'lead', key: keys.lead(clickId), change: { set: erasedLead }, condition: { exists: true } } as const]
      : []),
    ...listings.map((key) => ({ name: 'email', key, remove: true as const })),
    ...rememberedAs(customer, lead).map((name) => ({
      name: 'payer',
      key: keys.payer(programId, name),
      remove: true as const,
    })),
    ...(customerKey === undefined
      ? []
      : [
          { name: 'customerKey', key: keys.customerKey(customerKey, programId), remove: true } as const,
          {
            name: 'erasure',
            key: keys.erasure(programId, sha256(customerKey)),
            put: { clickId, expires_at: Math.ceil(at.getTime() / 1000) + REMEMBERED_SECONDS },
          },
        ]),
  ];
}

/** The keys under which the customer may be stored as a payer without attribution. */
const rememberedAs = ({ customerKey, email }: Customer, lead: Lead | undefined): string[] => [
  ...(customerKey ? [keyName(customerKey)] : []),
  ...[...new Set([email?.hash, lead?.email?.hash])].flatMap((hash) => (hash === undefined ? [] : [addressName(hash)])),
];

/** The keys under which a lead's address is listed. */
const listingsOf = ({ programId, clickId, email, emailListedAt }: Lead): Key[] =>
  email && emailListedAt ? [keys.email(programId, email.hash, emailListedAt, clickId)] : [];

/** Erases later visits and links to customer ids at the processor. */
export async function eraseHistory(table: Table, { clickId }: Customer): Promise<void> {
  const { pk } = keys.customer(clickId);
  for (const { sk } of await table.query<Key>(pk, { prefix: 'CLICK#' })) {
    await table.update({ pk, sk }, { set: erasedLaterClick }, { exists: true });
  }
  interface Payer {
    readonly programId: number;
    readonly processorCustomerId: string;
  }
  for (const { programId, processorCustomerId } of await table.query<Payer>(pk, { prefix: 'PAYER#' })) {
    // One transaction removes both items: without the customer's item the payer's item could not be found again.
    await table.transact([
      { name: 'payer', key: keys.payer(programId, processorCustomerId), remove: true },
      { name: 'payerOfCustomer', key: keys.payerOfCustomer(clickId, processorCustomerId), remove: true },
    ]);
  }
}

/**
 * Removes personal data from the customer's sales and refunds. It reads all sales of the program: those from earlier
 * versions are not listed under their customer until a rebuild, and an erasure must not miss them.
 * @returns the number of the customer's sales
 */
export async function eraseSales(table: Table, { clickId, programId }: Customer): Promise<number> {
  let count = 0;
  for await (const sales of everySale(table, programId)) {
    for (const { attribution, transactionId } of sales) {
      if (attribution?.clickId !== clickId) continue;
      await eraseSale(table, transactionId, attribution);
      count += 1;
    }
  }
  return count;
}

async function eraseSale(table: Table, transactionId: string, attribution: SaleAttribution): Promise<void> {
  // The write has no condition: the only other writer of these attributes is a repair, which only removes some of them.
  await table.update(keys.sale(transactionId), { set: erasedSale(attribution) }, { exists: true });
  for (const { createdAt, id } of await storedRefundsOf(table, transactionId)) {
    await table.update(keys.refund(transactionId, createdAt, id), { set: erasedRefund }, { exists: true });
  }
}
