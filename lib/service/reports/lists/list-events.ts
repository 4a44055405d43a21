import { type ClickQuality, qualityOf } from '#lib/service/traffic/clicks/click-quality.ts';
import { type Customer, partnerOfClick } from '#lib/service/traffic/customers/customer.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import type { LaterClick } from '#lib/service/traffic/clicks/clicks-items.ts';
import { eventsOf, type StoredEvent } from '#lib/service/reports/lists/events-items.ts';
import type { EventType } from '#lib/service/ground/table/keys.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import type { StoredRefund } from '#lib/service/conversions/refunds/refunds-items.ts';
import type { TestEvent } from '#lib/service/reports/trial/test-events-items.ts';

export const eventTypes = ['click', 'lead', 'sale', 'refund'] as const satisfies readonly EventType[];

export interface EventQuery {
  /** The type of events to list; undefined means all types. */
  readonly type?: EventType;
  readonly from?: Day;
  readonly to?: Day;
  readonly withTests: boolean;
  /** The partner to whom an event is credited, and the link through which the customer came. */
  readonly partnerId?: number;
  readonly shortLink?: string;
}

type ReadDeps = Pick<Deps, 'table'>;

/** Fields of every event. */
interface Facts {
  readonly id: number;
  readonly createdAt: string;
  readonly isTest: boolean;
  /** Whether the event was sent with the program key. */
  readonly isKeyed: boolean;
  readonly clickId?: string;
  readonly customerKey?: string;
  readonly partnerId?: number;
  /** The link of the click, or of the customer's first click. */
  readonly shortLink?: string;
}

type Details =
  | {
      readonly type: 'click';
      readonly pageUrl?: string;
      readonly referrerUrl?: string;
      /** Whether the click created the customer. */
      readonly isFirst: boolean;
      readonly quality: ClickQuality;
    }
  | {
      readonly type: 'lead';
      readonly state?: Lead['state'];
      readonly mode: Lead['mode'];
      readonly eventName?: string;
      readonly emailMasked?: string;
    }
  | { readonly type: 'sale'; readonly sale: Sale }
  | { readonly type: 'refund'; readonly refund: StoredRefund };

/** One row of a program's tracking log. */
export type ListedEvent = Facts & Details & { readonly partner?: Partner };

const realFeeds = ['EVENTS', 'PROCESSOR_EVENTS'] as const;
const testFeeds = ['TEST_EVENTS', 'KEYED_TEST_EVENTS'] as const;

/**
 * Events of a program, newest first. With a filter by partner or link, each page searches only a limited number of the
 * program's events, so it may be short.
 */
export async function listEvents(
  deps: Deps,
  programId: number,
  { type, withTests, partnerId, shortLink, ...range }: EventQuery,
  page: PageRequest,
): Promise<Page<ListedEvent>> {
  const filter = {
    ...range,
    types: type ? [type] : eventTypes,
    feeds: withTests ? [...realFeeds, ...testFeeds] : realFeeds,
  };
  const isWanted = (event: Facts) =>
    (partnerId === undefined || event.partnerId === partnerId) &&
    (shortLink === undefined || event.shortLink === shortLink);
  const read = async (part: PageRequest) => {
    const { items, next } = await eventsOf(deps.table, programId, filter, part);
    const placed = items.map((event) => ({ position: event.position, item: listed(event) }));
    return { items: placed.filter(({ item }) => isWanted(item)), next };
  };
  const isOfAll = partnerId === undefined && shortLink === undefined;
  const { items, next } = isOfAll ? withoutPlaces(await read(page)) : await keptPage(page, read);
  return { items: await Promise.all(items.map((event) => withNames(deps, programId, event))), next };
}

const withoutPlaces = <Item>({ items, next }: Page<{ readonly item: Item }>): Page<Item> => ({
  items: items.map(({ item }) => item),
  next,
});

