import { beforeEach, describe, expect, it } from 'vitest';
import { unsettledCommissionsOf } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { withShortPages } from '#test/support/table/faults.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { sentCalls, unitsOf, waves } from '#test/support/servers/sent-calls.ts';

const world = openedWorld();
const brand = opened(() => world.brand(), beforeEach);

const table = () => world.deps().table;
const found = () => unsettledCommissionsOf(table(), brand.program.id);

let sales = 0;
async function sold(): Promise<number> {
  const transactionId = `unsettled_${++sales}`;
  return (await soldTo(brand, transactionId, { transaction_id: transactionId })).commission_id;
}

const part = (id: number, sale = sales) => ({
  id,
  key: { pk: `SALE#unsettled_${sale}`, sk: 'COMMISSION' },
  partnerId: brand.partner.id,
  currency: 'USD',
  status: 'pending',
  holdUntil: '2026-12-05T15:00:00.000Z',
  openCents: 980,
  saleDay: '2026-11-20',
});

describe('a commission that is not completely paid yet', () => {
  it('is found with all its amounts by one query of the index, without reading the commission’s item', async () => {
    const [first, second] = [await sold(), await sold()];
    const calls = await sentCalls(async () => expect(await found()).toEqual([part(first, sales - 1), part(second)]));
    expect(calls.map(({ name }) => name)).toEqual(['QueryCommand']);
  });

  it('is found even if DynamoDB returns the index in short pages', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(await sold());
    expect(await withShortPages(found)).toEqual(ids.map((id, at) => part(id, sales - ids.length + 1 + at)));
  });

  it('is found exactly once if the index is long and its rest is read in four parallel parts', async () => {
    const ids = await manyCommissions(
      world,
      brand.program.id,
      brand.partner.id,
      8_100,
      (n) => `part ${brand.program.id} ${n}`,
    );
    const calls = await sentCalls(async () => {
      expect((await found()).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
    });
    const parts = calls.filter(({ input }) => input.ScanIndexForward === false && input.Limit !== 1);
    expect(parts).toHaveLength(4);
    expect(waves(calls).at(-1)).toEqual(parts);
    expect(unitsOf(calls).read).toBeLessThan(230);
  });
});
