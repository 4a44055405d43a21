import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { deliverer } from '#infra/routes.ts';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { queueDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { replayWrite } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';
import { deliverWebhooks, type SenderDeps } from '#lib/service/outbox/deliveries/deliver-webhooks.ts';
import { wakeDueEndpoints } from '#lib/service/outbox/deliveries/wake-due-endpoints.ts';
import { wakeEndpoint } from '#lib/service/outbox/deliveries/wake-endpoint.ts';
import { createWebhookSender, webhookSender } from '#lib/service/outbox/effects/webhook-sender.ts';
import { addEndpoint, deliver, deliverAll, publish, someFact } from '#test/support/outbox/deliveries.ts';
import { deliveryScene } from '#test/support/outbox/delivery-scene.ts';
import { heldBack } from '#test/support/outbox/webhook-receiver.ts';
import { dyingAt, failingNth } from '#test/support/table/each-call.ts';
import { failingAt, failingTransactionOf, overtakenBy, refused, replyLost } from '#test/support/table/faults.ts';
import { NOW } from '#test/support/callers/request.ts';
import { actionsOf, sentCalls } from '#test/support/servers/sent-calls.ts';

const scene = deliveryScene();

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const ids = () => scene.receiver.received.map(({ headers }) => headers['webhook-id'] as string);
const sorted = (texts: Iterable<string>): string[] => [...texts].toSorted();
const idsOf = (facts: readonly Fact[]) => sorted(facts.map(({ id }) => id));
const someFacts = (count: number) => Array.from({ length: count }, () => someFact(scene.brand));

/** Runs a sender whose clock the test moves. */
function senderAt(
  at: Date,
  { timeoutMs = 15_000, hasTime = () => true, ...more }: Partial<SenderDeps & { timeoutMs: number }> = {},
) {
  const deps = requestDeps(at, 'test');
  const hasty = createWebhookSender({ allowsLoopback: true, own: [], timeoutMs });
  const once: SenderDeps['once'] = (make) =>
    (make as unknown) === webhookSender ? (hasty as ReturnType<typeof make>) : deps.once(make);
  let ticks = 0;
  const sender: SenderDeps = {
    ...deps,
    once,
    clock: () => new Date(at.getTime() + ticks++),
    hasTime,
    pause: () => new Promise(setImmediate),
    ...more,
  };
  return () => deliverWebhooks(sender, scene.endpoint.target);
}

it('the sender sends each of many facts to the endpoint once, at most ten in parallel', { tags: 'deep' }, async () => {
  const facts = someFacts(150);
  await publish(scene.world, facts);
  let [open, most] = [0, 0];
  scene.receiver.answer((response) => {
    most = Math.max(most, ++open);
    setImmediate(() => {
      open -= 1;
      response.end();
    });
  });
  await deliverAll(scene.endpoint);
  expect(ids().toSorted()).toEqual(idsOf(facts));
  expect(most).toBeLessThanOrEqual(10);
  expect(await scene.endpoint.due()).toEqual([]);
  expect(await scene.endpoint.work()).toBeUndefined();
});

it('a webhook endpoint that does not answer delays only its own deliveries', async () => {
  const url = `${scene.receiver.url.replace('127.0.0.1', 'localhost')}/hangs`;
  const hanging = await addEndpoint(scene.world, scene.brand, { url });
  const facts = someFacts(20);
  await publish(scene.world, facts);
  const held = Promise.withResolvers<void>();
  scene.receiver.answer((response, { path }) => {
    if (path === '/hangs') void held.promise.then(() => response.end());
    else response.end();
  });
  const hangs = deliver(hanging.target);
  await deliverAll(scene.endpoint);
  const sent = scene.receiver.received.filter(({ path }) => path === '/hooks');
  expect(sorted(sent.map(({ headers }) => headers['webhook-id'] as string))).toEqual(idsOf(facts));
  expect(scene.receiver.received.filter(({ path }) => path === '/hangs').length).toBeLessThanOrEqual(10);
  held.resolve();
  await hangs;
  await deliverAll(hanging, after(MINUTE_MS));
  expect(await hanging.due()).toEqual([]);
});

it('an endpoint’s response that never ends does not delay the facts after it', async () => {
  const [slow, ...quick] = someFacts(30) as [Fact, ...Fact[]];
  await publish(scene.world, [slow, ...quick]);
  const late = someFact(scene.brand);
  const held = Promise.withResolvers<void>();
  scene.receiver.answer((response, { headers }) => {
    if (headers['webhook-id'] === slow.id) void held.promise.then(() => response.end());
    else response.end();
  });
  let elapsedMs = 0;
  const run = senderAt(NOW, { clock: () => after((elapsedMs += 250)) })();
  await expect.poll(() => ids().length).toBe(30);
  // Publishes at the time of the sender's clock, which runs fast; its lease would otherwise begin in the future.
  await publish(scene.world, [late], after(elapsedMs));
  await expect.poll(ids).toContain(late.id);
  // The sender has read the late fact without a wake-up message.
  expect(scene.queue.messages).toEqual([heldBack(scene.endpoint.target)]);
  held.resolve();
  await run;
  expect(ids().toSorted()).toEqual(idsOf([slow, ...quick, late]));
  expect(await scene.endpoint.work()).toBeUndefined();
});

describe('a sender’s lease on an endpoint', () => {
  it('keeps other senders from sending to that endpoint', async () => {
    const facts = someFacts(3);
    await publish(scene.world, facts);
    const held = Promise.withResolvers<void>();
    scene.receiver.answer((response) => void held.promise.then(() => response.end()));
    const first = senderAt(NOW)();
    await expect.poll(() => ids().length).toBe(3);
    await senderAt(after(1))();
    scene.queue.take();
    await wakeDueEndpoints(scene.world.deps(after(1)));
    expect(scene.queue.messages).toEqual([]);
    expect(ids()).toHaveLength(3);
    held.resolve();
    await first;
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('expires if the sender crashes, and the next sender sends the same deliveries again with the same webhook ids', async () => {
    const [fact] = someFacts(1) as [Fact];
    await publish(scene.world, [fact]);
    const held = Promise.withResolvers<void>();
    scene.receiver.answer((response) => void held.promise.then(() => response.end()));
    const first = senderAt(NOW)();
    await expect.poll(() => ids().length).toBe(1);

    scene.queue.take();
    await wakeDueEndpoints(scene.world.deps(after(MINUTE_MS)));
    expect(scene.queue.messages).toEqual([{ ...scene.endpoint.target, delaySeconds: 0 }]);
    const second = senderAt(after(MINUTE_MS))();
    await expect.poll(() => ids().length).toBe(2);
    expect(ids()).toEqual([fact.id, fact.id]);
    // The first sender was only slow, and both finish.
    held.resolve();
    await Promise.all([first, second]);
    expect(await scene.endpoint.deliveries()).toMatchObject([{ status: 'delivered' }]);
    expect((await scene.endpoint.deliveries())[0]!.attempts).toHaveLength(1);
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('expires on time even if the clock was ahead when the lease was taken', async () => {
    const [fact] = someFacts(1) as [Fact];
    await publish(scene.world, [fact]);
    const { table } = scene.world.deps();
    await table.update(factKeys.webhookWork(scene.endpoint.id), {
      set: { holder: 'other', leaseUntilMs: after(365 * 24 * 60 * MINUTE_MS).getTime() },
    });
    await deliver(scene.endpoint.target);
    expect(ids()).toEqual([fact.id]);
  });

  it('is extended while deliveries are still being sent', async () => {
    const facts = someFacts(40);
    await publish(scene.world, facts);
    let elapsedMs = 0;
    await senderAt(NOW, { clock: () => after((elapsedMs += 3 * SECOND_MS)) })();
    expect(elapsedMs).toBeGreaterThan(90 * SECOND_MS);
    expect(ids().toSorted()).toEqual(idsOf(facts));
    expect(await scene.endpoint.work()).toBeUndefined();
  });
});

describe('when the time of a sender’s function runs out', () => {
  it('the sender finishes the deliveries in progress and leaves the rest to the next sender', async () => {
    const facts = someFacts(30);
    await publish(scene.world, facts);
    scene.queue.take();
    let chances = 2;
    await senderAt(NOW, { hasTime: () => chances-- > 0 })();
    expect(ids().length).toBeGreaterThan(0);
    expect(ids().length).toBeLessThan(20);
    expect(scene.queue.messages).toEqual([{ ...scene.endpoint.target, delaySeconds: 0 }]);
    expect(await scene.endpoint.work()).toMatchObject({ leaseUntilMs: 0 });
    await deliverAll(scene.endpoint, after(SECOND_MS));
    expect(ids().toSorted()).toEqual(idsOf(facts));
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('a sender that has only 5 seconds left at its start sends nothing', async () => {
    await publish(scene.world, someFacts(1));
    await deliver(scene.endpoint.target, NOW, 5_000);
    expect(ids()).toEqual([]);
    await deliver(scene.endpoint.target, after(1));
    expect(ids()).toHaveLength(1);
  });
});

describe('a queue message that wakes the sender', () => {
  it('changes nothing if it arrives several times, or if no delivery is due', async () => {
    await deliver(scene.endpoint.target);
    const facts = someFacts(5);
    await publish(scene.world, facts);
    await Promise.all([deliver(scene.endpoint.target), deliver(scene.endpoint.target), deliver(scene.endpoint.target)]);
    await deliver(scene.endpoint.target);
    expect(ids().toSorted()).toEqual(idsOf(facts));
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('is delayed if it is about new facts, and no second one is sent for further facts until a sender starts', async () => {
    const [first, second, third, fourth] = someFacts(4) as [Fact, Fact, Fact, Fact];
    await publish(scene.world, [first]);
    await publish(scene.world, [second], after(SECOND_MS));
    expect(scene.queue.messages).toEqual([heldBack(scene.endpoint.target)]);
    expect(await scene.endpoint.work()).toMatchObject({ wakes: 2, unheard: 2 });
    scene.receiver.status(500);
    await deliver(scene.endpoint.target, after(2 * SECOND_MS));
    expect(await scene.endpoint.work()).not.toHaveProperty('unheard');

    // The endpoint has work left, and its message was taken.
    scene.queue.take();
    await publish(scene.world, [third], after(3 * SECOND_MS));
    expect(scene.queue.messages).toEqual([heldBack(scene.endpoint.target)]);
    scene.receiver.answer();
    await deliver(scene.endpoint.target, after(MINUTE_MS));
    expect(ids().toSorted()).toEqual(idsOf([first, second, third]));

    scene.queue.take();
    await publish(scene.world, [fourth], after(2 * MINUTE_MS));
    expect(scene.queue.messages).toEqual([heldBack(scene.endpoint.target)]);
    await deliver(scene.endpoint.target, after(2 * MINUTE_MS));
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('about a user’s request is sent at once, even while a delayed message waits', async () => {
    await publish(scene.world, someFacts(1));
    scene.queue.take();
    await wakeEndpoint(scene.world.deps(), scene.endpoint.target);
    expect(scene.queue.messages).toEqual([{ ...scene.endpoint.target, delaySeconds: 0 }]);
    await deliver(scene.endpoint.target);
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('is sent again by the schedule if it was lost, and the sender then also sends facts that were recorded since', async () => {
    scene.queue.take(false);
    const [first, second] = someFacts(2) as [Fact, Fact];
    await publish(scene.world, [first]);
    scene.queue.take();
    await publish(scene.world, [second], after(SECOND_MS));
    expect(scene.queue.messages).toEqual([]);
    await wakeDueEndpoints(scene.world.deps(after(MINUTE_MS)));
    expect(scene.queue.messages).toEqual([{ ...scene.endpoint.target, delaySeconds: 0 }]);
    await deliver(scene.endpoint.target, after(MINUTE_MS));
    expect(ids().toSorted()).toEqual(idsOf([first, second]));
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('is sent for an endpoint whose deliveries a former version of the service left waiting', async () => {
    const { table } = scene.world.deps();
    await table.put(factKeys.webhookWork(scene.endpoint.id), {
      ...scene.endpoint.target,
      wakes: 7,
      nextAt: NOW.toISOString(),
      leaseUntilMs: 0,
    });
    const facts = someFacts(1);
    await publish(scene.world, facts);
    expect(scene.queue.messages).toEqual([heldBack(scene.endpoint.target)]);
    await deliver(scene.endpoint.target);
    expect(ids()).toEqual(idsOf(facts));
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('is sent by the schedule if the queue refused it', async () => {
    scene.queue.take(false);
    const facts = someFacts(1);
    await publish(scene.world, facts);
    scene.queue.take();
    await wakeDueEndpoints(scene.world.deps(after(MINUTE_MS)));
    expect(scene.queue.messages).toEqual([{ ...scene.endpoint.target, delaySeconds: 0 }]);
    await deliver(scene.endpoint.target, after(MINUTE_MS));
    expect(ids()).toEqual(idsOf(facts));
  });

  it('is not lost if a new fact arrives just before the sender stops', async () => {
    const [first, second] = someFacts(2) as [Fact, Fact];
    await publish(scene.world, [first]);
    // The fact arrives after the sender's last read, which found nothing, and before the write that releases the lease.
    let isOver = false;
    const run = () =>
      failingLast(
        async (send) => {
          isOver = true;
          await publish(scene.world, [second]);
          return send();
        },
        () => deliver(scene.endpoint.target),
      );
    await run();
    expect(isOver).toBe(true);
    expect(ids()).toEqual([first.id, second.id]);
    expect(await scene.endpoint.work()).toBeUndefined();
  });
});

/** Runs an action with a fault before the write that ends an endpoint's work. */
async function failingLast(fault: (send: () => Promise<unknown>) => Promise<unknown>, run: () => Promise<unknown>) {
  let isDue = true;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: object) => Promise<unknown>;
  function sendOrFail(this: DynamoDBDocumentClient, command: { input: { Key?: { pk: string } } }): Promise<unknown> {
    const isLast = command.constructor.name === 'DeleteCommand' && command.input.Key?.pk === 'WEBHOOK_WORK';
    if (!isLast || !isDue) return send.call(this, command);
    isDue = false;
    return fault(() => send.call(this, command));
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: sendOrFail });
  try {
    await run();
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

/** Runs the sender until nothing is left, a minute apart, like the schedule. */
async function untilDone(): Promise<void> {
  for (let minutes = 1; await scene.endpoint.work(); minutes++) {
    if (minutes > 10) throw new Error('The work comes to no end');
    await deliver(scene.endpoint.target, after(minutes * MINUTE_MS));
  }
}

/** The state of the facts, which does not depend on the number of deliveries. */
const outcome = async () => ({
  sent: sorted(new Set(ids())),
  statuses: (await scene.endpoint.deliveries()).map(({ status }) => status),
  due: await scene.endpoint.due(),
  replays: await scene.endpoint.replays(),
});
const allDelivered = (facts: readonly Fact[]) => ({
  sent: idsOf(facts),
  statuses: facts.map(() => 'delivered'),
  due: [],
  replays: [],
});

describe('when any one table call of the sender fails,', () => {
  it.each(['InternalServerError', 'ProvisionedThroughputExceededException'])(
    'every fact is still eventually sent (error %s)',
    { tags: ['deep'] },
    async (name) => {
      for (let n = 1; ; n++) {
        await scene.renew();
        const facts = someFacts(2);
        await publish(scene.world, facts);
        const run = await failingNth(
          n,
          () =>
            deliver(scene.endpoint.target).then(
              () => 'ended',
              () => 'threw',
            ),
          name,
        );
        await untilDone();
        expect(await outcome()).toEqual(allDelivered(facts));
        if (run === undefined) break;
      }
    },
  );

  it.each([
    ['not executed', 200],
    ['executed with a lost reply', 200],
    ['not executed', 500],
    ['executed with a lost reply', 500],
  ])(
    'and all later calls fail too, the next sender continues once the lease expires (last call %s; endpoint answered %i)',
    { tags: ['deep'] },
    async (last, status) => {
      for (let n = 1; ; n++) {
        await scene.renew();
        const facts = someFacts(2);
        await publish(scene.world, facts);
        scene.receiver.status(status);
        const died = await dyingAt(n, last !== 'not executed', () => deliver(scene.endpoint.target));
        // Earlier deliveries are removed from the receiver only if it refused them.
        if (status === 500) scene.receiver.answer();
        await untilDone();
        expect(await outcome()).toEqual(allDelivered(facts));
        if (!died) break;
      }
    },
  );

  it('because its reply was lost although the call was executed, every fact is still eventually sent', async () => {
    for (let n = 1; n <= 8; n++) {
      await scene.renew();
      const facts = someFacts(1);
      await publish(scene.world, facts);
      await failingAt(n, replyLost, () => deliver(scene.endpoint.target).catch(() => undefined));
      await untilDone();
      expect(await outcome()).toEqual(allDelivered(facts));
    }
  });

  it('no fact is lost, because the stream delivers its record again', async () => {
    for (let n = 1; ; n++) {
      await scene.renew();
      const facts = someFacts(2);
      const run = await failingNth(n, () =>
        publish(scene.world, facts).then(
          () => 'ended',
          () => 'threw',
        ),
      );
      if (run !== 'ended') await publish(scene.world, facts, after(SECOND_MS));
      await deliver(scene.endpoint.target, after(2 * SECOND_MS));
      await untilDone();
      expect(await outcome()).toEqual(allDelivered(facts));
      if (run === undefined) break;
    }
  });

  it('a replay of deliveries is still completed', { tags: ['deep'] }, async () => {
    for (let n = 1; ; n++) {
      await scene.renew();
      const facts = someFacts(2);
      const { table } = scene.world.deps();
      await Promise.all(facts.map((fact) => storeFact(table, fact)));
      await table.transact([
        replayWrite(
          { endpointId: scene.endpoint.id, id: 'rpl_1', from: NOW.toISOString(), to: after(1).toISOString() },
          NOW,
        ),
      ]);
      await wakeEndpoint(scene.world.deps(), scene.endpoint.target);
      const run = await failingNth(n, () =>
        deliver(scene.endpoint.target).then(
          () => 'ended',
          () => 'threw',
        ),
      );
      await untilDone();
      expect(await outcome()).toEqual(allDelivered(facts));
      if (run === undefined) break;
    }
  });

  it('an endpoint that answered 410 ends disabled, with no delivery waiting', { tags: ['deep'] }, async () => {
    for (let n = 1; ; n++) {
      await scene.renew();
      await publish(scene.world, someFacts(2));
      scene.receiver.status(410);
      const run = await failingNth(n, () =>
        deliver(scene.endpoint.target).then(
          () => 'ended',
          () => 'threw',
        ),
      );
      await untilDone();
      expect(await scene.endpoint.find()).toMatchObject({ status: 'disabled' });
      expect((await scene.endpoint.deliveries()).map(({ status }) => status)).toEqual(['failed', 'failed']);
      expect(await scene.endpoint.due()).toEqual([]);
      if (run === undefined) break;
    }
  });
});

it('if an endpoint is edited while the sender updates its health, both changes are kept', async () => {
  await publish(scene.world, someFacts(1));
  scene.receiver.status(500);
  const { pk } = factKeys.webhooks(scene.brand.program.id);
  await failingTransactionOf(
    pk,
    overtakenBy(() => scene.endpoint.change({ description: 'changed' })),
    () => deliver(scene.endpoint.target),
  );
  expect(await scene.endpoint.find()).toMatchObject({ description: 'changed', failingSince: expect.any(String) });
});

it('a delivery that an owner queues again during an attempt is sent once more', async () => {
  const [fact] = someFacts(1) as [Fact];
  await publish(scene.world, [fact]);
  scene.receiver.answer((response) => {
    if (ids().length > 1) response.end();
    else {
      void queueDelivery(scene.world.deps().table, { endpointId: scene.endpoint.id, fact, now: after(1) }).then(() =>
        response.end(),
      );
    }
  });
  await deliver(scene.endpoint.target, after(SECOND_MS));
  expect(ids()).toEqual([fact.id, fact.id]);
  expect(await scene.endpoint.deliveries()).toMatchObject([{ status: 'delivered' }]);
  expect(await scene.endpoint.due()).toEqual([]);
});

it('if a delivery is queued again while the sender reads it, the sender acts on its latest state', async () => {
  const [fact] = someFacts(1) as [Fact];
  await publish(scene.world, [fact]);
  const queued = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  scene.receiver.answer((response) => {
    void held.promise.then(() => response.end());
    if (ids().length === 1) {
      const again = { endpointId: scene.endpoint.id, fact, now: after(1) };
      void queueDelivery(scene.world.deps().table, again).then(() => queued.resolve());
    }
  });
  const run = withSecondReadHeld(queued.promise, senderAt(after(SECOND_MS)));
  await expect.poll(ids).toEqual([fact.id, fact.id]);
  held.resolve();
  await run;
  expect(await scene.endpoint.deliveries()).toMatchObject([{ status: 'delivered' }]);
  expect(await scene.endpoint.due()).toEqual([]);
  expect(await scene.endpoint.work()).toBeUndefined();
});

/** Runs an action whose second read of due work waits for another one. */
async function withSecondReadHeld(until: Promise<void>, run: () => Promise<void>): Promise<void> {
  let looks = 0;
  const { pk } = factKeys.dueDelivery(scene.endpoint.id, '', '');
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: object) => Promise<unknown>;
  async function sendOrWait(
    this: DynamoDBDocumentClient,
    command: { input: { ExpressionAttributeValues?: { ':pk'?: string } } },
  ): Promise<unknown> {
    if (command.input.ExpressionAttributeValues?.[':pk'] === pk && ++looks === 2) await until;
    return send.call(this, command);
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: sendOrWait });
  try {
    await run();
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

it('if the table refuses every call, the sender fails, so its message returns to the queue', async () => {
  await publish(scene.world, someFacts(1));
  await expect(failingAt(1, refused('AccessDeniedException'), () => deliver(scene.endpoint.target))).rejects.toThrow(
    'AccessDeniedException',
  );
});

it('no log line of the sender contains a body, a URL or a secret', async () => {
  const lines: string[] = [];
  const write = (...parts: unknown[]) =>
    void lines.push(JSON.stringify(parts.map((part) => (part instanceof Error ? part.stack : part))));
  const log = { info: write, warn: write, error: write };
  scene.queue.take(false);
  await scene.endpoint.change({ url: `${scene.receiver.url}/hooks?token=hidden-token` });
  await publish(scene.world, someFacts(1));
  scene.receiver.status(500);
  await senderAt(NOW, { log })();
  await wakeEndpoint({ ...scene.world.deps(), log }, scene.endpoint.target);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toContain('endpoint_not_woken');
    for (const hidden of ['hidden-token', scene.endpoint.secret, 'in_', 'status 500'])
      expect(line).not.toContain(hidden);
  }
});

it('the sender needs only the table permissions of its function', async () => {
  const { table } = scene.world.deps();
  await publish(scene.world, someFacts(2));
  await table.transact([
    replayWrite(
      { endpointId: scene.endpoint.id, id: 'rpl_1', from: NOW.toISOString(), to: after(1).toISOString() },
      NOW,
    ),
  ]);
  const calls = await sentCalls(async () => {
    scene.receiver.status(500);
    await deliver(scene.endpoint.target);
    scene.receiver.status(410);
    await deliver(scene.endpoint.target, after(MINUTE_MS));
  });
  expect(actionsOf(calls)).toEqual(deliverer.tableActions.toSorted());
});