/** Converts an event to the form in which it is listed. */
export const listedEvent = (deps: ReadDeps, programId: number, event: StoredEvent): Promise<ListedEvent> =>
  withNames(deps, programId, listed(event));

/** Adds the partner's name and the customer's current key. */
async function withNames(deps: ReadDeps, programId: number, event: Facts & Details): Promise<ListedEvent> {
  const { table } = deps;
  const [partner, customer] = await Promise.all([
    event.partnerId === undefined ? undefined : findPartner(table, programId, event.partnerId),
    event.isTest ? undefined : findCustomer(table, event.clickId),
  ]);
  return { ...event, partner, customerKey: event.customerKey ?? customer?.customerKey };
}

function listed(event: StoredEvent): Facts & Details {
  if (event.type === 'click') return 'fields' in event.item ? testClick(event.item) : click(event.item);
  if (event.type === 'lead') return 'fields' in event.item ? testLead(event.item) : lead(event.item);
  return event.type === 'sale' ? sale(event.item) : refund(event.item);
}

function click(item: (Customer | LaterClick) & { readonly isTest?: boolean }): Facts & Details {
  const isFirst = 'firstClickAt' in item;
  return {
    type: 'click',
    id: item.id,
    createdAt: isFirst ? item.firstClickAt : item.createdAt,
    isTest: item.isTest ?? false,
    isKeyed: false,
    clickId: item.clickId,
    partnerId: isFirst ? partnerOfClick(item) : item.partnerId,
    shortLink: item.shortLink,
    pageUrl: item.visit.pageUrl,
    referrerUrl: item.visit.referrerUrl,
    isFirst,
    quality: qualityOf(item),
  };
}

function lead(item: Lead & { readonly isTest?: boolean }): Facts & Details {
  return {
    type: 'lead',
    id: item.id,
    createdAt: item.createdAt,
    isTest: item.isTest ?? false,
    isKeyed: !item.isTest && item.mode === 'server',
    clickId: item.clickId,
    partnerId: item.partnerId,
    shortLink: item.shortLink,
    state: item.state,
    mode: item.mode,
    eventName: item.eventName,
    emailMasked: item.email?.masked,
  };
}

const sale = (item: Sale): Facts & Details => ({
  type: 'sale',
  id: item.id,
  createdAt: item.createdAt,
  isTest: item.isTest ?? false,
  isKeyed: item.isTest ? (item.keyed ?? false) : item.source === 'api',
  clickId: item.attribution?.clickId ?? item.claimed?.clickId,
  customerKey: item.attribution?.customerKey ?? item.claimed?.customerKey,
  partnerId: item.attribution?.partnerId,
  shortLink: item.attribution?.shortLink,
  sale: item,
});

const refund = (item: StoredRefund): Facts & Details => ({
  type: 'refund',
  id: item.id,
  createdAt: item.createdAt,
  isTest: item.isTest ?? false,
  isKeyed: item.source !== 'processor',
  clickId: item.clickId,
  partnerId: item.partnerId,
  shortLink: item.shortLink,
  refund: item,
});

/** The data of a test event. Its ids are shown as they were sent, because they were not looked up. */
const testFacts = ({ id, createdAt, keyed, fields }: TestEvent): Facts => ({
  id,
  createdAt,
  isTest: true,
  isKeyed: keyed,
  clickId: text(fields.clickId),
  customerKey: text(fields.customerKey),
});

const testClick = (event: TestEvent): Facts & Details => ({
  ...testFacts(event),
  type: 'click',
  pageUrl: text(event.fields.pageUrl),
  referrerUrl: text(event.fields.referrerUrl),
  isFirst: false,
  quality: 'ok',
});

const testLead = (event: TestEvent): Facts & Details => ({
  ...testFacts(event),
  type: 'lead',
  mode: event.keyed ? 'server' : 'browser',
  eventName: text(event.fields.eventName),
});

/** Returns a stored text; undefined if it is empty. Empty texts are stored as they were sent. */
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
