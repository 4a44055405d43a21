import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#lib/apps/web/api/api-error.ts';
import type { Answer, Api, Query } from '#lib/apps/web/api/api.ts';
import { gatherRows } from '#lib/apps/web/api/gather-rows.ts';
import { patiently } from '#lib/apps/web/api/patiently.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A list of the numbers from 0 whose cursor is the next number. */
function listOf(length: number, pageLength = 100) {
  const asked: Query[] = [];
  const answer = async (_path: string, query: Query = {}): Promise<Answer<never>> => {
    asked.push(query);
    const from = Number(query.cursor ?? 0);
    const to = Math.min(length, from + pageLength);
    const data = Array.from({ length: to - from }, (_, index) => from + index);
    return { data: data as never, meta: { next_cursor: to < length ? String(to) : null } };
  };
  return { asked, api: { answer } as Pick<Api, 'answer'> };
}

function task() {
  const counts: number[] = [];
  const controller = new AbortController();
  return { counts, controller, onCount: (count: number) => counts.push(count), signal: controller.signal };
}

it('for an export, all pages of a list are loaded with the same filters, and the progress is counted', async () => {
  const { api, asked } = listOf(250);
  const { counts, ...given } = task();
  const { rows, isWhole } = await gatherRows<number>(api, '/links', { status: 'active' }, given);
  expect([rows.length, rows.at(-1), isWhole, counts]).toEqual([250, 249, true, [100, 200, 250]]);
  expect(asked).toEqual([
    { status: 'active', limit: 100, cursor: undefined },
    { status: 'active', limit: 100, cursor: '100' },
    { status: 'active', limit: 100, cursor: '200' },
  ]);
});

it.each([
  [9_999, 9_999, true],
  [10_000, 10_000, true],
  [10_001, 10_000, false],
])('the export of a list with %i rows contains %i rows', async (length, taken, isWhole) => {
  const found = await gatherRows(listOf(length, 97).api, '/links', {}, task());
  expect([found.rows.length, found.isWhole]).toEqual([taken, isWhole]);
});

it('the export of a list stops when the page is closed', async () => {
  const { api, asked } = listOf(1_000);
  const { controller, ...given } = task();
  const found = await gatherRows(api, '/links', {}, { ...given, onCount: () => controller.abort() });
  expect([found.rows.length, found.isWhole, asked.length]).toEqual([100, false, 1]);
});

const tooMany = () => new ApiError('Too many requests.', { status: 429, retryAfterSeconds: 17 });

it('after a 429 reply, the export of a list waits as long as the reply says, and then tries again', async () => {
  const calls = [tooMany(), tooMany(), undefined];
  const done = patiently(async () => {
    const error = calls.shift();
    if (error) throw error;
    return 'done';
  }, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(33_999);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect([await done, calls.length]).toEqual(['done', 0]);
});

it('the export of a list fails at once after an error other than 429, or if the page is closed while it waits', async () => {
  const controller = new AbortController();
  const failing = (error: ApiError) => patiently(() => Promise.reject(error), controller.signal);
  await expect(failing(new ApiError('Request failed', { status: 500 }))).rejects.toThrow('Request failed');
  const waiting = failing(tooMany()).catch(String);
  await vi.advanceTimersByTimeAsync(1_000);
  controller.abort();
  expect(await waiting).toBe('Error: Too many requests.');
  await expect(failing(tooMany())).rejects.toThrow('Too many requests.');
});
