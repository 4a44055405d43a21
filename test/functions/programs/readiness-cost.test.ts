import { beforeAll, describe, expect, it } from 'vitest';
import { feedKeys } from '#lib/service/ground/table/keys.ts';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { askReadiness, askStatus, importedKey, runChain, sendTestEvent } from '#test/support/programs/integration.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import type { TestReply } from '#test/support/callers/request.ts';
import { dependentTrips, sentCalls } from '#test/support/servers/sent-calls.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// Read units of a check for any number of events: 10, and a half for each further key under which clicks are listed, so
// that the latest click is exact. A check makes at most 2 dependent round trips.
const MOST_READ_UNITS = 10 + (feedKeys(1, 'click', 'EVENTS').length - 1) / 2;

let world: World;
const brands: Record<number, Brand> = {};
beforeAll(async () => {
  world = await openWorld();
  for (const events of [1, 500]) {
    const brand = await world.brand();
    brands[events] = brand;
    for (let n = 0; n < events; n += 50) {
      await Promise.all(Array.from({ length: Math.min(50, events - n) }, () => clicked(brand)));
    }
    if (events === 1) continue;
    for (let n = 0; n < 10; n++) await soldTo(brand, `u${n}`, { transaction_id: `cost_${n}` });
    for (const event_type of ['click', 'lead', 'sale']) await sendTestEvent(brand.key, { event_type });
    await runChain(brand.key);
  }
}, 60_000);

const cost = async (ask: () => Promise<TestReply>) => {
  const calls = await sentCalls(async () => expect((await ask()).status).toBe(200));
  return { trips: dependentTrips(calls), readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0) };
};

describe.each([1, 500])('with %i stored events in the program,', (events) => {
  const brand = () => brands[events]!;

  it.each([
    ['readiness', askReadiness],
    ['status', askStatus],
  ] as const)(
    'a %s check takes one round trip to the table, or two with a program key in the older format',
    async (_, ask) => {
      const structured = await cost(() => ask(brand().key));
      expect(structured.trips).toBe(1);
      expect(structured.readUnits).toBeLessThanOrEqual(MOST_READ_UNITS);
      const key = await importedKey(world, brand());
      const older = await cost(() => ask(key));
      expect(older.trips).toBe(2);
      expect(older.readUnits).toBeLessThanOrEqual(MOST_READ_UNITS);
    },
  );

  it('a readiness check by an agent reads no more units than one by the CLI may, and one in the dashboard half a unit more', async () => {
    const { id } = brand().program;
    const key = await agentKeyOf(world, brand());
    const { token } = await ownerOfBrand(world, brand());
    expect((await cost(() => agent(key).readiness(id))).readUnits).toBeLessThanOrEqual(MOST_READ_UNITS);
    // The last delivery, the only record of a forwarded payment, is one unit; a person’s session and account are two.
    expect((await cost(() => dashboard(token).get(`/programs/${id}/readiness`))).readUnits).toBeLessThanOrEqual(
      MOST_READ_UNITS + 0.5,
    );
  });
});

it('the readiness check costs the same after 1 event and after 500, apart from reading the latest events that it finds', async () => {
  const [few, many] = [
    await cost(() => askReadiness(brands[1]!.key)),
    await cost(() => askReadiness(brands[500]!.key)),
  ];
  expect(many.trips).toBe(few.trips);
  expect(many.readUnits - few.readUnits).toBeLessThanOrEqual(1);
});
