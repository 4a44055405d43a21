import { beforeAll, describe, expect, it } from 'vitest';
import { newCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { withShortPages } from '#test/support/table/faults.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { refusedReply } from '#test/support/callers/replies.ts';
import { termsOf } from '#test/support/payments/terms.ts';

// Tests of lists and CSV files of commissions, filtered by currency and by day of recording.

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05'];
const A_DAY = 60;
const RARE = 1_234;

const world = openedWorld();
let own: OwnedBrand;
/** Ids by day, newest first. */
let idsOf: Record<string, number[]>;

/** Sixty commissions a day, from its first to its last millisecond, without their sales; the payments were earlier. */
beforeAll(async () => {
  own = await ownedBrand(world);
  const terms = termsOf({ holdPeriodDays: 90 });
  idsOf = Object.fromEntries(DAYS.map((day) => [day, []]));
  const writes = DAYS.flatMap((day, nth) =>
    Array.from({ length: A_DAY }, (_, n) => {
      const [first, last] = [Date.parse(`${day}T00:00:00.000Z`), Date.parse(`${day}T23:59:59.999Z`)];
      const createdAt = new Date(n === A_DAY - 1 ? last : first + n).toISOString();
      const id = 1_000 + nth * A_DAY + n;
      idsOf[day]!.unshift(id);
      const ids = { id, saleId: id, programId: own.program.id, clickId: `clk_${'0'.repeat(26)}` };
      const transactionId = `sale_${id}`;
      const partnerId = nth === 0 && n < 2 ? RARE : own.partner.id;
      const sale = { ...ids, partnerId, transactionId, occurredAt: '2026-10-01T00:00:00.000Z', createdAt } as const;
      const currency: Currency = n === 7 ? 'EUR' : 'USD';
      const payment = { amountCents: 1000, currency, isRecurring: false, paidAt: NOW };
      return commissionWrites(newCommission({ ...sale, actor: 'api' }, terms, payment));
    }).flat(),
  );
  const { table } = world.deps();
  for (let at = 0; at < writes.length; at += 100) await table.transact(writes.slice(at, at + 100));
});

/** Each request is in a separate minute because of the rate limit. */
let minute = 0;
const ask = (query: string): Promise<TestReply> =>
  own.owner.get(`${own.path}/commissions${query}`, { at: new Date(NOW.getTime() + ++minute * 60_000) });

const listed = async (query: string): Promise<number[]> =>
  (await everyPage(own.owner, `${own.path}/commissions?limit=100&${query}`)).flat().map(({ id }) => Number(id));
const exported = async (query: string): Promise<number[]> => {
  const lines = String((await ask(`.csv?${query}`)).body).split('\r\n');
  return lines.slice(1, -1).map((line) => Number(line.split(',')[0]));
};

const of = (...days: string[]) => days.toReversed().flatMap((day) => idsOf[day]!);
const eighths = () => of(...DAYS).filter((id) => (id - 1_000) % A_DAY === 7);

const cases: [string, () => number[]][] = [
  ['', () => of(...DAYS)],
  ['from=2026-11-03', () => of(...DAYS.slice(2))],
  ['to=2026-11-03', () => of(...DAYS.slice(0, 3))],
  ['from=2026-11-02&to=2026-11-04', () => of(...DAYS.slice(1, 4))],
  ['from=2026-11-03&to=2026-11-03', () => of(DAYS[2]!)],
  ['from=2026-11-06', () => []],
  ['to=2026-10-31', () => []],
  ['from=0000-01-01&to=9999-12-31', () => of(...DAYS)],
  ['currency=EUR', eighths],
  ['currency=VND', () => []],
  ['currency=EUR&from=2026-11-05', () => eighths().slice(0, 1)],
  ['status=pending&from=2026-11-05', () => of(DAYS[4]!)],
  ['status=pending&currency=EUR&to=2026-11-01', () => eighths().slice(-1)],
  ['status=paid&to=2026-11-01', () => []],
  [`partner_id=${RARE}&to=2026-11-02`, () => [1_001, 1_000]],
  [`partner_id=${RARE}&from=2026-11-02`, () => []],
];

describe('GET commissions with filters answers 200', () => {
  it.each(cases)('and with the query "%s" lists exactly the matching commissions', async (query, expected) => {
    expect(await listed(query)).toEqual(expected());
    expect(await exported(query)).toEqual(expected());
  });

  it.each(['from=2026-11-02&to=2026-11-04', 'from=2026-11-02&to=2026-11-04&status=pending'])(
    'and lists each commission once, with pages of any size, for the query "%s"',
    async (query) => {
      for (const limit of [7, 59, 60]) {
        const pages = await everyPage(own.owner, `${own.path}/commissions?limit=${limit}&${query}`);
        expect(pages.flat().map(({ id }) => id)).toEqual(of(...DAYS.slice(1, 4)));
        expect(pages).toHaveLength(Math.ceil(180 / limit));
      }
    },
  );

  it('and lists all commissions even if a query of the index returns fewer rows than its limit', async () => {
    const query = 'from=2026-11-02&to=2026-11-03';
    expect(await withShortPages(() => listed(query))).toEqual(of(...DAYS.slice(1, 3)));
    expect(await withShortPages(() => exported(query))).toEqual(of(...DAYS.slice(1, 3)));
  });

  it('and continues after the last row of the previous page even if that row no longer matches the filter', async () => {
    const query = 'status=pending&from=2026-11-01&to=2026-11-01&limit=2';
    const { data, meta } = (await ask(`?${query}`)).body;
    await own.owner.post(`${own.path}/commissions/${data[1].id}/reject`, { reason: 'Fraud' });
    const next = await ask(`?${query}&cursor=${meta.next_cursor}`);
    expect(next.body.data.map(({ id }: { id: number }) => id)).toEqual(of(DAYS[0]!).slice(2, 4));
  });
});

const unitsFor = async (query: string) => unitsOf(await sentCalls(() => ask(`?${query}`))).read;

describe('a request for one page of commissions', () => {
  /** Read units of each request: the caller, the program and the rate-limit count. */
  const ASKING = 6;

  it('uses at most as many read units in the middle of the list as at its newest end', async () => {
    const newest = await unitsFor('limit=10');
    expect(newest).toBeLessThanOrEqual(10 + 1 + 2 + ASKING);
    expect(await unitsFor('limit=10&from=2026-11-02&to=2026-11-02')).toBeLessThanOrEqual(newest);
    expect(await unitsFor('limit=10&to=2026-11-02')).toBeLessThanOrEqual(newest);
  });

  it('reads only the commissions of the requested days, even if another filter excludes all of them', async () => {
    // At most the day's sixty rows and their keys; without the lower bound there would be 240 rows.
    const units = await unitsFor(`partner_id=${RARE}&from=2026-11-04&to=2026-11-04`);
    expect(units).toBeLessThanOrEqual(A_DAY + 6 + ASKING);
  });

  it('uses at most as many read units for the next page as for the first one', async () => {
    const query = 'limit=10&from=2026-11-02&to=2026-11-04';
    const { meta } = (await ask(`?${query}`)).body;
    expect(await unitsFor(`${query}&cursor=${meta.next_cursor}`)).toBeLessThanOrEqual(await unitsFor(query));
  });
});

describe('GET commissions with filters answers 400', () => {
  it.each([
    ['currency=GBP', 'Invalid currency: GBP. Valid: USD, EUR, VND'],
    [
      'status=open&currency=GBP&from=x',
      'Invalid status: open. Valid: held, pending, approved, paid, rejected, reversed',
    ],
    ['currency=GBP&from=x', 'Invalid currency: GBP. Valid: USD, EUR, VND'],
  ])('to the query ?%s, with the message “%s”', async (query, message) => {
    for (const list of ['?', '.csv?']) {
      expect(await ask(list + query)).toEqual(refusedReply(400, message, 1, new Date(NOW.getTime() + minute * 60_000)));
    }
  });

  it('to a cursor from a list with another range of days or another currency', async () => {
    const query = 'limit=1&from=2026-11-02&to=2026-11-04&currency=USD';
    const { next_cursor: cursor } = (await ask(`?${query}`)).body.meta;
    expect((await ask(`?${query}&cursor=${cursor}`)).status).toBe(200);
    for (const other of [
      query.replace('-02', '-03'),
      query.replace('to=2026-11-04', 'to=2026-11-05'),
      query.replace('USD', 'EUR'),
      'limit=1',
    ]) {
      expect((await ask(`?${other}&cursor=${cursor}`)).body).toEqual(platformError(400, 'Invalid cursor'));
    }
  });
});
