import { describe, expect, it } from 'vitest';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { addEndpoint, deliver, publish, someFact } from '#test/support/outbox/deliveries.ts';
import { deliveryScene } from '#test/support/outbox/delivery-scene.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';

const scene = deliveryScene();

const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const MINUTE_MS = 60_000;

async function aboutCustomer() {
  const clickId = await clicked(scene.brand);
  const fact = someFact(scene.brand, { data: { click_id: clickId, event_name: 'Ada' } });
  const erase = () =>
    eraseCustomer(scene.world.deps(), { programId: scene.brand.program.id, clickId }, () => Promise.resolve());
  return { fact, erase };
}

const onlyDelivery = async () => (await scene.endpoint.deliveries())[0]!;

describe('the responses stored with deliveries about an erased customer', () => {
  it('are deleted for every endpoint, while responses about other customers stay', async () => {
    const { fact, erase } = await aboutCustomer();
    const other = someFact(scene.brand);
    const second = await addEndpoint(scene.world, scene.brand, { url: `${scene.receiver.url}/second` });
    await publish(scene.world, [fact, other]);
    scene.receiver.answer((response, { body }) => response.end(body));
    await deliver(scene.endpoint.target);
    await deliver(second.target);
    await erase();
    await erase();
    for (const deliveries of [await scene.endpoint.deliveries(), await second.deliveries()]) {
      const [erased, kept] = [fact, other].map(({ id }) => deliveries.find(({ factId }) => factId === id)!);
      expect(erased).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }] });
      expect(erased!.attempts[0]).not.toHaveProperty('response');
      expect(JSON.stringify(erased)).not.toContain('Ada');
      expect(kept!.attempts[0]).toHaveProperty('response');
    }
  });

  it('do not come back if the erasure happens during a delivery attempt; that attempt is repeated without the customer’s data', async () => {
    const { fact, erase } = await aboutCustomer();
    await publish(scene.world, [fact]);
    scene.receiver.answer((response) => response.writeHead(500).end('Ada'));
    await deliver(scene.endpoint.target);
    expect(await onlyDelivery()).toMatchObject({ attempts: [{ response: 'Ada' }] });

    scene.receiver.answer((response) => {
      const isFirst = scene.receiver.received.length === 1;
      void (isFirst ? erase() : Promise.resolve()).then(() => response.end('thanks'));
    });
    await deliver(scene.endpoint.target, after(MINUTE_MS));
    expect(scene.receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([fact.id, fact.id]);
    expect(scene.receiver.received.map(({ body }) => body.includes('Ada'))).toEqual([true, false]);
    const delivery = await onlyDelivery();
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 500 }, { response: 'thanks' }] });
    expect(JSON.stringify(delivery)).not.toContain('Ada');
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
  });
});
