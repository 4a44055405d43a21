import { expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { sold, soldTo } from '#test/support/payments/journeys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const explained = async (own: Awaited<ReturnType<typeof ownedBrand>>, transactionId: string) => {
  const { sale, commission } = (await own.owner.get(`${own.path}/sales/${transactionId}`)).body.data;
  return { sale: sale.terms, commission: commission?.terms, rate: commission?.commission_rate };
};

it('every change of terms makes a version, which later sales keep', async () => {
  const own = await ownedBrand(world);
  const version = (number: number) => ({ version: number, from: 'program', name: own.program.name });
  const soldNow = async (id: string) => {
    await soldTo(own, id, { transaction_id: id });
    return explained(own, id);
  };
  expect(await soldNow('v1')).toEqual({ sale: version(1), commission: version(1), rate: 20 });
  await own.owner.patch(own.path, { commission_rate: 30 });
  expect(await soldNow('v2')).toEqual({ sale: version(2), commission: version(2), rate: 30 });
  await own.owner.patch(own.path, { lead_commission_cents: 500, hold_period_days: 3 });
  expect(await soldNow('v3')).toEqual({ sale: version(3), commission: version(3), rate: 30 });
  // Neither terms nor a change of them.
  await own.owner.patch(own.path, { name: 'Renamed', commission_rate: 30, duration_months: 0 });
  expect(await soldNow('v4')).toMatchObject({ sale: { ...version(3), name: 'Renamed' } });
  expect(await explained(own, 'v1')).toEqual({ sale: version(1), commission: version(1), rate: 20 });

  const kept = (number: number) => world.items(keys.formerTerms(own.program.id, number).pk);
  const former = (await kept(1)).filter(({ sk }) => String(sk).startsWith('TERMS#'));
  const terms = { pk: `PROGRAM#${own.program.id}`, commissionType: 'percent', holdPeriodDays: 15 };
  expect(former).toEqual([
    { ...terms, ...version(1), sk: 'TERMS#000001', commissionRate: 20 },
    { ...terms, ...version(2), sk: 'TERMS#000002', commissionRate: 30 },
  ]);
});

it('a renewal for which no commission is due tells its terms, too', async () => {
  const own = await ownedBrand(world);
  await soldTo(own, 'payer', { transaction_id: 'first' });
  await sold(own, { transaction_id: 'later', customer_key: 'payer', is_recurring: true });
  const version = { version: 1, from: 'program', name: own.program.name };
  expect(await explained(own, 'later')).toEqual({ sale: version, commission: undefined, rate: undefined });
});

it('what was recorded before there were versions has none', async () => {
  const own = await ownedBrand(world);
  await soldTo(own, 'old', { transaction_id: 'old' });
  const { table } = world.deps();
  await table.update(keys.sale('old'), { set: { termsVersion: undefined } });
  await table.update(keys.commission('old'), { set: { terms: undefined } });
  expect(await explained(own, 'old')).toEqual({ sale: null, commission: null, rate: 20 });
});
