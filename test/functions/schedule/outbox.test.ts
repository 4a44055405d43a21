import { expect, it } from 'vitest';
import { handler } from '#functions/schedule/outbox.ts';
import { earned, HOLD_OVER, ownedBrand } from '#test/support/programs/commissions.ts';
import { factPump, storedFacts } from '#test/support/outbox/facts.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld({ hasFacts: true });

it('if one task of the schedule fails, the other tasks still run and the failure is reported', async () => {
  const pump = await factPump(world);
  const own = await ownedBrand(world);
  await earned(own, 1);
  await pump.run();
  const run = failing('query', refused('InternalServerError'), () => handler({ time: HOLD_OVER.toISOString() }));
  await expect(run).rejects.toThrow('InternalServerError');
  const types = (await storedFacts(world, own)).map(({ type }) => type);
  expect(types).toContain('commission.approved');
});
