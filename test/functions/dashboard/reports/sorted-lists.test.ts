import { addedByBrand, manyPartners } from '#test/support/programs/partners.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OwnedBrand, ownedBrand, withProgramTerms } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { clicked, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Lists of partners and links with the figures of a period, sorted by one of them. NOW is 2026-11-20.

const world = openedWorld();

const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const EARLIER = new Date('2026-11-05T10:00:00.000Z');

/** Another partner of the program with its first link, both created after the others. */
async function added(own: OwnedBrand, name: string, minutes: number): Promise<OwnedBrand> {
  const options = { at: minutesLater(minutes) };
  const { body } = await own.owner.post(`${own.path}/partners`, { name, email: newAddress() }, options);
  const shortLink = body.data.links[0] as string;
  return { ...own, partner: body.data, shortLink, affiliateUrl: `https://${own.program.domain}/?aff=${shortLink}` };
}

/**
 * Ana made a sale on November 5, which was paid out. Ben made three clicks and a sale in euros, Cid two sales, all on
 * November 20. Partners and links were created in alphabetical order.
 */
async function scene() {
  const ana = await ownedBrand(world);
  const [ben, cid] = [await added(ana, 'Ben', 1), await added(ana, 'Cid', 2)];
  const name = (what: string) => `${what}-${ana.program.id}`;
  const { commission_id: earned } = await soldTo(ana, name('a'), { transaction_id: name('a') }, { at: EARLIER });
  await clicked(ben);
  await clicked(ben);
  await soldTo(ben, name('b'), { transaction_id: name('b'), amount_cents: 9900, currency: 'EUR' });
  await soldTo(cid, name('c'), { transaction_id: name('c') });
  await sold(cid, { customer_key: name('c'), transaction_id: name('c2'), amount_cents: 1000 });
  await ana.owner.post(`${ana.path}/commissions/${earned}/approve`);
  await ana.owner.post(`${ana.path}/payouts`, { through: '2026-11-05' });
  await counted(world);
  return { ana, ben, cid };
}

let ana: OwnedBrand;
let ben: OwnedBrand;
let cid: OwnedBrand;
beforeAll(async () => {
  ({ ana, ben, cid } = await scene());
});

/** Each request is in a separate minute because of the rate limit. */
let minute = 10;
const ask = (url: string): Promise<TestReply> => ana.owner.get(`${ana.path}${url}`, { at: minutesLater(++minute) });

const noFigures = { clicks: 0, bot_clicks: 0, repeat_clicks: 0, leads: 0, sales: 0, amounts: {} };
const anasFigures = {
  clicks: 1,
  bot_clicks: 0,
  repeat_clicks: 0,
  leads: 1,
  sales: 1,
  amounts: { USD: { revenue_cents: 4900, commission_cents: 980 } },
};
const bensFigures = {
  clicks: 3,
  bot_clicks: 0,
  repeat_clicks: 0,
  leads: 1,
  sales: 1,
  amounts: { EUR: { revenue_cents: 9900, commission_cents: 1980 } },
};
const cidsFigures = {
  clicks: 1,
  bot_clicks: 0,
  repeat_clicks: 0,
  leads: 1,
  sales: 2,
  amounts: { USD: { revenue_cents: 5900, commission_cents: 1180 } },
};

interface Figures {
  readonly amounts: Readonly<Record<string, object>>;
}

const withPaidOut = <Each extends Figures>(figures: Each, paidOutCents: number | null) => ({
  ...figures,
  amounts: Object.fromEntries(
    Object.entries(figures.amounts).map(([currency, of]) => [currency, { ...of, paid_out_cents: paidOutCents }]),
  ),
});

const partnerRow = (of: OwnedBrand, figures: object, createdAt = NOW) => ({
  id: of.partner.id,
  name: of.partner.name,
  email: of.partner.email,
  status: 'active',
  ...withProgramTerms(of.program),
  links: [of.shortLink],
  payout: null,
  mail: 'ok',
  ...addedByBrand,
  created_at: createdAt.toISOString(),
  ...figures,
});

