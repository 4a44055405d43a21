import { expect, it, vi } from 'vitest';
import { handler as status } from '#functions/cli/status.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failingTimes, refused } from '#test/support/table/faults.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// When a program's key was generated, and last used.

const HOUR = 3_600_000;
const hourLater = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR);
const hourText = (hours: number): string => `${hourLater(hours).toISOString().slice(0, 13)}:00:00.000Z`;

const world = openedWorld();

async function ownedBrand() {
  const brand = await world.brand();
  const { token } = await ownerOfBrand(world, brand);
  const user = dashboard(token);
  const url = `/programs/${brand.program.id}`;
  return { ...brand, user, url, lastUsed: async () => (await user.get(url)).body.data.key_last_used_at };
}

const ask = (key: string, at: Date) => send(refund, { key, at, body: { transaction_id: 'never' } });

it('the hour of its last use is shown, and is written by the first request of an hour alone', async () => {
  const { key, user, url, lastUsed } = await ownedBrand();
  const later = hourLater(3);
  await ask(key, later);
  await vi.waitFor(async () => expect(await lastUsed()).toBe(hourText(3)));
  const writes = (await sentCalls(async () => void (await ask(key, later)))).filter(
    ({ name }) => name === 'UpdateCommand',
  );
  expect(writes.filter(({ input }) => JSON.stringify(input).includes('lastUsedAt'))).toEqual([]);
  // A request of before that is still under way.
  await ask(key, hourLater(2));
  const { key_rotated_at: rotatedAt, key_last_used_at: usedAt } = (await user.get(url)).body.data;
  expect({ rotatedAt, usedAt }).toEqual({ rotatedAt: NOW.toISOString(), usedAt: hourText(3) });
  const { data: listed } = (await user.get('/programs')).body;
  expect(listed).toMatchObject([{ key_rotated_at: NOW.toISOString(), key_last_used_at: hourText(3) }]);
});

it('a key of which nothing was noted was not used yet, and reads by another person do not count as use', async () => {
  const brand = await ownedBrand();
  await agentKeyOf(world, brand);
  const generated = (await brand.user.post(`${brand.url}/api-key`)).body.data.api_key;
  expect(await brand.lastUsed()).toBeNull();
  await send(status, { method: 'GET', key: generated });
  await vi.waitFor(async () => expect(await brand.lastUsed()).toBe(hourText(0)));
});

it('a retired key is refused and not noted as used', async () => {
  const brand = await ownedBrand();
  await markKeyForRotation(world.deps(), brand.program.id, hourLater(1));
  expect((await ask(brand.key, hourLater(5))).status).toBe(401);
  expect((await world.items(keys.credential(sha256(brand.key)).pk))[0]).toMatchObject({ lastUsedAt: hourText(0) });
});

it('a request is answered when its use cannot be noted', async () => {
  const { key, lastUsed } = await ownedBrand();
  // The other count is that of the rate window.
  const reply = await failingTimes(2, 'count', refused('InternalServerError'), () => ask(key, hourLater(1)));
  expect(reply.status).toBe(404);
  expect(await lastUsed()).toBe(hourText(0));
});
