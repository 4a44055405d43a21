import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { eventsOf, type StoredEvent } from '#lib/service/reports/lists/events-items.ts';
import { eventPosition, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { pageOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

const LARGEST_STEP = 100;
/** Maximum number of reads of the event lists per page, because among many renewals there are few first sales. */
const MOST_STEPS = 5;

/**
 * Customers of a program from their lead on, or from their first sale if there is no lead; newest first. There is no
 * separate list of customers. They are found in the lists of leads and sales, and each customer has the position of one
 * of these events. A page reads a limited number of leads and sales; if few of them are a customer's first, the page is
 * short or empty, and the next one continues after them.
 * @param keep returns false to leave a customer out
 */
export async function customersOf(
  table: Table,
  programId: number,
  { most, after }: PageRequest,
  keep: (customer: Customer) => boolean,
): Promise<Page<Customer>> {
  const kept: PlacedCustomer[] = [];
  let next = after;
  for (let step = 1; step <= MOST_STEPS && kept.length <= most; step++) {
    // One entry more than requested shows whether there is a next page.
    const size = step === 1 ? most + 1 : LARGEST_STEP;
    const events = await eventsOf(table, programId, beginnings, { most: size, after: next });
    const listed = await Promise.all(events.items.map((event) => placedCustomer(table, event)));
    kept.push(...listed.flat().filter(({ customer }) => keep(customer)));
    ({ next } = events);
    if (next === undefined) break;
  }
  const page = kept.slice(0, most);
  return { items: page.map(({ customer }) => customer), next: kept.length > most ? page.at(-1)?.position : next };
}

/** Customers of one partner, in the same order. */
export const customersOfPartner = (
  table: Table,
  programId: number,
  partnerId: number,
  page: PageRequest,
  keep: (customer: Customer) => boolean = () => true,
): Promise<Page<Customer>> =>
  pageOf<Customer>(table, partnerIndexKeys.customer(programId, partnerId, '', 0).gsi2pk, page, keep, {
    index: 'gsi2',
    newestFirst: true,
  });

interface PlacedCustomer {
  readonly position: string;
  readonly customer: Customer;
}

const beginnings = { types: ['lead', 'sale'], feeds: ['EVENTS', 'PROCESSOR_EVENTS'] } as const;

/** Returns the customer who has this event's position in the list. The array is empty if there is none. */
async function placedCustomer(table: Table, event: StoredEvent): Promise<PlacedCustomer[]> {
  const clickId = clickIdOfBeginning(event);
  const customer = await findRecordedCustomer(table, clickId);
  if (!customer || (event.type === 'sale' && !isPlacedBySale(customer, event))) return [];
  const { createdAt, id } = event.item as { readonly createdAt: string; readonly id: number };
  return [{ position: eventPosition(createdAt, id), customer }];
}

function clickIdOfBeginning({ type, item }: StoredEvent): string | undefined {
  if (type === 'lead') return 'fields' in item ? undefined : item.clickId;
  // Neither field is set for a renewal, so a renewal is recognized without reading the customer.
  const isFirst = type === 'sale' && (item.attribution?.window || item.attribution?.broughtByCode);
  return isFirst ? item.attribution?.clickId : undefined;
}

/**
 * Whether the customer's position in the list is that of this sale: the customer has no lead, and this sale made it a
 * `conversion`. Several sales may look like the first, if some were stored without commissions.
 */
const isPlacedBySale = (
  { leadState, firstPurchaseAt, firstRecordedAt = firstPurchaseAt }: Customer,
  { item }: Extract<StoredEvent, { type: 'sale' }>,
): boolean => leadState === undefined && firstRecordedAt === item.occurredAt;
