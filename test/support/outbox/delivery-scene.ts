import { beforeAll, beforeEach } from 'vitest';
import { addEndpoint, forgetTurns, type TestEndpoint } from '#test/support/outbox/deliveries.ts';
import { allowLoopback, openReceiver, openWakeQueue, type Receiver } from '#test/support/outbox/webhook-receiver.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

interface DeliveryScene {
  world: World;
  receiver: Receiver;
  queue: Awaited<ReturnType<typeof openWakeQueue>>;
  brand: Brand;
  endpoint: TestEndpoint;
  /** Creates another brand with an endpoint, and makes the receiver accept requests again. */
  renew: () => Promise<void>;
}

/**
 * What tests of deliveries share: a table, a receiver and a queue for the file, and a new brand with an endpoint per
 * test.
 */
export function deliveryScene(): DeliveryScene {
  const scene = {} as DeliveryScene;
  scene.renew = async () => {
    scene.receiver.answer();
    scene.queue.take();
    await forgetTurns(scene.world);
    scene.brand = await scene.world.brand();
    scene.endpoint = await addEndpoint(scene.world, scene.brand, { url: `${scene.receiver.url}/hooks` });
  };
  beforeAll(async () => {
    scene.world = await openWorld();
    scene.receiver = await openReceiver();
    scene.queue = await openWakeQueue();
    await allowLoopback();
  });
  beforeEach(() => scene.renew());
  return scene;
}
