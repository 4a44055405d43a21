import { expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { customerOf, saleOf } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openWorld } from '#test/support/programs/world.ts';

const TO = new Date(NOW.getTime() + 60_000);

it('`restore check` counts again how many people paid with a click', async () => {
  const world = await openWorld();
  const brand = await world.brand();
  const clickId = await signedUp(brand, 'one');
  for (const key of ['two', 'three']) {
    await sold(brand, { transaction_id: key, click_id: clickId, customer_key: key });
  }
  await world.deps().table.update(keys.customer(clickId), { set: { people: undefined } });
  const check = async () => {
    const { repaired, unrepaired } = await operated(
      world,
      ['restore', 'check', '--to', TO.toISOString(), '--former-table-lost'],
      TO,
    );
    return [...repaired, ...unrepaired].filter((line: string) => line.startsWith(`customer ${clickId}`));
  };
  expect(await check()).toHaveLength(2);
  expect(await customerOf(world, clickId)).toMatchObject({ people: 3 });
  expect(await check()).toEqual([]);
  await sold(brand, { transaction_id: 'four', click_id: clickId, customer_key: 'four' });
  const { attribution } = (await saleOf(world, 'four')) as { attribution: { clickId: string } };
  expect(await customerOf(world, attribution.clickId)).toMatchObject({ sharedClick: { clickId, place: 4 } });
  await expectNothingHalfWritten(world);
});
