import { expect, it } from 'vitest';
import { type Progress as BulkProgress, runAll, withRefused } from '#lib/apps/dashboard/bulk/run-all.ts';
import { type Decision, isDecided, mayBeDecided, totalText } from '#lib/apps/dashboard/commissions/decide-all.ts';
import type { DecidedCommission } from '#lib/wire/earnings/commission.ts';

type Progress = BulkProgress<DecidedCommission>;

const begun = (of: readonly number[]): Progress => ({ done: 0, refused: [], left: of });
const doneBy = (decision: Decision) => (one: DecidedCommission) => isDecided(decision, one);
const openTo = (decision: Decision) => (one: DecidedCommission) => mayBeDecided(decision, one);

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

interface Played {
  readonly answers?: Readonly<Record<number, Partial<DecidedCommission>>>;
  readonly failsAt?: number;
  readonly stopsAt?: number;
}

/** Approves, and records requests and results. */
async function approveAll(from: Progress, { answers = {}, failsAt, stopsAt }: Played = {}) {
  const sent: number[] = [];
  const said: Progress[] = [];
  const controller = new AbortController();
  const failure = await runAll(from, {
    isDone: doneBy('approve'),
    signal: controller.signal,
    onProgress: (progress) => said.push(progress),
    send: async (chunk) => {
      sent.push(chunk.length);
      if (sent.length === failsAt) throw new Error('gone');
      if (sent.length === stopsAt) controller.abort();
      return chunk.map((id) => ({ id, status: 'approved', error: null, ...answers[id] }));
    },
  }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { sent, said, failure, last: said.at(-1) };
}

it('a decision on many commissions is sent in requests of 100, and the progress is shown after each', async () => {
  const { sent, said, failure } = await approveAll(begun(ids(250)));
  expect([sent, failure]).toEqual([[100, 100, 50], undefined]);
  expect(said.map(({ done, left }) => [done, left.length])).toEqual([
    [100, 150],
    [200, 50],
    [250, 0],
  ]);
});

it('a decision on many commissions collects those that the service refused, with the reasons', async () => {
  const refused = { id: 120, status: 'rejected', error: 'Cannot approve' } as const;
  const { last } = await approveAll(begun(ids(130)), { answers: { 120: refused } });
  expect(last).toEqual({ done: 129, refused: [refused], left: [] });
});

it('a decision on many commissions can be continued after a failed request with the commissions not decided yet', async () => {
  const { failure, last } = await approveAll(begun(ids(250)), { failsAt: 2 });
  expect([failure, last?.done, last?.left.length, last?.left[0]]).toEqual(['gone', 100, 150, 101]);
  const rest = await approveAll(withRefused(last!, openTo('approve')));
  expect([rest.sent, rest.last]).toEqual([[100, 50], { done: 250, refused: [], left: [] }]);
});

it('if a decision on many commissions is cancelled, the running request finishes and no further request is sent', async () => {
  const { sent, last } = await approveAll(begun(ids(250)), { stopsAt: 1 });
  expect([sent, last?.done, last?.left.length]).toEqual([[100], 100, 150]);
});

it('if a rejection is sent again after its reply was lost, a commission that is already rejected counts as done', async () => {
  const said: Progress[] = [];
  await runAll<DecidedCommission>(begun([1]), {
    isDone: doneBy('reject'),
    signal: new AbortController().signal,
    onProgress: (progress) => said.push(progress),
    send: async () => [{ id: 1, status: 'rejected', error: 'Cannot reject' }],
  });
  expect(said).toEqual([{ done: 1, refused: [], left: [] }]);
});

it('a commission that is released and already approved, because its hold is over, counts as released', async () => {
  const said: Progress[] = [];
  const rejected = { id: 3, status: 'rejected', error: 'Cannot release' } as const;
  await runAll<DecidedCommission>(begun([1, 2, 3]), {
    isDone: doneBy('release'),
    signal: new AbortController().signal,
    onProgress: (progress) => said.push(progress),
    send: async () => [{ id: 1, status: 'pending', error: null }, { id: 2, status: 'approved', error: null }, rejected],
  });
  expect(said).toEqual([{ done: 2, refused: [rejected], left: [] }]);
});

it.each([
  ['approve', ['held', 'paid']],
  ['reject', ['paid']],
  ['release', ['pending', 'paid']],
  ['reopen', ['pending', 'held', 'paid']],
] as const)(
  'if a person tries again to %s commissions, those that can never change that way are left out',
  (decision, final) => {
    const refused = ([null, 'pending', 'held', 'paid'] as const).map((status, id) => ({ id, status, error: 'No' }));
    const isFinal = ({ status }: DecidedCommission) => final.some((one) => one === status);
    expect(withRefused({ done: 5, refused, left: [9] }, openTo(decision))).toEqual({
      done: 5,
      refused: refused.filter(isFinal),
      left: [9, ...refused.filter((one) => !isFinal(one)).map(({ id }) => id)],
    });
  },
);

it('the amounts of the selected commissions are added up by currency', () => {
  const dollars = { payable_cents: 129_360, currency: 'USD' } as const;
  const euros = { payable_cents: 4_000, currency: 'EUR' } as const;
  expect(totalText([dollars, euros, { ...dollars, payable_cents: 0 }])).toBe('$1,293.60 and €40.00');
  expect(totalText([])).toBe('nothing');
});
