import { expect, it } from 'vitest';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { soldTo } from '#test/support/payments/journeys.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { type SentCall, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// What is owed is told by the index, whose keys repeat it.

const world = openedWorld();

const itemsRead = (calls: readonly SentCall[]): number =>
  calls
    .flatMap(({ input }) => Object.values((input.RequestItems ?? {}) as Record<string, { Keys?: unknown[] }>))
    .reduce((sum, { Keys = [] }) => sum + Keys.length, 0);

const queriesOfIndex = (calls: readonly SentCall[]): number =>
  calls.filter(({ input }) => input.IndexName !== undefined).length;

it(
  'what 5,000 unsettled commissions come to takes two queries of them at most, and none of them is read',
  { tags: 'deep' },
  async () => {
    const own = await ownedBrand(world);
    const { path, owner } = own;
    await manyCommissions(world, own.program.id, own.partner.id, 5_000, (n) => `many ${own.program.id} ${n}`);
    const USD = { due_now_cents: 500_000, approved_cents: 500_000, balance_cents: 0, by_date: [] };
    const preview = { totals: { USD: 500_000 } };
    const asked = [
      [() => owner.get(`${path}/owed`, { at: HOLD_OVER }), { USD }, 2],
      [() => owner.get(`${path}/owed?partner_id=${own.partner.id}`, { at: HOLD_OVER }), { USD }, 2],
      // Two more: when the program last paid, and when it last paid the partner.
      [() => owner.post(`${path}/payouts/preview`, {}, { at: HOLD_OVER }), preview, 4],
    ] as const;
    for (const [ask, expected, queries] of asked) {
      const calls = await sentCalls(async () => expect((await ask()).body.data).toMatchObject(expected));
      expect(queriesOfIndex(calls)).toBeLessThanOrEqual(queries);
      // The token, the account, the program and such.
      expect(itemsRead(calls)).toBeLessThan(10);
      // 32 of them in a unit.
      expect(unitsOf(calls).read).toBeLessThan(170);
    }
  },
);

const unitsWritten = async (run: () => Promise<unknown>): Promise<number> =>
  unitsOf((await sentCalls(run)).filter(({ name }) => name === 'TransactWriteCommand')).write;

const AUDIT = 2;

it('a change of what is owed moves a commission in both indexes, for two write units each', async () => {
  const own = await ownedBrand(world);
  const [approved, rejected] = (await earned(own, 2)) as [number, number];
  const id = `units ${own.program.id}`;
  await soldTo(own, id, { transaction_id: id });
  const { owner, path } = own;
  const units = [
    await unitsWritten(() => owner.post(`${path}/commissions/${approved}/approve`)),
    await unitsWritten(() => owner.post(`${path}/commissions/${rejected}/reject`, { reason: 'Fraud' })),
    await unitsWritten(() => refunded(own, { transaction_id: id, refund_amount_cents: 100 })),
    await unitsWritten(() => refunded(own, { transaction_id: id })),
  ];
  // A settled one leaves the index of the program. Where keys repeated nothing these were 2, 3, 7 and 8. A person's change has an audit row.
  expect(units).toEqual([6 + AUDIT, 5 + AUDIT, 11, 10]);
});

it('a page ends where it did, whatever becomes of its last commission before the next is asked for', async () => {
  const own: OwnedBrand = await ownedBrand(world);
  await own.owner.patch(own.path, { auto_approve: false });
  await earned(own, 6);
  const page = async (query: string) => {
    const { body } = await own.owner.get(`${own.path}/commissions?status=pending&${query}`);
    return { ids: body.data.map(({ id }: { id: number }) => id) as number[], next: String(body.meta.next_cursor) };
  };
  const { ids: all } = await page('limit=10');
  const { ids, next } = await page('limit=3');
  expect(ids).toEqual(all.slice(0, 3));
  await own.owner.post(`${own.path}/commissions/${ids[2]}/approve`);
  expect((await page(`limit=3&cursor=${next}`)).ids).toEqual(all.slice(3));
});
