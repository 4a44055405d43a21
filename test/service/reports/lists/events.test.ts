import { beforeEach, describe, expect, it } from 'vitest';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { createCustomer, logLaterClick } from '#lib/service/traffic/clicks/clicks-items.ts';
import { eventsOf } from '#lib/service/reports/lists/events-items.ts';
import { lastRealEvents } from '#lib/service/reports/figures/integration-items.ts';
import { feedKeys, indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { recordedSince } from '#lib/service/operations/restore/restored-items.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { createTestTable } from '#test/support/table/create-table.ts';

// Tests of clicks listed under several index keys. Earlier versions listed all of them under the first key.

const NOW = new Date('2026-11-20T15:00:00.000Z');
const PROGRAM = 7;
const CLICKS = { types: ['click'], feeds: ['EVENTS'] } as const;
const lists = feedKeys(PROGRAM, 'click', 'EVENTS');
const client = documentClient({ dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT, region: 'us-east-1' });

let name: string;
const open = () => new Table(client, name, NOW);
beforeEach(async () => {
  name = await createTestTable(client);
});

/** The time of a click. Seven clicks share each millisecond. */
const timeOf = (id: number) => new Date(NOW.getTime() + Math.floor(id / 7)).toISOString();
const ofClick = (id: number) => ({
  id,
  clickId: `clk_${id}`,
  programId: PROGRAM,
  partnerId: 1,
  shortLink: 'ana',
  visit: {},
});
const firstClick = (id: number) =>
  createCustomer(open(), { ...ofClick(id), status: 'click', firstClickAt: timeOf(id) });
const laterClick = (id: number) =>
  logLaterClick(open(), { ...ofClick(id), clickId: 'clk_viral', createdAt: timeOf(id) });
/** A click under one index key, for any id. */
const listedUnder = (list: string) => (id: number) =>
  open().put(keys.customer(`clk_${id}`), {
    ...ofClick(id),
    firstClickAt: timeOf(id),
    ...indexKeys.event(PROGRAM, 'click', 'EVENTS', timeOf(id), id),
    gsi1pk: list,
  });
const before = listedUnder(`PROGRAM#${PROGRAM}#EVENTS#click`);

const each = (from: number, to: number, write: (id: number) => Promise<void>) =>
  Promise.all(Array.from({ length: to - from + 1 }, (_, index) => write(from + index)));

/** Positions are compared as strings. */
const newestFirst = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
    .map((id) => ({ id, position: `${timeOf(id)}#${id}` }))
    .toSorted((a, b) => (a.position < b.position ? 1 : -1))
    .map(({ id }) => id);

async function pagesOf(most: number, filter: Parameters<typeof eventsOf>[2] = CLICKS): Promise<number[][]> {
  const pages: number[][] = [];
  let after: string | undefined;
  do {
    const { items, next } = await eventsOf(open(), PROGRAM, filter, { most, after });
    pages.push(items.map(({ item }) => item.id));
    after = next;
  } while (after !== undefined);
  return pages;
}

const rising = (step: number, first = 1) => Array.from({ length: 10_000 }, (_, index) => first + index * step);

const shares = (ids: readonly number[]) => {
  const found = ids.map((id) => indexKeys.event(PROGRAM, 'click', 'EVENTS', timeOf(0), id).gsi1pk);
  return lists.map((list) => found.filter((key) => key === list).length);
};

describe('the index key under which a click of a program is listed', () => {
  it('is one of sixteen; the first of these sixteen is the key that older versions used', () => {
    expect(lists).toHaveLength(16);
    expect(lists.slice(0, 3)).toEqual([
      'PROGRAM#7#EVENTS#click',
      'PROGRAM#7#EVENTS#click#1',
      'PROGRAM#7#EVENTS#click#2',
    ]);
    expect(new Set(lists).size).toBe(16);
  });

  it.each([
    ['consecutive ids', rising(1)],
    ['consecutive ids after a restore', rising(1, 3e10)],
    ['ids of every second, fourth or sixteenth click', [rising(2), rising(4), rising(16)].flat()],
    ['the first ids of many blocks', rising(1_000)],
  ])('is spread about equally over the sixteen keys for %s', (_, ids) => {
    for (const count of shares(ids)) {
      expect(count / (ids.length / 16)).toBeGreaterThan(0.95);
      expect(count / (ids.length / 16)).toBeLessThan(1.05);
    }
  });

  it('is always the same for test clicks, and for events of another type', () => {
    expect(feedKeys(PROGRAM, 'click', 'TEST_EVENTS')).toEqual(['PROGRAM#7#TEST_EVENTS#click']);
    expect(feedKeys(PROGRAM, 'click', 'KEYED_TEST_EVENTS')).toEqual(['PROGRAM#7#KEYED_TEST_EVENTS#click']);
    for (const type of ['lead', 'sale', 'refund'] as const) {
      expect(feedKeys(PROGRAM, type, 'EVENTS')).toEqual([`PROGRAM#7#EVENTS#${type}`]);
      expect(indexKeys.event(PROGRAM, type, 'EVENTS', timeOf(0), 1).gsi1pk).toBe(`PROGRAM#7#EVENTS#${type}`);
    }
  });
});

describe('clicks under the one index key of older versions and under the sixteen keys of this version', () => {
  beforeEach(async () => {
    // The last click before the change and the first after it have the same millisecond.
    await each(1, 24, before);
    await each(25, 45, firstClick);
    await each(46, 60, laterClick);
  });

  it.each([1, 2, 24, 25, 59, 60, 100])('form one list, newest first, in pages of %i', async (most) => {
    const pages = await pagesOf(most);
    expect(pages.flat()).toEqual(newestFirst(1, 60));
    expect(pages.map(({ length }) => length).slice(0, -1)).toEqual(Array(Math.ceil(60 / most) - 1).fill(most));
  });

  it('form one list with leads, newest first, and can be limited to days', async () => {
    await open().put(keys.lead('clk_30'), {
      id: 61,
      ...indexKeys.event(PROGRAM, 'lead', 'EVENTS', timeOf(30), 61),
    });
    const withLead = newestFirst(1, 60);
    // The lead sorts as the newest of its millisecond.
    withLead.splice(withLead.indexOf(34), 0, 61);
    const all = { types: ['click', 'lead', 'sale', 'refund'], feeds: ['EVENTS', 'PROCESSOR_EVENTS'] } as const;
    for (const most of [1, 7]) expect((await pagesOf(most, all)).flat()).toEqual(withLead);
    expect((await pagesOf(7, { ...CLICKS, from: '2026-11-20', to: '2026-11-20' })).flat()).toEqual(newestFirst(1, 60));
    expect(await pagesOf(7, { ...CLICKS, from: '2026-11-21' })).toEqual([[]]);
    expect(await pagesOf(7, { ...CLICKS, to: '2026-11-19' })).toEqual([[]]);
  });

  it('are each found once when a restored table is checked', async () => {
    const found: string[] = [];
    for await (const { pk, sk } of recordedSince(open(), PROGRAM, timeOf(0))) found.push(`${pk} ${sk}`);
    expect(new Set(found).size).toBe(60);
    expect(found).toHaveLength(60);
  });
});

describe('if many clicks have the same index key,', () => {
  it.each([lists[0]!, lists[3]!])(
    'the first page is full, and all pages together contain each click once, with the key %s',
    async (list) => {
      await each(1, 130, listedUnder(list));
      for (const most of [25, 100]) {
        const pages = await pagesOf(most);
        expect(pages.flat()).toEqual(newestFirst(1, 130));
        expect(pages[0]).toHaveLength(most);
      }
    },
  );
});

const latest = async () => (await lastRealEvents(open(), PROGRAM)).click;

describe('the latest click of a program', () => {
  it('is found whether older versions or this one stored the clicks', async () => {
    expect(await latest()).toBeUndefined();
    await before(7);
    expect(await latest()).toBe(timeOf(7));
    for (const id of [14, 21, 28, 35]) {
      await firstClick(id);
      expect(await latest()).toBe(timeOf(id));
    }
  });
});