const linkRow = (of: OwnedBrand, figures: object, createdAt = NOW, lastClickedAt = NOW) => ({
  short_link: of.shortLink,
  url: of.affiliateUrl,
  destination_url: `https://${of.program.domain}/`,
  partner_id: of.partner.id,
  partner_name: of.partner.name,
  status: 'active',
  last_clicked_at: lastClickedAt.toISOString(),
  created_at: createdAt.toISOString(),
  ...figures,
});

describe('partners in a sorted list', () => {
  it('are sorted by figures of all time, which include paid amounts', async () => {
    expect(await ask('/partners?sort=revenue')).toEqual({
      status: 200,
      headers: countedHeaders(300, 1, minutesLater(minute)),
      body: {
        data: [
          partnerRow(cid, withPaidOut(cidsFigures, 0), minutesLater(2)),
          partnerRow(ana, withPaidOut(anasFigures, 980)),
          partnerRow(ben, withPaidOut(bensFigures, 0), minutesLater(1)),
        ],
        meta: { next_cursor: null, sorted_of: 3 },
      },
    });
  });

  it('are listed oldest first for a period without `sort`, and paid_out_cents is null, because it has no daily counts', async () => {
    const { body } = await ask('/partners?from=2026-11-01&to=2026-11-05');
    expect(body).toEqual({
      data: [
        partnerRow(ana, withPaidOut(anasFigures, null)),
        partnerRow(ben, noFigures, minutesLater(1)),
        partnerRow(cid, noFigures, minutesLater(2)),
      ],
      meta: { next_cursor: null },
    });
  });

  it('are sorted by their figures of a period', async () => {
    const { body } = await ask('/partners?from=2026-11-06&to=2026-11-20&sort=clicks');
    expect(body).toEqual({
      data: [
        partnerRow(ben, withPaidOut(bensFigures, null), minutesLater(1)),
        partnerRow(cid, withPaidOut(cidsFigures, null), minutesLater(2)),
        partnerRow(ana, noFigures),
      ],
      meta: { next_cursor: null, sorted_of: 3 },
    });
  });
});

describe('links in a sorted list', () => {
  it('are sorted by figures of all time, with their amounts', async () => {
    expect(await ask('/links?sort=commission')).toEqual({
      status: 200,
      headers: countedHeaders(300, 1, minutesLater(minute)),
      body: {
        data: [
          linkRow(cid, cidsFigures, minutesLater(2)),
          linkRow(ana, anasFigures, NOW, EARLIER),
          linkRow(ben, bensFigures, minutesLater(1)),
        ],
        meta: { next_cursor: null, sorted_of: 3 },
      },
    });
  });

  it('are listed oldest first for a period without `sort`, and show their latest click, even one outside the period', async () => {
    const { body } = await ask('/links?from=2026-11-06');
    expect(body).toEqual({
      data: [
        linkRow(ana, noFigures, NOW, EARLIER),
        linkRow(ben, bensFigures, minutesLater(1)),
        linkRow(cid, cidsFigures, minutesLater(2)),
      ],
      meta: { next_cursor: null },
    });
  });
});

const before = (rank: number | null, figures: object) => {
  const { bot_clicks: _bots, repeat_clicks: _repeats, ...shown } = { ...noFigures, ...figures };
  return { rank, ...shown };
};

