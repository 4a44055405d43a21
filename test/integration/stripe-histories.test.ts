import { describe, expect, it } from 'vitest';
import { codesAndCurrencies } from '#test/integration/stripe-histories/codes-and-currencies.ts';
import { earlyRenewals } from '#test/integration/stripe-histories/early-renewals.ts';
import { lostPayments } from '#test/integration/stripe-histories/lost-payments.ts';
import { firstPayments } from '#test/integration/stripe-histories/first-payments.ts';
import { oddDeliveries } from '#test/integration/stripe-histories/odd-deliveries.ts';
import { returnedMoney } from '#test/integration/stripe-histories/returned-money.ts';
import { singlePayments } from '#test/integration/stripe-histories/single-payments.ts';
import {
  forwarded,
  liveThrough,
  moneyOf,
  platform,
  type StripeHistory,
  webhook,
} from '#test/integration/stripe-histories/stripe-history.ts';
import { everyNth } from '#test/support/cases/cases.ts';
import { factPump } from '#test/support/outbox/facts.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests the result of Stripe's events in the formats of each API version, by every route. The expected amounts are
// written by hand, and everything else must be equal.

openProcessor();

const world = openedWorld({ hasFacts: true });
const pump = opened(() => factPump(world));

async function expectEqual(history: StripeHistory): Promise<void> {
  const seen = await liveThrough(world, pump, history, [webhook, forwarded, platform]);
  for (const each of seen) {
    expect(moneyOf(each)).toEqual(history.money.toSorted());
    expect(each).toEqual(seen[0]);
  }
}

describe.each([
  ['subscriptions', firstPayments],
  ['early renewals', earlyRenewals],
  ['single payments', singlePayments],
  ['refunds and disputes', returnedMoney],
  ['codes, taxes and currencies', codesAndCurrencies],
  ['odd deliveries', oddDeliveries],
  ['lost payments', lostPayments],
])('recorded Stripe histories: %s', (_, histories) => {
  const all = histories.map((history) => [`${history.name} (${history.version})`, history] as const);
  for (const [at, [name, history]] of all.entries())
    it(
      `${name} has the same result by the brand’s webhook, by forwarded events and by the platform’s webhook`,
      everyNth(4, at),
      async () => {
        await expect(expectEqual(history)).resolves.toBeUndefined();
      },
    );
});
