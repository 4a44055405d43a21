import { describe, expect, it } from 'vitest';
import { longestWaitMs, retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

const limits = { attempts: 3, withinMs: 60_000, firstPauseMs: 0, longestPauseMs: 0 };
let forgotten = 0;
const deps = { table: { forget: () => (forgotten += 1) } } as never;
const lost = new ConditionFailed(new Map([['item', undefined]]));

it('a change that conflicts with another request is tried again, with new reads, until it succeeds', async () => {
  let attempts = 0;
  const decide = async () => {
    if (++attempts < 3) throw lost;
    return attempts;
  };
  expect(await retryOnConflict(deps, decide, limits)).toBe(3);
  expect(forgotten).toBe(2);
});

it('a change that conflicts with other requests in every attempt is refused with the advice to try again in a second', async () => {
  const reply = retryOnConflict(deps, () => Promise.reject(lost), limits);
  await expect(reply).rejects.toMatchObject({
    kind: 'tooMany',
    cause: lost,
    parts: { code: 'rate_limited', typed: { retry_after_seconds: 1 } },
  });
});

it('a change is tried again if another transaction locks its items', async () => {
  const held = Object.assign(new Error('Held'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  });
  let attempts = 0;
  const decide = async () => {
    if (++attempts === 1) throw held;
    return attempts;
  };
  expect(await retryOnConflict(deps, decide, limits)).toBe(2);
});

it('any other error of a change is thrown without another attempt', async () => {
  const failure = new Error('No table');
  await expect(retryOnConflict(deps, () => Promise.reject(failure), limits)).rejects.toBe(failure);
});

it('no further attempt begins if the time limit for attempts has passed', async () => {
  let attempts = 0;
  const lose = () => {
    attempts += 1;
    return Promise.reject(lost);
  };
  await expect(retryOnConflict(deps, lose, { ...limits, withinMs: -1 })).rejects.toMatchObject({ kind: 'tooMany' });
  expect(attempts).toBe(1);
});

describe('the longest wait between two attempts of a change', () => {
  const waits = { firstPauseMs: 2, longestPauseMs: 500 };
  const after = (tookMs: number) => [1, 2, 3, 4, 5].map((attempt) => longestWaitMs(attempt, tookMs, waits));

  it.each([
    { tookMs: 1, longest: [2, 4, 8, 16, 32] },
    { tookMs: 40, longest: [40, 80, 160, 320, 500] },
    { tookMs: 800, longest: [800, 800, 800, 800, 800] },
  ])(
    'begins at the first attempt’s duration ($tookMs ms), at least 2 ms, and is doubled to at most 500 ms while shorter',
    ({ tookMs, longest }) => {
      expect(after(tookMs)).toEqual(longest);
    },
  );
});