describe('a sorted list that is compared with the period before', () => {
  const november = 'from=2026-11-06&to=2026-11-20';

  it('shows each partner’s rank in both periods, and the figures of the equally long period before', async () => {
    const { body } = await ask(`/partners?${november}&sort=clicks&compare=previous`);
    const anas = before(1, withPaidOut(anasFigures, null));
    expect(body).toEqual({
      data: [
        { ...partnerRow(ben, withPaidOut(bensFigures, null), minutesLater(1)), rank: 1, previous: before(null, {}) },
        { ...partnerRow(cid, withPaidOut(cidsFigures, null), minutesLater(2)), rank: 2, previous: before(null, {}) },
        { ...partnerRow(ana, noFigures), rank: null, previous: anas },
      ],
      meta: { next_cursor: null, sorted_of: 3 },
    });
  });

  it('shows each link’s rank in both periods and the former figures, on every page', async () => {
    const { body } = await ask(`/links?${november}&sort=revenue&compare=previous&limit=2`);
    expect(body.data).toEqual([
      { ...linkRow(cid, cidsFigures, minutesLater(2)), rank: 1, previous: before(null, {}) },
      { ...linkRow(ana, noFigures, NOW, EARLIER), rank: null, previous: before(1, anasFigures) },
    ]);
    const cursor = `&cursor=${body.meta.next_cursor}`;
    const next = await ask(`/links?${november}&sort=revenue&compare=previous&limit=2${cursor}`);
    expect(next.body.data).toEqual([
      { ...linkRow(ben, bensFigures, minutesLater(1)), rank: null, previous: before(null, {}) },
    ]);
    const other = await ask(`/links?${november}&sort=revenue&limit=2${cursor}`);
    expect(other.body).toEqual(platformError(400, 'Invalid cursor'));
  });
});

const rows: [string, string][] = [
  ['', 'Ana Ben Cid'],
  ['sort=created', 'Ana Ben Cid'],
  ['sort=clicks', 'Ben Ana Cid'],
  ['sort=leads', 'Ana Ben Cid'],
  ['sort=sales', 'Cid Ana Ben'],
  ['sort=revenue', 'Cid Ana Ben'],
  ['sort=commission', 'Cid Ana Ben'],
  ['sort=revenue&currency=EUR', 'Ben Ana Cid'],
  ['sort=commission&currency=USD', 'Cid Ana Ben'],
  // An installation may no longer accept a currency that partners have sold in.
  ['sort=commission&currency=CHF', 'Ana Ben Cid'],
  ['sort=clicks&to=2026-11-20', 'Ben Ana Cid'],
  ['sort=leads&from=2026-11-20', 'Ben Cid Ana'],
  ['sort=sales&to=2026-11-19', 'Ana Ben Cid'],
  ['sort=revenue&to=2026-11-05', 'Ana Ben Cid'],
  ['sort=commission&from=2026-11-20&to=2026-11-20', 'Cid Ana Ben'],
  ['sort=sales&from=0000-01-01&to=0000-12-31', 'Ana Ben Cid'],
  ['sort=sales&from=9999-12-31&to=9999-12-31', 'Ana Ben Cid'],
];
const lists = [
  ['partners', 'name'],
  ['links', 'partner_name'],
] as const;

describe.each(lists)('the order of the sorted list of %s', (list, field) => {
  it.each(rows)('for the query %j is %s, on one page or on several', async (query, names) => {
    for (const limit of [100, 2, 1]) {
      const pages = await everyPage({ ...ana.owner, get: ask }, `/${list}?limit=${limit}&${query}`);
      expect(pages.flatMap((page) => page.map((each) => each[field])).join(' ')).toBe(names);
      expect(pages.map((page) => page.length)).toEqual(limit === 100 ? [3] : limit === 2 ? [2, 1] : [1, 1, 1]);
    }
  });
});

const invalidSort = (sent: string) =>
  `Invalid sort: ${sent}. Valid: created, clicks, leads, sales, revenue, commission`;

