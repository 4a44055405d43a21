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
import { salesListedIn } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

/** How long the customer's former key is remembered, so that a repeated request still finds the erased customer. */
const REMEMBERED_SECONDS = 7 * 86_400;

/**
 * An erasure that must be continued: the customer can no longer be found, but the customer's records still contain
 * personal data.
 */
export interface DueErasure {
  readonly programId: number;
  readonly clickId: string;
  /** SHA-256 of the former customer key, by which payments without attribution are found. */
  readonly keyHash?: string;
  readonly erasedAt: string;
  /** The position at which an interrupted run continues. Undefined at the beginning. */
  readonly position?: ErasurePosition;
}

/** How far an erasure is: the part, and the position in that part after which it continues. */
export interface ErasurePosition {
  readonly part: number;
  readonly after: string;
}

export const dueErasures = (table: Table): Promise<DueErasure[]> => table.query<DueErasure>(keys.dueErasure('').pk);

export const findDueErasure = (table: Table, clickId: string): Promise<DueErasure | undefined> =>
  table.get<DueErasure>(keys.dueErasure(clickId));

/** Stores the progress of an erasure, unless another run has finished it in the meantime. */
export async function moveDueErasure(table: Table, { clickId }: DueErasure, position: ErasurePosition): Promise<void> {
  await table.update(keys.dueErasure(clickId), { set: { position } }, { exists: true }).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

export const removeDueErasure = (table: Table, { clickId }: DueErasure): Promise<void> =>
  table.transact([{ name: 'dueErasure', key: keys.dueErasure(clickId), remove: true }]);

/** The click id of the erased customer who had this key; undefined if unknown. */
export async function erasedClickId(table: Table, programId: number, customerKey: string): Promise<string | undefined> {
  return (await table.get<{ clickId: string }>(keys.erasure(programId, sha256(customerKey))))?.clickId;
}

/** Writes that make the customer impossible to find, and remove personal data from its item and its lead. */
export function erasedCustomerWrites(customer: Customer, lead: Lead | undefined, at: Date): Write[] {
  const { clickId, programId, customerKey, leadState } = customer;
  const listings = lead ? listingsOf(lead) : [];
  const keyHash = customerKey === undefined ? undefined : sha256(customerKey);
  return [
    {
      name: 'dueErasure',
      key: keys.dueErasure(clickId),
      put: { programId, clickId, keyHash, erasedAt: at.toISOString() } satisfies DueErasure,
    },
    {
      name: 'customer',
      key: keys.customer(clickId),
      change: { set: erasedCustomer(at) },
      // Fails if a lead was recorded or settled, or a key was linked to the customer, in the meantime. This request
      // then reads again and also erases the new data.
      condition: { exists: true, equals: { customerKey, leadState, erasedAt: undefined } },
    },
    ...(lead ? [erasedLeadWrite(lead)] : []),
    ...listings.map((key) => ({ name: 'email', key, remove: true as const })),
    ...rememberedAs(customer, lead).map((name) => ({
      name: 'payer',
      key: keys.payer(programId, name),
      remove: true as const,
    })),
    ...(customerKey === undefined || keyHash === undefined
      ? []
      : [
          { name: 'customerKey', key: keys.customerKey(customerKey, programId), remove: true } as const,
          {
            name: 'erasure',
            key: keys.erasure(programId, keyHash),
            put: { clickId, expires_at: Math.ceil(at.getTime() / 1000) + REMEMBERED_SECONDS },
          },
        ]),
  ];
}

const erasedLeadWrite = ({ clickId, email, emailListedAt }: Lead): Write => ({
  name: 'lead',
  key: keys.lead(clickId),
  change: { set: erasedLead },
  // Fails if a server confirmed the lead with another e-mail address in the meantime. This request then reads again and
  // also removes the new entry of that address.
  condition: { exists: true, equals: { email, emailListedAt } },
});

/** The names under which the customer may be remembered as a payer whose payments found no customer. */
const rememberedAs = ({ customerKey, email }: Customer, lead: Lead | undefined): string[] => [
  ...(customerKey ? [keyName(customerKey)] : []),
  ...[...new Set([email?.hash, lead?.email?.hash])].flatMap((hash) => (hash === undefined ? [] : [addressName(hash)])),
];

/** The keys under which a lead's address is listed. */
const listingsOf = ({ programId, clickId, email, emailListedAt }: Lead): Key[] =>
  email && emailListedAt ? [keys.email(programId, email.hash, emailListedAt, clickId)] : [];

/** Erases the customer's later clicks, and the links to customer ids at the processor. */
export async function eraseHistory(table: Table, { clickId }: Pick<Customer, 'clickId'>): Promise<void> {
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
 * Removes personal data from the sales and refunds of customers, page by page. It reads all sales of a list: those from
 * earlier versions are not listed under their customer until a rebuild, and an erasure must not miss them.
 * @param after position in the list to begin after
 * @returns for each page the number of the customers' sales, and the position at which it ends
 */
export async function* eraseSales(
  table: Table,
  list: string,
  clickIds: ReadonlySet<string>,
  after?: string,
): AsyncGenerator<{ readonly count: number; readonly position?: string }> {
  for await (const { sales, position } of salesListedIn(table, list, after)) {
    const theirs = sales.flatMap(({ attribution, transactionId }) =>
      attribution && clickIds.has(attribution.clickId) ? [eraseSale(table, transactionId, attribution)] : [],
    );
    await Promise.all(theirs);
    yield { count: theirs.length, position };
  }
}

async function eraseSale(table: Table, transactionId: string, attribution: SaleAttribution): Promise<void> {
  // The write has no condition: the only other writer of these attributes is a repair, which only removes some of them.
  await table.update(keys.sale(transactionId), { set: erasedSale(attribution) }, { exists: true });
  for (const { createdAt, id } of await storedRefundsOf(table, transactionId)) {
    await table.update(keys.refund(transactionId, createdAt, id), { set: erasedRefund }, { exists: true });
  }
}
