import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { createCustomer } from '#lib/service/traffic/clicks/clicks-items.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { withShortPages } from '#test/support/table/faults.ts';
import { anotherPartner, clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of the events of a partner, and of a link.

let own: OwnedBrand;
let ben: OwnedBrand;
let secondLink: string;

/**
 * Ana's customer buys, refunds, and returns through Ben's link; Ben's customer buys; Ana's second link gets a click.
 */
const world = openedWorld();
beforeAll(async () => {
  own = await ownedBrand(world);
  ben = { ...own, ...(await anotherPartner(world, own, 'Ben')) };
  secondLink = `second-${own.program.id}`;
  await own.owner.post(`${own.path}/links`, { partner_id: own.partner.id, short_link: secondLink });
  const ofAna = await clicked(own);
  await clicked(ben);
  await soldTo(own, 'anas', { transaction_id: 'anas' });
  await refunded(own, { transaction_id: 'anas', refund_amount_cents: 100 });
  await soldTo(ben, 'bens', { transaction_id: 'bens' });
  await send(click, { body: { affiliate_url: ben.affiliateUrl, existing_click_id: ofAna } });
  await send(click, { body: { affiliate_url: `https://${own.program.domain}/?aff=${secondLink}` } });
  await send(click, { body: { affiliate_url: own.affiliateUrl, additional_data: { test_mode: true } } });
});

/** Each request is in a separate minute because of the rate limit. */
let minute = 0;
const ask = (query: string): Promise<TestReply> =>
  own.owner.get(`${own.path}/events?${query}`, { at: new Date(NOW.getTime() + ++minute * 60_000) });

interface Row {
  readonly id: number;
  readonly type: string;
  readonly partner_id: number | null;
  readonly short_link?: string;
}
const rows = async (query: string): Promise<Row[]> => (await ask(`limit=100&${query}`)).body.data;
/** The number of events per type. */
const countsOf = async (query: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { type } of await rows(query)) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

describe('GET events with filters answers 200', () => {
  it('and lists the events credited to a partner, each with the same row as in the full list', async () => {
    const all = await rows('');
    for (const { id } of [own.partner, ben.partner]) {
      expect(await rows(`partner_id=${id}`)).toEqual(all.filter(({ partner_id }) => partner_id === id));
    }
    expect(await countsOf(`partner_id=${own.partner.id}`)).toEqual({ click: 3, lead: 1, sale: 1, refund: 1 });
    expect(await countsOf(`partner_id=${ben.partner.id}`)).toEqual({ click: 3, lead: 1, sale: 1 });
  });

  it('and lists a link’s clicks and the later events of customers whose first click was on that link', async () => {
    expect(await countsOf(`short_link=${own.shortLink}`)).toEqual({ click: 2, lead: 1, sale: 1, refund: 1 });
    expect(await countsOf(`short_link=${ben.shortLink}`)).toEqual({ click: 3, lead: 1, sale: 1 });
    expect(await countsOf(`short_link=${secondLink}`)).toEqual({ click: 1 });
  });

  it('and combines the partner and link filters with the other filters', async () => {
    expect(await countsOf(`partner_id=${own.partner.id}&type=click`)).toEqual({ click: 3 });
    expect(await countsOf(`partner_id=${own.partner.id}&short_link=${secondLink}`)).toEqual({ click: 1 });
    expect(await rows(`partner_id=${ben.partner.id}&short_link=${secondLink}`)).toEqual([]);
    expect(await rows(`partner_id=${own.partner.id}&to=2026-11-19`)).toEqual([]);
    expect(await countsOf(`short_link=${secondLink}&from=2026-11-20&to=2026-11-20`)).toEqual({ click: 1 });
    // A test event has no link, because none is looked up.
    expect(await countsOf(`short_link=${own.shortLink}&include_test=1`)).toMatchObject({ click: 2 });
  });

  it.each(['partner_id=999999', 'partner_id=0', 'partner_id=x', 'partner_id=', 'short_link=nobody', 'short_link='])(
    'and lists nothing for the unknown %s',
    async (query) => {
      expect((await ask(query)).body).toEqual({ data: [], meta: { next_cursor: null } });
    },
  );

  it('and lists nothing for a partner or link of another program', async () => {
    const other = await ownedBrand(world);
    await clicked(other);
    expect(await rows(`partner_id=${other.partner.id}`)).toEqual([]);
    expect(await rows(`short_link=${other.shortLink}`)).toEqual([]);
  });

  it('and lists each event once over all pages', async () => {
    for (const query of [`partner_id=${own.partner.id}`, `short_link=${own.shortLink}`]) {
      const whole = await rows(query);
      const pages = async () => (await everyPage(own.owner, `${own.path}/events?limit=2&${query}`)).flat();
      expect(await pages()).toEqual(whole);
      expect(await withShortPages(pages)).toEqual(whole);
    }
  });
});

describe('GET events of a partner who has few of the program’s many events', () => {
  it('reads only a bounded number of items for each page', async () => {
    const busy = await ownedBrand(world);
    const rare = await anotherPartner(world, busy, 'Rare');
    const clickAt = (n: number, partnerId: number, shortLink: string) =>
      createCustomer(world.deps().table, {
        id: 1_000_000 + n,
        clickId: `clk_${String(n).padStart(26, '0')}`,
        programId: busy.program.id,
        partnerId,
        shortLink,
        status: 'click',
        firstClickAt: new Date(NOW.getTime() + n).toISOString(),
        visit: {},
      });
    const COUNT = 1_000;
    await Promise.all(
      Array.from({ length: COUNT }, (_, n) =>
        n < 3 ? clickAt(n, rare.partner.id, rare.shortLink) : clickAt(n, busy.partner.id, busy.shortLink),
      ),
    );
    for (const filter of [`partner_id=${rare.partner.id}`, `short_link=${rare.shortLink}`]) {
      const found: number[] = [];
      let requests = 0;
      for (let cursor: string | null = ''; cursor !== null; requests++) {
        const replies: TestReply[] = [];
        const url = `${busy.path}/events?${filter}${cursor && `&cursor=${cursor}`}`;
        const calls = await sentCalls(async () => replies.push(await busy.owner.get(url)));
        // Read units of the request (26), of four times a hundred clicks, and of five times the minimum of 23 lists.
        expect(unitsOf(calls).read).toBeLessThanOrEqual(426 + 5 * 23 + 20);
        const { data, meta } = replies[0]!.body;
        found.push(...data.map(({ id }: Row) => id));
        cursor = meta.next_cursor;
      }
      expect(found).toEqual([1_000_002, 1_000_001, 1_000_000]);
      expect(requests).toBe(Math.ceil(COUNT / 426));
    }
  });
});

it('GET events answers 400 “Invalid cursor” to a cursor from the list of another partner or link', async () => {
  const { next_cursor: cursor } = (await ask(`limit=1&partner_id=${own.partner.id}`)).body.meta;
  for (const other of ['', `&partner_id=${ben.partner.id}`, `&partner_id=${own.partner.id}&short_link=x`]) {
    expect((await ask(`limit=1${other}&cursor=${cursor}`)).body).toEqual(platformError(400, 'Invalid cursor'));
  }
});