describe.each(['partners', 'links'])('a request for the sorted list of %s is refused with 400', (list) => {
  it.each<[query: string, message: string]>([
    ['sort=weather', invalidSort('weather')],
    ['sort=', invalidSort('')],
    ['currency=usd', 'Invalid currency: usd. Valid: USD, EUR, VND'],
    ['compare=x', 'Invalid compare: x. Valid: previous'],
    ...[
      'compare=previous',
      'compare=previous&sort=sales',
      'compare=previous&sort=sales&from=2026-11-01',
      'compare=previous&sort=sales&to=2026-11-01',
      'compare=previous&sort=created&from=2026-11-01&to=2026-11-02',
      'compare=previous&from=2026-11-01&to=2026-11-02',
    ].map((query): [string, string] => [query, 'compare needs from, to and a sort by a figure']),
    ['sort=x&from=x', 'from must be a date (YYYY-MM-DD)'],
    ['from=x&limit=0', 'limit must be an integer from 1 to 100'],
    ['sort=x&cursor=x', 'Invalid cursor'],
    [
      'sort=x&status=x',
      `Invalid status: x. Valid: active, ${list === 'partners' ? 'removed, invited, applied, rejected, expired' : 'inactive'}`,
    ],
  ])('for the query "%s", with the message “%s”', async (query, message) => {
    const reply = await ask(`/${list}?${query}`);
    expect([reply.status, reply.body]).toEqual([400, platformError(400, message)]);
  });

  it.each(['sort=sales', 'sort=clicks&from=2026-11-01', ''])(
    'for a cursor from a list with sort=clicks, if the request has the query %j',
    async (query) => {
      const { body } = await ask(`/${list}?limit=1&sort=clicks`);
      const url = `/${list}?limit=1&cursor=${body.meta.next_cursor}`;
      expect((await ask(`${url}&sort=clicks`)).status).toBe(200);
      expect((await ask(`${url}&${query}`)).body).toEqual(platformError(400, 'Invalid cursor'));
    },
  );
});

describe('a filter of a sorted list', () => {
  it('removes partners before the others are sorted and counted', async () => {
    const own = await ownedBrand(world);
    const others = [await added(own, 'Ben', 1), await added(own, 'Cid', 2)];
    await clicked(others[1]!);
    await counted(world);
    await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { status: 'removed' });
    const listed = async (status: string) => {
      const { body } = await own.owner.get(`${own.path}/partners?sort=clicks&status=${status}`);
      return [body.data.map(({ name }: { name: string }) => name), body.meta];
    };
    expect(await listed('active')).toEqual([['Cid', 'Ben'], { next_cursor: null, sorted_of: 2 }]);
    expect(await listed('removed')).toEqual([['Ana'], { next_cursor: null, sorted_of: 1 }]);
  });

  it('selects links by partner and by status', async () => {
    const own = await ownedBrand(world);
    const other = await added(own, 'Ben', 1);
    const second = { ...own, shortLink: `second-${own.program.id}` };
    const wanted = { partner_id: own.partner.id, short_link: second.shortLink };
    await own.owner.post(`${own.path}/links`, wanted, { at: minutesLater(2) });
    await clicked({ affiliateUrl: `https://${own.program.domain}/?aff=${second.shortLink}` });
    await counted(world);
    await own.owner.patch(`${own.path}/links/${other.shortLink}`, { status: 'inactive' });
    const listed = async (query: string) => {
      const { body } = await own.owner.get(`${own.path}/links?sort=clicks&${query}`);
      return [body.data.map(({ short_link: name }: { short_link: string }) => name), body.meta.sorted_of];
    };
    const anas = [second.shortLink, own.shortLink];
    expect(await listed('')).toEqual([[...anas, other.shortLink], 3]);
    expect(await listed(`partner_id=${own.partner.id}`)).toEqual([anas, 2]);
    expect(await listed('status=active')).toEqual([anas, 2]);
    expect(await listed('status=inactive')).toEqual([[other.shortLink], 1]);
    expect(await listed(`status=inactive&partner_id=${own.partner.id}`)).toEqual([[], 0]);
    expect(await listed(`status=active&partner_id=${own.partner.id}`)).toEqual([anas, 2]);
    for (const nobody of ['999999', 'x', '0', '']) expect(await listed(`partner_id=${nobody}`)).toEqual([[], 0]);
  });
});

