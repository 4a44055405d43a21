import { expect, it } from 'vitest';
import { nextPayoutOf } from '#lib/apps/portal/overview/next-payout.ts';

it.each([
  ['nothing was refunded', [500, 0, 0], [500, 0, 0, 0]],
  ['refunds take a part', [1_500, 0, 1_000], [500, 0, 1_000, 0]],
  ['refunds exceed the balance', [400, 0, 1_000], [0, 0, 400, 600]],
  ['refunds reduce the held-back amount', [0, 400, 1_000], [0, 0, 400, 600]],
  ['a part is held back', [0, 1_500, 1_000], [0, 500, 1_000, 0]],
  ['nothing is approved', [0, 0, 1_000], [0, 0, 0, 1_000]],
] as const)(
  'a partner’s next payout and the withheld refunds are computed when %s',
  (_, [approved, held, withheld], [ready, heldBack, now, later]) => {
    expect(nextPayoutOf({ approved_cents: approved, held_cents: held, withheld_cents: withheld })).toEqual({
      ready_cents: ready,
      held_back_cents: heldBack,
      taken_now_cents: now,
      taken_later_cents: later,
    });
  },
);
