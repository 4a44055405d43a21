import { expect, it } from 'vitest';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

const limits = { attempts: 3, firstPauseMs: 0, longestPauseMs: 0 };
let forgotten = 0;
const deps = { table: { forget: () => (forgotten += 1) } } as never;
const lost = new ConditionFailed(new Map([['item', undefined]]));

it('decides again on what the winner left', async () => {
  let attempts = 0;
  const decide = async () => {
    if (++attempts < 3) throw lost;
    return attempts;
  };
  expect(await retryOnConflict(deps, decide, limits)).toBe(3);
  expect(forgotten).toBe(2);
});

it('asks to come again when others are faster every time', async () => {
  const reply = retryOnConflict(deps, () => Promise.reject(lost), limits);
  await expect(reply).rejects.toMatchObject({
    kind: 'tooMany',
    cause: lost,
    parts: { code: 'rate_limited', typed: { retry_after_seconds: 1 } },
  });
});

it('decides again when another transaction held what it writes', async () => {
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

it('leaves any other failure as it is', async () => {
  const failure = new Error('No table');
  await expect(retryOnConflict(deps, () => Promise.reject(failure), limits)).rejects.toBe(failure);
});