it('a row that moves up in a sorted list while someone reads the pages is not shown twice', async () => {
  const own = await ownedBrand(world);
  const [second, third] = [await added(own, 'Ben', 1), await added(own, 'Cid', 2)];
  await clicked(own);
  await clicked(own);
  await clicked(second);
  await counted(world);
  const page = async (cursor: string) => (await own.owner.get(`${own.path}/links?limit=1&sort=clicks${cursor}`)).body;
  const first = await page('');
  await clicked(third);
  await clicked(third);
  await counted(world);
  const next = await page(`&cursor=${first.meta.next_cursor}`);
  const last = await page(`&cursor=${next.meta.next_cursor}`);
  expect([first, next, last].map(({ data }) => data[0].partner_name)).toEqual(['Ana', 'Cid', 'Ben']);
  expect(last.meta).toEqual({ next_cursor: null, sorted_of: 3 });
});

/** The calls of a request; three batches are for the caller. */
async function costOf(run: () => Promise<TestReply>) {
  const calls = await sentCalls(async () => expect((await run()).status).toBe(200));
  return {
    queries: calls.filter(({ name }) => name === 'QueryCommand').length,
    batches: calls.filter(({ name }) => name === 'BatchGetCommand').length,
  };
}

describe('a sorted list with many rows', () => {
  it('reads the rows, their counters and the months of a period in batches', async () => {
    const own = await ownedBrand(world);
    await manyPartners(world, own.program.id, 249);
    const cost = (query: string) => costOf(() => own.owner.get(`${own.path}/${query}&sort=clicks`));
    // The batches read the counters of 250 rows, then the page's rows: partners, or links and their partners.
    expect(await cost('partners?limit=10')).toEqual({ queries: 1, batches: 3 + 3 + 1 });
    expect(await cost('links?limit=10')).toEqual({ queries: 1, batches: 3 + 3 + 2 });
    const twoMonths = 'from=2026-10-01&to=2026-11-20';
    // The batches also read both months of all rows, then those of the page.
    expect(await cost(`partners?${twoMonths}`)).toEqual({ queries: 1, batches: 3 + 3 + 6 + 2 });
    expect(await cost(`links?${twoMonths}`)).toEqual({ queries: 1, batches: 3 + 3 + 6 + 3 });
    // The batches read the partner, its single link's counter, and the link.
    expect(await cost('links?partner_id=1000000')).toEqual({ queries: 1, batches: 3 + 3 });
    const { body } = await own.owner.get(`${own.path}/links?sort=clicks&limit=1&${twoMonths}`);
    expect(body.data).toMatchObject([{ partner_name: 'P248', clicks: 248 }]);
  });

  it.each(lists)('is read in parts if it is long: %s', async (list, field) => {
    const own = await ownedBrand(world);
    await manyPartners(world, own.program.id, 1_005);
    const url = `${own.path}/${list}?sort=clicks`;
    expect(await costOf(() => own.owner.get(`${url}&limit=1`))).toEqual({
      queries: 2,
      batches: 3 + 11 + (list === 'links' ? 2 : 1),
    });
    for (const filter of ['', '&status=active']) {
      const { body } = await own.owner.get(`${url}&limit=2${filter}`);
      expect(body.data.map((each: Record<string, unknown>) => each[field])).toEqual(['P1004', 'P1003']);
      expect(body.meta.sorted_of).toBe(1_006);
    }
  });

  it.each(lists)(
    'counts rows beyond the first 10,000 but does not sort them: %s',
    { tags: ['deep'], timeout: 120_000 },
    async (list, field) => {
      const own = await ownedBrand(world);
      await manyPartners(world, own.program.id, 10_005);
      const { body } = await own.owner.get(`${own.path}/${list}?sort=clicks&limit=2`);
      expect(body.data.map((each: Record<string, unknown>) => each[field])).toEqual(['P9998', 'P9997']);
      expect(body.meta.sorted_of).toBe(10_006);
    },
  );
});
