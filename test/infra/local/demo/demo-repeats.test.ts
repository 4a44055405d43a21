/** @module-tag deep */
import { expect, it } from 'vitest';
import { type DemoOptions, ensureDemo } from '#infra/local/demo/demo.ts';
import { openHistory } from '#infra/local/demo/demo-history.ts';
import { planHistory } from '#infra/local/demo/demo-plan.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Starts the vault, which encrypts payout details.
openProcessor();

const END = new Date('2026-11-19T12:30:00.000Z');

/** Limits a history to this many days. */
const days = (most: number): AbortSignal => {
  let begun = 0;
  return Object.defineProperty(new AbortController().signal, 'aborted', { get: () => begun++ >= most });
};

interface Progress {
  readonly played: number;
  readonly isComplete: boolean;
}

const demoOf = (world: World, size: DemoOptions['size']) =>
  ensureDemo((at = END) => world.deps(at), { size, port: 8787 });

/** Makes a separate demo. @returns its items without secrets and random values */
async function demoMade(make: (world: World, next: Next) => Promise<void>) {
  const world = await openWorld();
  const demo = await demoOf(world, 'full');
  await make(world, async (signal) => (await openHistory(world.client, demo))!(signal));
  const items = await allItems(world);
  return items
    .filter(({ sk }) =>
      /^(?:CUSTOMER|CLICK|LEAD|SALE|COMMISSION|REFUND|PAYOUT|STEP|LINK|PARTNER|DEMO_HISTORY)/.test(String(sk)),
    )
    .toSorted((a, b) => (`${String(a.pk)} ${String(a.sk)}` < `${String(b.pk)} ${String(b.sk)}` ? -1 : 1))
    .map((item) => ({ ...item, email: undefined, sealed: undefined, accountHash: undefined }));
}

type Next = (signal: AbortSignal) => Promise<boolean>;

it('the demo’s history is the same if the creation of each day crashes and is repeated', async () => {
  const straight = await demoMade(async (_, next) => {
    await next(days(Infinity));
  });
  const repeated = await demoMade(async (world, next) => {
    const { table } = world.deps();
    const progress = async () => {
      table.forget();
      return (await table.get<Progress>(keys.demoHistory))!;
    };
    let before = await progress();
    while (!before.isComplete) {
      await next(days(1));
      await table.update(keys.demoHistory, { set: { played: before.played, isComplete: false } });
      await next(days(1));
      before = await progress();
    }
  });
  expect(repeated).toEqual(straight);
}, 300_000);

it('the demo’s history is created to its end even if a user switches off a link that it uses', async () => {
  const world = await openWorld();
  const makeHistory = await openHistory(world.client, await demoOf(world, 'full'));
  await world.deps().table.update(keys.link('ben'), { set: { status: 'inactive' } });
  expect(await makeHistory!(days(Infinity))).toBe(true);
  const items = await allItems(world);
  const clicks = items.filter(({ sk }) => sk === 'CUSTOMER' || String(sk).startsWith('CLICK#'));
  expect(clicks.length).toBeLessThan(planHistory(END).filter(({ kind }) => kind === 'click').length);
  expect(clicks.filter(({ shortLink }) => shortLink === 'ana').length).toBeGreaterThan(100);
});

it('a small demo remains small if a later run asks for the full demo', async () => {
  const world = await openWorld();
  await demoOf(world, 'small');
  expect(await openHistory(world.client, await demoOf(world, 'full'))).toBeUndefined();
  const items = await allItems(world);
  expect(items.filter(({ sk }) => sk === 'CUSTOMER')).toEqual([]);
  // Each partner with an account has an item below the account.
  const partners = items.filter(({ sk }) => String(sk).startsWith('PARTNER#'));
  expect(partners.map(({ pk }) => String(pk).replace(/#.*/, '')).toSorted()).toEqual([
    'ACCOUNT',
    'ACCOUNT',
    'PROGRAM',
    'PROGRAM',
  ]);
});
