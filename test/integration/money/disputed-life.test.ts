import { expect, it, vi } from 'vitest';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import {
  disputedLife,
  explained,
  live,
  lostLife,
  permutations,
  withRepetitions,
} from '#test/support/payments/lives/subscription-life.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Refunds and disputes of one sale are totalled separately, in any order of arrival.

// A hundred histories take seconds, and more on a busy machine.
vi.setConfig({ testTimeout: 300_000 });
openProcessor();

const world = openedWorld();

type End = Awaited<ReturnType<typeof explained>>;

/** The result without the steps, which depend on the order. */
const moneyOf = ({ sale, commission, refunds }: End) => ({
  status: sale.payment_status,
  refunded: sale.refunded_amount_cents,
  commission: commission && {
    status: commission.status,
    deducted: commission.deducted_cents,
    refundState: commission.refund_state,
    reason: commission.reversal_reason,
    fee: commission.platform_fee.reduced_cents,
    // Compared to the second, because changes at the same time are a millisecond apart.
    reversedAt: commission.reversed_at?.slice(0, 19) ?? null,
  },
  ofAllSteps: refunds.reduce((total, { amount_cents: cents }) => total + cents, 0),
  deductedByAllSteps: refunds.reduce((total, { deduction_cents: cents }) => total + (cents ?? 0), 0),
});

const moneyFields = ['sales', 'revenueUSD', 'refundedUSD', 'commissionUSD', 'platformFeeUSD'];

/** A counter's totals, each with the sum of its days. */
const moneyIn = (counter: unknown) =>
  moneyFields.map((what) => {
    const holds = Object.entries(counter as Record<string, number>);
    const sumOf = (isWanted: (field: string) => boolean) =>
      holds.reduce((sum, [field, count]) => sum + (isWanted(field) ? count : 0), 0);
    return [sumOf((field) => field === what), sumOf((field) => /^(\w+)@.{10}$/.exec(field)?.[1] === what)];
  });

const moneyCounted = ({ program, partner, link }: Readonly<Record<string, unknown>>) => ({
  program: moneyIn(program),
  partner: moneyIn(partner),
  link: moneyIn(link),
});

/** All events come through the single partner's single link. */
const ofAll = (...money: number[]) => {
  const inTotalAndOnDays = money.map((cents) => [cents, cents]);
  return { program: inTotalAndOnDays, partner: inTotalAndOnDays, link: inTotalAndOnDays };
};

/** Some of the orders: one twelfth, or all of them. */
const runsOf = <T>(orders: readonly T[]) => [
  { which: 'some orders', tags: [], orders: orders.filter((_, at) => at % 12 === 0) },
  { which: 'every order', tags: ['deep'], orders },
];

const stepsToWon = ['checkout', 'invoice', 'refund', 'disputed', 'won'] as const;
const ordersToWon = [...permutations(stepsToWon), ...withRepetitions(stepsToWon)];

for (const { which, tags, orders } of runsOf(ordersToWon))
  it(
    `if half of a sale is refunded and a dispute of all of it is won, half stays refunded, in ${which}`,
    { tags },
    async () => {
      for (const { order, life, counters } of await live(world, disputedLife, orders)) {
        const end = await explained(world, life, `in_${life.name}`);
        expect({ order, ...moneyOf(end), counted: moneyCounted(counters) }).toEqual({
          order,
          status: 'partially_refunded',
          refunded: 2450,
          commission: {
            status: 'pending',
            deducted: 490,
            refundState: 'partial',
            reason: null,
            fee: 86,
            reversedAt: null,
          },
          ofAllSteps: 2450,
          deductedByAllSteps: 490,
          counted: ofAll(1, 4900, 2450, 490, 86),
        });
      }
      await expectNothingHalfWritten(world);
    },
  );

const ordersToLost = permutations(['checkout', 'refund', 'rest', 'disputed', 'lost'] as const).filter(
  (order) => order.indexOf('lost') > order.indexOf('disputed'),
);

for (const { which, tags, orders } of runsOf(ordersToLost))
  it(
    `two refunds and a lost dispute of one payment together deduct its amount once, in ${which}`,
    { tags },
    async () => {
      for (const { order, life, counters } of await live(world, lostLife, orders)) {
        const end = await explained(world, life, `cs_${life.name}`);
        expect({ order, ...moneyOf(end), counted: moneyCounted(counters) }).toEqual({
          order,
          status: 'disputed',
          refunded: 4900,
          commission: {
            status: 'reversed',
            deducted: 980,
            refundState: 'full',
            reason: 'chargeback',
            fee: 172,
            reversedAt: '2026-12-21T15:00:00',
          },
          ofAllSteps: 4900,
          deductedByAllSteps: 980,
          counted: ofAll(1, 4900, 4900, 0, 0),
        });
      }
      await expectNothingHalfWritten(world);
    },
  );
