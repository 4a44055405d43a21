import { expect, it } from 'vitest';
import { MOST_GROUPS, MOST_PERSONAL_TERMS } from '#lib/service/programs/terms/agreements.ts';
import { MOST_PARTNERS } from '#lib/service/programs/program/program.ts';
import { MOST_TIERS, type Terms } from '#lib/service/programs/terms/terms.ts';
import { clickBurstOf, signupBurstOf } from '#lib/service/programs/terms/velocity.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const LARGEST_ITEM = 400 * 1024;

/** The size of a value in DynamoDB. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replace('.', '').length / 2) + 1;
  if (value instanceof Set) return [...(value as Set<number>)].reduce((sum, each) => sum + sizeOf(each), 0);
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + sizeOf(each), 3);
  return Object.entries(value as object).reduce((sum, [name, each]) => sum + 1 + sizeOf(name) + sizeOf(each), 3);
}

const FIRST_PARTNER = 1_000_000;
const terms: Terms = {
  commissionType: 'recurring_percent',
  commissionRate: 12.3456,
  durationMonths: 120,
  holdPeriodDays: 90,
  leadCommissionCents: 12_345_678,
  tiers: Array.from({ length: MOST_TIERS }, (_, at) => ({ fromSales: 100_001 + at, rate: 12.3456 })),
};
const groups = Array.from({ length: MOST_GROUPS }, (_, at) => ({
  id: at + 1,
  name: '€'.repeat(120),
  createdAt: NOW.toISOString(),
  terms,
  version: 100_000 + at,
  partnerIds: new Set(
    Array.from({ length: MOST_PARTNERS / MOST_GROUPS }, (__, of) => FIRST_PARTNER + at * MOST_GROUPS + of),
  ),
}));
const personal = Object.fromEntries(
  Array.from({ length: MOST_PERSONAL_TERMS }, (_, at) => [FIRST_PARTNER + at, { terms, version: 200_001 + at }]),
);
const monthlySales = Object.fromEntries(
  Array.from({ length: MOST_PARTNERS }, (_, at) => [`s${FIRST_PARTNER + at}`, 202_610_001_234_567]),
);
const minute = NOW.toISOString();
/** The maximum number of bursts, each of another link or partner. */
const bursts = {
  clickBursts: new Set(Array.from({ length: 800 }, (_, at) => clickBurstOf(`link-${at}`, minute))),
  signupBursts: new Set(Array.from({ length: 200 }, (_, at) => signupBurstOf(FIRST_PARTNER + at, minute, 'network1'))),
};
const largest = { groups, personal, revision: 99_999, ...monthlySales, ...bursts };

it('groups and personal terms of a program, as many and as long as possible, fit into one item of the table', () => {
  expect(sizeOf({ ...largest, ...keys.agreements(FIRST_PARTNER) })).toBeLessThan(LARGEST_ITEM);
});

it('a sale earns by the terms of its partner’s group even if the item with groups and terms is as large as possible', async () => {
  const own = await ownedBrand(world);
  const partnerIds = new Set([...groups[0]!.partnerIds, own.partner.id]);
  const withOwn = [{ ...groups[0]!, partnerIds, terms: { ...terms, tiers: [] } }, ...groups.slice(1)];
  await world.deps().table.put(keys.agreements(own.program.id), { ...largest, groups: withOwn });
  await soldTo(own, 'large', { transaction_id: 'large', amount_cents: 1_000_000 });
  const { commission } = (await own.owner.get(`${own.path}/sales/large`)).body.data;
  expect(commission).toMatchObject({ amount_cents: 123_456, terms: { from: 'group', version: 100_000 } });
  const { body } = await own.owner.get(`${own.path}/groups?limit=100`);
  expect(body.data).toHaveLength(MOST_GROUPS);
});
