import { describe, expect, it } from 'vitest';
import type { Answer, Api, Query } from '#lib/apps/web/api/api.ts';
import { loadWaiting } from '#lib/apps/dashboard/overview/load-waiting.ts';
import { loadBestPartners, rankChange } from '#lib/apps/dashboard/overview/best-partners.ts';
import { loadPerformance } from '#lib/apps/web/report/load-performance.ts';
import { periodBefore, periodText } from '#lib/apps/web/period.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

/** Records the requests, and how many were sent before the first reply. */
function scripted(answerTo: (query: Query) => Answer<unknown>) {
  const asked: Query[] = [];
  const answer = async (_path: string, query: Query = {}) => {
    asked.push(query);
    await Promise.resolve();
    return answerTo(query);
  };
  const api = { answer, get: async (path: string, query?: Query) => (await answer(path, query)).data };
  return { asked, api: api as unknown as Api };
}

const partner = (id: number, euros: number) =>
  ({ id, amounts: { EUR: { revenue_cents: euros } } }) as unknown as Partner;

const november = { from: '2026-11-01', to: '2026-11-30' };
const october = { from: '2026-10-02', to: '2026-10-31' };

describe('the performance that the overview shows for a period', () => {
  const performance = scripted.bind(undefined, ({ from, to }) => ({ data: { from, to, previous: october } }));

  it('is requested in parallel with the performance of the previous period', async () => {
    const { asked, api } = performance();
    const loading = loadPerformance(api, '/programs/1', november);
    expect(asked).toEqual([november, october]);
    expect(await loading).toMatchObject({ now: november, previous: october });
  });

  it.each([
    { from: '2026-11-01', to: undefined },
    { from: '2026-11-02', to: '2026-11-01' },
  ])(
    'is requested first if the period’s dates are incomplete or reversed, because only the service knows the previous period: %j',
    async (period) => {
      const { asked, api } = performance();
      expect(await loadPerformance(api, '/programs/1', period)).toMatchObject({ previous: october });
      expect(asked).toEqual([period, october]);
    },
  );
});

it.each([
  [november, october],
  [
    { from: '2026-03-01', to: '2026-03-01' },
    { from: '2026-02-28', to: '2026-02-28' },
  ],
])('the period that is compared with %j is %j', (period, before) => {
  expect(periodBefore(period)).toEqual(before);
});

it.each([
  [{ period: '30d', from: '', to: '' }, 'last 30 days'],
  [{ period: 'custom', from: '2026-11-01', to: '' }, 'from Nov 1, 2026'],
  [{ period: 'custom', from: '2026-11-01', to: '2026-11-30' }, 'from Nov 1, 2026 to Nov 30, 2026'],
  [{ period: 'no such', from: '', to: '' }, ''],
])('the period chosen as %j is described as “%s”', (chosen, text) => {
  expect(periodText(chosen)).toBe(text);
});

const page = (count: number, next: string | null) => ({
  data: Array.from({ length: count }, (_, n) => partner(n, 0)),
  meta: { next_cursor: next },
});

describe('the number of pending applications in the overview', () => {
  it.each([
    ['no applications', [page(0, null)], undefined],
    ['some applications', [page(3, null)], '3'],
    ['more applications than are counted', [page(25, 'a')], '25+'],
    ['some applications behind many rejected ones', [page(0, 'a'), page(2, null)], '2'],
    ['no applications in a list of many pages', Array(5).fill(page(0, 'a')), undefined],
  ])('is shown for %s', async (_, pages, count) => {
    const left = [...pages];
    const { asked, api } = scripted(() => left.shift()!);
    expect(await loadWaiting(api, '/programs/1/partners', 'applied')).toBe(count);
    expect(left).toEqual([]);
    expect(asked[0]).toEqual({ status: 'applied', limit: 25 });
  });
});

describe('the list of best partners in the overview', () => {
  const wanted = { period: november, currency: 'EUR' };

  it('is ranked by the service, in the currency of the page, and compared with the period before', async () => {
    const { asked, api } = scripted(() => ({
      data: [partner(1, 0), partner(2, 0)],
      meta: { next_cursor: 'x', sorted_of: 10_000 },
    }));
    expect(await loadBestPartners(api, '/programs/1', wanted)).toEqual({
      partners: [partner(1, 0), partner(2, 0)],
      currency: 'EUR',
    });
    expect(asked).toEqual([{ ...november, sort: 'revenue', currency: 'EUR', compare: 'previous', limit: 10 }]);
  });

  it('is not compared with the previous period if the chosen period has no first or last day', async () => {
    const { asked, api } = scripted(() => ({ data: [], meta: { next_cursor: null, sorted_of: 0 } }));
    await loadBestPartners(api, '/programs/1', { ...wanted, period: { from: '2026-11-01' } });
    expect(asked).toMatchObject([{ from: '2026-11-01', to: undefined, compare: undefined }]);
  });

  it('contains ten partners, without people who were invited and never accepted', async () => {
    const invited = { ...partner(1, 0), status: 'invited', joined_at: null };
    const left = [
      [invited, partner(2, 0)],
      [invited, ...Array.from({ length: 11 }, (_, n) => partner(n + 2, 0))],
    ];
    const { asked, api } = scripted(() => ({ data: left.shift()!, meta: { next_cursor: 'x', sorted_of: 20 } }));
    const { partners } = await loadBestPartners(api, '/programs/1', wanted);
    expect(partners.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(asked.map(({ limit }) => limit)).toEqual([10, 100]);
  });

  it('contains partners whom the brand added, even if they never accepted', async () => {
    const added = { ...partner(1, 0), status: 'active', joined_at: null };
    const removed = { ...partner(2, 0), status: 'removed', joined_at: null };
    const { asked, api } = scripted(() => ({ data: [added, removed], meta: { next_cursor: 'x', sorted_of: 20 } }));
    const { partners } = await loadBestPartners(api, '/programs/1', wanted);
    expect(partners).toEqual([added, removed]);
    expect(asked.map(({ limit }) => limit)).toEqual([10]);
  });

  it('says, if the program has more than 10,000 partners, that only those are ranked', async () => {
    const { api } = scripted(() => ({ data: [partner(1, 0)], meta: { next_cursor: 'x', sorted_of: 10_001 } }));
    expect(await loadBestPartners(api, '/programs/1', wanted)).toMatchObject({
      note: 'The best of your first 10,000 partners.',
    });
  });

  it.each([
    [1, 3, 'up 2'],
    [3, 2, 'down 1'],
    [2, 2, ''],
    [2, null, 'new'],
    [null, 2, ''],
  ])('shows, for rank %s now and %s before, the change as “%s”', (rank, before, change) => {
    const previous = { rank: before, clicks: 0, leads: 0, sales: 0, amounts: {} };
    expect(rankChange({ rank, previous })).toBe(change);
    expect(rankChange({ rank, previous: undefined })).toBe('');
  });
});
