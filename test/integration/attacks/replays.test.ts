import { beforeEach, describe, expect, it } from 'vitest';

import { dayOf } from '#lib/service/ground/values/day.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { wakeDueEndpoints } from '#lib/service/outbox/deliveries/wake-due-endpoints.ts';
import type { WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';
import type { WebhookDelivery } from '#lib/wire/outbox/webhook.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { addEndpoint, deliver, type TestEndpoint } from '#test/support/outbox/deliveries.ts';
import { deliveryScene } from '#test/support/outbox/delivery-scene.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { Receiver } from '#test/support/outbox/webhook-receiver.ts';
import { factOf } from '#test/support/outbox/webhooks.ts';

// An endpoint's owner can use another host as its URL and have the service send it events repeatedly.

type Received = Receiver['received'][number];

const scene = deliveryScene();
let own: OwnedBrand;
let endpoint: TestEndpoint;
beforeEach(async () => {
  own = await ownedBrand(scene.world);
  endpoint = await addEndpoint(scene.world, own, { url: `${scene.receiver.url}/hooks` });
});

const today = { from: dayOf(NOW), to: dayOf(NOW) };
const path = () => `${own.path}/webhooks/${endpoint.id}`;
const replay = (body: object = today) => own.owner.post(`${path()}/replay`, body);
const underWay = { status: 409, body: platformError(409, 'A replay is under way') };
const facts = async (count: number) => {
  for (let n = 0; n < count; n++) await factOf(scene.world, own, 'sale.recorded');
};

describe('replays of a webhook endpoint’s deliveries', () => {
  it('start once if 30 requests arrive in parallel, and leave one audit entry', { tags: 'deep' }, async () => {
    await facts(3);
    const replies = await Promise.all(Array.from({ length: 30 }, () => replay()));
    const [queued, ...others] = replies.toSorted((a, b) => a.status - b.status);
    expect(queued).toMatchObject({ status: 200, body: { data: { queued: 3 } } });
    expect(others.map(({ status, body }) => ({ status, body }))).toEqual(others.map(() => underWay));
    expect(await scene.world.items(factKeys.replay(endpoint.id).pk)).toHaveLength(1);
    const { data } = (await own.owner.get('/workspace/audit')).body;
    expect(data.filter(({ action }: { action: string }) => action === 'webhook.replayed')).toHaveLength(1);
  });

  it('can start again only when the previous replay has been sent completely', async () => {
    await facts(2);
    expect((await replay()).status).toBe(200);
    expect(await replay()).toMatchObject(underWay);
    await deliver(endpoint.target);
    expect(scene.receiver.received).toHaveLength(2);
    expect((await replay()).status).toBe(200);
  });

  it('do not prevent a replay to another endpoint of the program', async () => {
    await facts(1);
    const other = await addEndpoint(scene.world, own, { url: `${scene.receiver.url}/others` });
    expect((await replay()).status).toBe(200);
    expect((await own.owner.post(`${own.path}/webhooks/${other.id}/replay`, today)).status).toBe(200);
  });
});

const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const secondOf = ({ headers }: Received): number => Number(headers['webhook-timestamp']) - NOW.getTime() / 1_000;
const bySecond = (received: readonly Received[]) => Map.groupBy(received, secondOf);
const most = (received: readonly Received[]): number =>
  Math.max(...[...bySecond(received).values()].map(({ length }) => length));
const nameOf = ({ path: to, headers }: Received): string => `${to} ${String(headers['webhook-id'])}`;
const shownOf = async ({ owner, path: program }: OwnedBrand, { id }: TestEndpoint): Promise<WebhookDelivery[]> =>
  (await owner.get(`${program}/webhooks/${id}/deliveries`)).body.data;

/** Delivers queued messages when they are due, and those repeated by the schedule. @returns how many were delivered */
async function playQueue(): Promise<number> {
  let [runs, seconds] = [0, 0];
  let held: { readonly target: WakeMessage; readonly due: number }[] = [];
  for (; ; seconds++) {
    const { messages } = scene.queue;
    held.push(
      ...messages.splice(0).map(({ delaySeconds = 2, ...target }) => ({ target, due: seconds + delaySeconds })),
    );
    if (held.length === 0) {
      seconds += 60;
      await wakeDueEndpoints(scene.world.deps(after(seconds)));
      if (messages.length === 0) return runs;
    }
    const due = held.filter((one) => one.due <= seconds);
    held = held.filter((one) => one.due > seconds);
    runs += due.length;
    await Promise.all(due.map(({ target }) => deliver(target, after(seconds))));
  }
}

describe('webhook deliveries to one host', () => {
  const PER_SECOND = 10;
  const PROGRAMS = 3;
  const ENDPOINTS = 10;
  const FACTS = 6;
  beforeEach(async () => {
    // Removes messages left by earlier tests.
    await playQueue();
    await scene.renew();
  });
  it(
    'are limited to ten a second, however many programs send to that host, and all are sent in the end',
    { tags: 'deep' },
    async () => {
      const brands = await Promise.all(Array.from({ length: PROGRAMS }, () => ownedBrand(scene.world)));
      const attacked: { readonly brand: OwnedBrand; readonly endpoint: TestEndpoint }[] = [];
      for (const brand of brands) {
        for (let n = 0; n < FACTS; n++) await factOf(scene.world, brand, 'sale.recorded');
        for (let n = 0; n < ENDPOINTS; n++) {
          const url = `${scene.receiver.url}/of-others/${attacked.length}`;
          attacked.push({ brand, endpoint: await addEndpoint(scene.world, brand, { url }) });
        }
      }
      // This endpoint of another program is on another host name of this machine.
      await facts(FACTS);
      await endpoint.change({ url: `${scene.receiver.url.replace('127.0.0.1', 'localhost')}/own` });

      const replays = [...attacked, { brand: own, endpoint }].map(({ brand, endpoint: { id } }) =>
        brand.owner.post(`${brand.path}/webhooks/${id}/replay`, today),
      );
      for (const { body } of await Promise.all(replays)) expect(body.data).toEqual({ queued: FACTS });
      const runs = await playQueue();

      const { received } = scene.receiver;
      const toOthers = received.filter(({ path: to }) => to.startsWith('/of-others/'));
      expect(most(toOthers)).toBeLessThanOrEqual(PER_SECOND);
      expect(toOthers).toHaveLength(PROGRAMS * ENDPOINTS * FACTS);
      expect(new Set(toOthers.map(nameOf)).size).toBe(toOthers.length);
      const toOwn = received.filter(({ path: to }) => to === '/own');
      expect(toOwn).toHaveLength(FACTS);
      expect(bySecond(toOwn).size).toBe(1);

      const shown = (await Promise.all(attacked.map((one) => shownOf(one.brand, one.endpoint)))).flat();
      const waited = shown.filter(({ slowed }) => slowed);
      expect(waited.length).toBeGreaterThan(shown.length / 2);
      expect(shown.filter(({ status, attempts }) => status !== 'delivered' || attempts.length > 1)).toEqual([]);
      expect((await shownOf(own, endpoint)).map(({ slowed }) => slowed)).toEqual(toOwn.map(() => false));
      for (const one of [endpoint, ...attacked.map((each) => each.endpoint)]) {
        expect([await one.due(), await one.replays(), await one.work()]).toEqual([[], [], undefined]);
      }
      // Each endpoint waits until its next turn, and is not read every second.
      expect(runs).toBeLessThan(ENDPOINTS * PROGRAMS * FACTS * 2);
    },
  );

  it('are limited to ten a second if two replays run in parallel; those that wait are shown as slowed', async () => {
    const other = await addEndpoint(scene.world, own, { url: `${scene.receiver.url}/others` });
    await facts(8);
    for (const { id } of [endpoint, other]) await own.owner.post(`${own.path}/webhooks/${id}/replay`, today);
    await Promise.all([endpoint, other].map(({ target }) => deliver(target)));
    expect(most(scene.receiver.received)).toBeLessThanOrEqual(PER_SECOND);
    const shown = (await Promise.all([endpoint, other].map((one) => shownOf(own, one)))).flat();
    const waiting = shown.filter(({ status }) => status === 'pending');
    expect(waiting).toHaveLength(16 - scene.receiver.received.length);
    // Waiting does not count as a failed attempt.
    expect(waiting).toEqual(waiting.map((one) => ({ ...one, slowed: true, attempts: [] })));
    expect(await endpoint.find()).not.toHaveProperty('failingSince');

    await playQueue();
    expect(new Set(scene.receiver.received.map(nameOf)).size).toBe(16);
    expect(scene.receiver.received).toHaveLength(16);
    expect(most(scene.receiver.received)).toBeLessThanOrEqual(PER_SECOND);
    const delivered = (await Promise.all([endpoint, other].map((one) => shownOf(own, one)))).flat();
    // A delivery still shows that it had to wait.
    expect(delivered.map(({ id, status, slowed }) => [id, status, slowed])).toEqual(
      shown.map(({ id, slowed }) => [id, 'delivered', slowed]),
    );
  });
});
