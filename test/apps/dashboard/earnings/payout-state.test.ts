import { expect, it } from 'vitest';
import { payoutState } from '#lib/apps/dashboard/payouts/payout-state.ts';
import type { ListedPayout } from '#lib/wire/earnings/payout.ts';

const statuses = ['recorded', 'sent', 'paid', 'failed', 'void'] as const;

const payout = (status: ListedPayout['status'], ...lines: number[]): Parameters<typeof payoutState>[0] => ({
  status,
  by_status: Object.fromEntries(
    statuses.map((name, index) => [name, { lines: lines[index] ?? 0, totals: {} }]),
  ) as ListedPayout['by_status'],
});

it.each([
  ['open', [3], 'open'],
  ['made', [3], 'recorded'],
  ['made', [3, 0, 0, 1, 1], 'recorded'],
  ['made', [2, 1], 'partly sent'],
  ['made', [2, 0, 1], 'partly sent'],
  ['made', [0, 3, 1, 1], 'sent'],
  ['made', [0, 0, 3, 1], 'paid'],
  ['made', [0, 0, 0, 1, 2], 'failed'],
  ['made', [0, 0, 0, 0, 2], 'void'],
] as const)(
  'a payout that is %s, with %j lines that are recorded, sent, paid, failed and void, is %s',
  (status, lines, state) => {
    expect(payoutState(payout(status, ...lines))).toBe(state);
  },
);
