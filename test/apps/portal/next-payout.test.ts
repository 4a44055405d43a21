import { expect, it } from 'vitest';
import { nextPayoutOf } from '#lib/apps/portal/overview/next-payout.ts';

it.each<[string, [number, number, number, number?], [number, number, number, number]]>([
  ['nothing was refunded', [500, 0, 0], [500, 0, 0, 0]],
  ['refunds take a part', [1_500, 0, 1_000], [500, 0, 1_000, 0]],
  ['refunds exceed the balance', [400, 0, 1_000], [0, 0, 400, 600]],
  ['refunds reduce the held-back amount', [0, 400, 1_000], [0, 0, 400, 600]],
  ['a part is held back', [0, 1_500, 1_000], [0, 500, 1_000, 0]],
  ['nothing is approved', [0, 0, 1_000], [0, 0, 0, 1_000]],
  ['a won dispute restored an amount', [500, 0, 100, 290], [690, 0, 100, 0]],
])(
  'the next payout shows what it pays, holds back, withholds now and leaves to withhold later, if %s',
  (_, [approved, held, withheld, restored = 0], [ready, heldBack, now, later]) => {
    const balance = { approved_cents: approved, restored_cents: restored, held_cents: held, withheld_cents: withheld };
    expect(nextPayoutOf(balance)).toEqual({
      ready_cents: ready,
      held_back_cents: heldBack,
      taken_now_cents: now,
      taken_later_cents: later,
    });
  },
);
