import { beforeEach, describe, expect, it } from 'vitest';

import { dayOf } from '#lib/domain/day.ts';
import { factKeys } from '#lib/service/store/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/commissions.ts';
import { addEndpoint, deliver, type TestEndpoint } from '#test/support/deliveries.ts';
import { deliveryScene } from '#test/support/delivery-scene.ts';
import { platformError } from '#test/support/errors.ts';
import { NOW } from '#test/support/request.ts';
import { factOf } from '#test/support/webhooks.ts';

// Whoever has an endpoint can point it at a host of others, and let the service send what happened again and again.

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

describe('one replay at a time', () => {
  it('of 30 calls at once one is queued, and audited', async () => {
    await facts(3);
    const replies = await Promise.all(Array.from({ length: 30 }, () => replay()));
    const [queued, ...others] = replies.toSorted((a, b) => a.status - b.status);
    expect(queued).toMatchObject({ status: 200, body: { data: { queued: 3 } } });
    expect(others.map(({ status, body }) => ({ status, body }))).toEqual(others.map(() => underWay));
    expect(await scene.world.items(factKeys.replay(endpoint.id).pk)).toHaveLength(1);
    const { data } = (await own.owner.get('/workspace/audit')).body;
    expect(data.filter(({ action }: { action: string }) => action === 'webhook.replayed')).toHaveLength(1);
  });

  it('another one may begin when all of it was sent', async () => {
    await facts(2);
    expect((await replay()).status).toBe(200);
    expect(await replay()).toMatchObject(underWay);
    await deliver(endpoint.target);
    expect(scene.receiver.received).toHaveLength(2);
    expect((await replay()).status).toBe(200);
  });

  it('of each endpoint', async () => {
    await facts(1);
    const other = await addEndpoint(scene.world, own, { url: `${scene.receiver.url}/others` });
    expect((await replay()).status).toBe(200);
    expect((await own.owner.post(`${own.path}/webhooks/${other.id}/replay`, today)).status).toBe(200);
  });
});
