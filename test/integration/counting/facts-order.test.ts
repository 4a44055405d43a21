import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { factPump, storedFacts } from '#test/support/outbox/facts.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { paid, visitorOf } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { charge, deliver, directEndpoint, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests that the newest fact of each row matches the API, even after changes at the same time.

openProcessor();

const world = openedWorld({ hasFacts: true });
const pump = opened(() => factPump(world));

/** A time after all events. */
const READ = { at: new Date(NOW.getTime() + 60_000) };

/** An event of one of two sales or their commissions. */
interface Action {
  readonly sale: number;
  readonly what: { readonly kind: 'refund'; readonly cents: number } | { readonly kind: (typeof others)[number] };
  /** When it happens, in milliseconds. */
  readonly ms: number;
}

const others = ['chargeback', 'approve', 'reject', 'pay'] as const;
const action: fc.Arbitrary<Action> = fc.record({
  sale: fc.nat({ max: 1 }),
  what: fc.oneof(
    fc.record({ kind: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 4_900 }) }),
    fc.record({ kind: fc.constantFrom(...others) }),
  ),
  ms: fc.nat({ max: 3 }),
});

interface Sold {
  readonly id: string;
  readonly commissionId: number;
}

async function act(own: OwnedBrand, { id, commissionId }: Sold, { what, ms }: Action) {
  const at = new Date(NOW.getTime() + ms);
  const commission = `${own.path}/commissions/${commissionId}`;
  if (what.kind === 'refund') return refunded(own, { transaction_id: id, refund_amount_cents: what.cents }, at);
  if (what.kind === 'chargeback') return refunded(own, { transaction_id: id, reason: 'chargeback' }, at);
  if (what.kind === 'approve') return own.owner.post(`${commission}/approve`, {}, { at });
  if (what.kind === 'reject') return own.owner.post(`${commission}/reject`, { reason: 'No' }, { at });
  return own.owner.post(`${own.path}/payouts`, {}, { at });
}

const isNewer = (one: Fact, other: Fact): number =>
  Number(one.data.version ?? 1) - Number(other.data.version ?? 1) || (one.timestamp < other.timestamp ? -1 : 1);

/** The newest fact of each subject. */
const newestOf = (facts: readonly Fact[], isWanted: (fact: Fact) => boolean): Map<unknown, Fact> =>
  new Map(
    facts
      .filter(isWanted)
      .toSorted(isNewer)
      .map((fact) => [fact.data.id, fact]),
  );

const isOf = (of: 'commission' | 'sale' | 'refund') => (fact: Fact) =>
  of === 'commission' ? fact.type.startsWith('commission.') : fact.data.type === of;

async function rowsOf(own: OwnedBrand, of: 'commission' | 'sale' | 'refund') {
  const url = of === 'commission' ? `${own.path}/commissions` : `${own.path}/events?type=${of}`;
  return (await own.owner.get(url, READ)).body.data as Record<string, unknown>[];
}

/** The rows by newest facts, the rows that differ when ordered by time alone, and the API's rows. */
async function replayed(own: OwnedBrand) {
  // The table's change times are in seconds.
  await pump.run();
  const facts = await storedFacts(world, own);
  const { program_id: programId, is_test: isTest } = facts[0]!.data;
  const kinds = ['commission', 'sale', 'refund'] as const;
  const newest = kinds.map((of) => [...newestOf(facts, isOf(of)).values()]);
  const shown = await Promise.all(kinds.map((of) => rowsOf(own, of)));
  return {
    told: newest.map((ofKind) => ofKind.map(({ data }) => data).toSorted(byId)),
    shown: shown.map((rows) => rows.map((row) => ({ program_id: programId, is_test: isTest, ...row })).toSorted(byId)),
    later: newest.flatMap((ofKind, kind) =>
      ofKind.flatMap(({ timestamp, data }) =>
        facts.filter((fact) => isOf(kinds[kind]!)(fact) && fact.data.id === data.id && fact.timestamp > timestamp),
      ),
    ),
  };
}

const byId = (one: Record<string, unknown>, other: Record<string, unknown>) => Number(one.id) - Number(other.id);

describe('for each record of the service, the latest fact contains what the API shows', () => {
  it('after three refunds in parallel', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'once', { transaction_id: 'once' });
    await Promise.all(
      [1_000, 2_000, 4_000].map((cents) => refunded(own, { transaction_id: 'once', refund_amount_cents: cents })),
    );
    const { told: rows, shown, later } = await replayed(own);
    expect({ rows, later }).toEqual({ rows: shown, later: [] });
  });

  it('after a refund that arrived before its sale; the facts of the sale then have an earlier time than those of the refund', async () => {
    const own = await ownedBrand(world);
    await directEndpoint(world, own);
    const { id, metadata } = await visitorOf(own);
    await deliver(own, stripeEvent('charge.refunded', charge(id, { amount_refunded: 1_000 })), paid(id, { metadata }));
    const { told: rows, shown, later } = await replayed(own);
    expect({ rows, later }).toEqual({ rows: shown, later: [] });
    const told = (await storedFacts(world, own)).filter(({ data }) => data.transaction_id === `cs_${id}`);
    const next = new Date(NOW.getTime() + 1).toISOString();
    expect(Object.fromEntries(told.map(({ type, timestamp }) => [type, timestamp]))).toEqual({
      'sale.recorded': NOW.toISOString(),
      'commission.created': NOW.toISOString(),
      'sale.refunded': next,
      'commission.reduced': next,
    });
  });

  it('after any history with parallel requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), async (rounds) => {
        const own = await ownedBrand(world);
        const sales = await Promise.all(
          [0, 1].map(async (n) => {
            const id = `any-${own.program.id}-${n}`;
            return { id, commissionId: (await soldTo(own, id, { transaction_id: id })).commission_id };
          }),
        );
        for (const round of rounds) await Promise.all(round.map((one) => act(own, sales[one.sale]!, one)));
        const { told: rows, shown, later } = await replayed(own);
        expect({ rows, later }).toEqual({ rows: shown, later: [] });
      }),
      { numRuns: 12 },
    );
  });
});
