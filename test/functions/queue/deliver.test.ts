import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { DeliveryAttempt, DeliveryStatus } from '#lib/service/outbox/sending/delivery.ts';
import type { PageRequest } from '#lib/service/ground/values/paging.ts';
import { storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { deliveriesOf, findDelivery, queueDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { replayWrite, type Replay } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';
import { wakeDueEndpoints } from '#lib/service/outbox/deliveries/wake-due-endpoints.ts';
import { wakeEndpoint } from '#lib/service/outbox/deliveries/wake-endpoint.ts';
import { seal } from '#lib/service/ground/effects/vault.ts';
import {
  addEndpoint,
  deliver,
  deliverAll,
  publish,
  scanned,
  someFact,
  type TestEndpoint,
} from '#test/support/outbox/deliveries.ts';
import { deliveryScene } from '#test/support/outbox/delivery-scene.ts';
import { heldBack, type Receiver } from '#test/support/outbox/webhook-receiver.ts';
import { NOW } from '#test/support/callers/request.ts';

const scene = deliveryScene();

describe('a fact (an event to report) for a webhook endpoint', () => {
  it('is sent once with a signature, and no delivery of it stays due', async () => {
    const fact = someFact(scene.brand);
    await publish(scene.world, [fact]);
    expect(scene.queue.messages).toEqual([heldBack(scene.endpoint.target)]);
    const [queued] = await scene.endpoint.deliveries();
    expect(queued).toMatchObject({ status: 'pending', attempts: [], failures: 0, nextAttemptAt: NOW.toISOString() });
    expect(await scene.endpoint.due()).toMatchObject([{ dueAt: NOW.toISOString(), deliveryId: queued!.id }]);

    await deliver(scene.endpoint.target);
    const [{ path, headers, body }] = scene.receiver.received as [(typeof scene.receiver.received)[0]];
    expect(path).toBe('/hooks');
    expect(JSON.parse(body)).toEqual({
      type: 'sale.recorded',
      timestamp: NOW.toISOString(),
      data: { program_id: scene.brand.program.id, is_test: false, ...fact.data },
    });
    expect(headers).toEqual({
      host: scene.receiver.url.slice('http://'.length),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'accept-encoding': 'identity',
      connection: 'close',
      'user-agent': 'ReferralTracking-Webhooks/0.1.0',
      'webhook-id': fact.id,
      'webhook-timestamp': String(Math.floor(NOW.getTime() / 1_000)),
      'webhook-signature': new Webhook(scene.endpoint.secret).sign(fact.id, NOW, body),
    });
    expect(await scene.endpoint.deliveries()).toMatchObject([
      {
        id: fact.id.replace('evt_', 'dlv_'),
        status: 'delivered',
        failures: 0,
        attempts: [{ statusCode: 200, durationMs: expect.any(Number), response: 'thanks' }],
      },
    ]);
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
    expect(await scene.endpoint.find()).toMatchObject({ status: 'active' });
  });
});

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const ids = () => scene.receiver.received.map(({ headers }) => headers['webhook-id'] as string);
const onlyDelivery = async () => (await scene.endpoint.deliveries())[0]!;
/** Runs the schedule, which also sends delayed messages of the queue. */
const sweep = (at: Date) => wakeDueEndpoints(scene.world.deps(at));

describe('a failed webhook delivery', () => {
  it('is recorded, and is sent again when the next attempt is due, not earlier', async () => {
    const fact = someFact(scene.brand);
    await publish(scene.world, [fact]);
    scene.receiver.status(500);
    scene.queue.take();
    await deliver(scene.endpoint.target);
    const failed = await onlyDelivery();
    expect(failed).toMatchObject({
      status: 'pending',
      failures: 1,
      attempts: [{ statusCode: 500, response: 'status 500' }],
    });
    const [{ at: triedAt, durationMs }] = failed.attempts as [DeliveryAttempt];
    const waitMs = Date.parse(failed.nextAttemptAt!) - Date.parse(triedAt) - durationMs;
    expect(waitMs).toBeGreaterThanOrEqual(4_500);
    expect(waitMs).toBeLessThanOrEqual(5_500);
    expect(await scene.endpoint.due()).toMatchObject([{ dueAt: failed.nextAttemptAt, deliveryId: failed.id }]);
    expect(await scene.endpoint.work()).toMatchObject({ nextAt: failed.nextAttemptAt, leaseUntilMs: 0 });
    expect(await scene.endpoint.find()).toMatchObject({ status: 'active', failingSince: expect.any(String) });
    expect(scene.queue.messages).toEqual([{ ...scene.endpoint.target, delaySeconds: expect.any(Number) }]);
    expect(scene.queue.messages[0]!.delaySeconds).toBeLessThanOrEqual(6);

    scene.receiver.answer();
    await deliver(scene.endpoint.target, after(SECOND_MS));
    expect(scene.receiver.received).toEqual([]);
    await deliver(scene.endpoint.target, after(10 * SECOND_MS));
    expect(ids()).toEqual([fact.id]);
    const delivered = await onlyDelivery();
    expect(delivered).toMatchObject({ status: 'delivered', failures: 0 });
    expect(delivered.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
    expect(delivered).not.toHaveProperty('nextAttemptAt');
    expect(await scene.endpoint.find()).not.toHaveProperty('failingSince');
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('is given up after ten attempts within three days', async () => {
    await publish(scene.world, [someFact(scene.brand)]);
    scene.receiver.status(503, { 'retry-after': '1' });
    let at = NOW;
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliver(scene.endpoint.target, at);
      const { nextAttemptAt } = await onlyDelivery();
      if (nextAttemptAt) at = new Date(nextAttemptAt);
    }
    const delivery = await onlyDelivery();
    expect(delivery).toMatchObject({ status: 'failed', failures: 10 });
    expect(delivery.attempts).toHaveLength(10);
    expect(scene.receiver.received).toHaveLength(10);
    expect(at.getTime() - NOW.getTime()).toBeGreaterThan(2.5 * DAY_MS);
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
    expect(await scene.endpoint.find()).toMatchObject({ status: 'active' });
  });

  it('is sent again after the time in Retry-After, but after at most 24 hours; for a long time, the schedule wakes the sender', async () => {
    await publish(scene.world, [someFact(scene.brand)]);
    scene.queue.take();
    scene.receiver.status(429, { 'retry-after': String(48 * 3_600) });
    await deliver(scene.endpoint.target);
    const { nextAttemptAt } = await onlyDelivery();
    expect(Math.round((Date.parse(nextAttemptAt!) - NOW.getTime()) / HOUR_MS)).toBe(24);
    expect(scene.queue.messages).toEqual([]);
    await sweep(after(23 * HOUR_MS));
    expect(scene.queue.messages).toEqual([]);
    await sweep(after(25 * HOUR_MS));
    expect(scene.queue.messages).toEqual([{ ...scene.endpoint.target, delaySeconds: 0 }]);
  });

  it('stores an error text for the owners, if the endpoint’s URL is the cause', async () => {
    await scene.endpoint.change({ url: 'https://10.0.0.1/hooks' });
    await publish(scene.world, [someFact(scene.brand)]);
    await deliver(scene.endpoint.target);
    const { attempts } = await onlyDelivery();
    expect(attempts).toEqual([
      {
        at: expect.any(String),
        error: 'The address is not an https address of a public host',
        durationMs: expect.any(Number),
      },
    ]);
  });
});

const mailings = async () =>
  (await scanned(scene.world, 'MAILING')).filter(({ kind, data }) => kind === 'webhook_disabled' && isOwn(data));
const isOwn = (data: unknown) => (data as { programId: number }).programId === scene.brand.program.id;

describe('a webhook endpoint is disabled', () => {
  it('by a response 410: its pending deliveries fail, and the owners get a mail', async () => {
    const facts = [someFact(scene.brand), someFact(scene.brand)];
    await publish(scene.world, facts);
    await scene.world.deps().table.transact([replayWrite(replayOf(scene.endpoint), NOW)]);
    scene.receiver.status(410);
    await deliver(scene.endpoint.target);
    expect(await scene.endpoint.find()).toMatchObject({ status: 'disabled', disabledReason: 'It answered 410 Gone' });
    const deliveries = await scene.endpoint.deliveries();
    expect(deliveries.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual([
      ['failed', undefined],
      ['failed', undefined],
    ]);
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.replays()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
    const { id, name, workspaceId } = scene.brand.program;
    expect(await mailings()).toMatchObject([
      {
        to: { ownersOf: workspaceId },
        data: { programId: id, programName: name, url: `${scene.receiver.url}/hooks`, reason: 'It answered 410 Gone' },
      },
    ]);

    // The endpoint gets no facts from now on.
    await publish(scene.world, [someFact(scene.brand)]);
    expect(await scene.endpoint.deliveries()).toHaveLength(2);
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('after five days without a successful delivery', async () => {
    await scene.endpoint.change({ failingSince: after(-5 * DAY_MS).toISOString() });
    await publish(scene.world, [someFact(scene.brand)]);
    scene.receiver.status(500);
    await deliver(scene.endpoint.target);
    expect(await scene.endpoint.find()).toMatchObject({
      status: 'disabled',
      disabledReason: 'Nothing was delivered for five days',
    });
    expect(await onlyDelivery()).toMatchObject({ status: 'failed' });
    expect(await mailings()).toHaveLength(1);
  });

  it('while deliveries wait, which then fail without an attempt', async () => {
    await publish(scene.world, [someFact(scene.brand)]);
    await scene.endpoint.change({ status: 'disabled' });
    await deliver(scene.endpoint.target);
    expect(scene.receiver.received).toEqual([]);
    expect(await onlyDelivery()).toMatchObject({ status: 'failed', attempts: [] });
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
  });
});

describe('a webhook endpoint that is', () => {
  it('paused gets the facts from the time of the pause once an owner sets it active again', async () => {
    await scene.endpoint.change({ status: 'paused' });
    const fact = someFact(scene.brand);
    await publish(scene.world, [fact]);
    await deliver(scene.endpoint.target);
    expect(scene.receiver.received).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
    expect(await onlyDelivery()).toMatchObject({ status: 'pending', attempts: [] });

    await scene.endpoint.change({ status: 'active' });
    await wakeEndpoint(scene.world.deps(after(DAY_MS)), scene.endpoint.target);
    await deliver(scene.endpoint.target, after(DAY_MS));
    expect(ids()).toEqual([fact.id]);
  });

  it('paused until the facts have expired does not get them: their deliveries fail', async () => {
    await scene.endpoint.change({ status: 'paused' });
    await publish(scene.world, [someFact(scene.brand)]);
    // Its delivery was queued again a day later, so it is kept longer.
    await queueDelivery(scene.world.deps().table, {
      endpointId: scene.endpoint.id,
      fact: { ...someFact(scene.brand), id: (await onlyDelivery()).factId },
      now: after(DAY_MS),
    });
    await scene.endpoint.change({ status: 'active' });
    const at = after(30 * DAY_MS + MINUTE_MS);
    await wakeEndpoint(scene.world.deps(at), scene.endpoint.target);
    await deliver(scene.endpoint.target, at);
    expect(scene.receiver.received).toEqual([]);
    expect(await onlyDelivery()).toMatchObject({ status: 'failed', attempts: [] });
    expect(await scene.endpoint.due()).toEqual([]);
  });

  it('deleted gets no further requests, and its delivery items expire', async () => {
    await publish(scene.world, [someFact(scene.brand)]);
    await scene.endpoint.remove();
    await deliver(scene.endpoint.target);
    expect(scene.receiver.received).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
    for (const item of [...(await scene.endpoint.deliveries()), ...(await scene.endpoint.due())]) {
      expect(item).toMatchObject({ expires_at: NOW.getTime() / 1_000 + 30 * 86_400 });
    }
  });
});

describe('the facts (events to report) that the sender sends to a webhook endpoint', () => {
  it('are those of the event types that the endpoint lists; clicks are sent only if it lists them by name', async () => {
    const named = await addEndpoint(scene.world, scene.brand, {
      url: `${scene.receiver.url}/named`,
      events: ['click.recorded'],
    });
    const disabled = await addEndpoint(scene.world, scene.brand, {
      url: `${scene.receiver.url}/disabled`,
      status: 'disabled',
    });
    const [click, sale] = [someFact(scene.brand, { type: 'click.recorded' }), someFact(scene.brand)];
    await publish(scene.world, [click, sale]);
    for (const { target } of [scene.endpoint, named, disabled]) await deliver(target);
    expect(scene.receiver.received.map(({ path, headers }) => [path, headers['webhook-id']])).toEqual([
      ['/hooks', sale.id],
      ['/named', click.id],
    ]);
  });

  it('are sent once even if the same fact is published several times', async () => {
    const facts = [someFact(scene.brand), someFact(scene.brand)];
    await publish(scene.world, facts);
    await publish(scene.world, facts);
    await deliver(scene.endpoint.target);
    await publish(scene.world, facts, after(MINUTE_MS));
    await deliver(scene.endpoint.target, after(MINUTE_MS));
    expect(ids().toSorted()).toEqual(facts.map(({ id }) => id).toSorted());
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('carry two signatures, by the old and the new secret, while the secret is being replaced', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const sealed = await seal(scene.world.deps(), secret, { programId: scene.brand.program.id });
    const [former] = (await scene.endpoint.find())!.secrets;
    await scene.endpoint.change({
      secrets: [{ sealed }, { ...former!, until: after(DAY_MS).toISOString() }],
    });
    const fact = someFact(scene.brand);
    await publish(scene.world, [fact]);
    await deliver(scene.endpoint.target);
    const [{ headers, body }] = scene.receiver.received as [Receiver['received'][0]];
    expect(headers['webhook-signature']).toBe(
      [secret, scene.endpoint.secret].map((each) => new Webhook(each).sign(fact.id, NOW, body)).join(' '),
    );
  });
});

const replayOf = ({ id: endpointId }: TestEndpoint, more: Partial<Replay> = {}): Replay => ({
  endpointId,
  id: 'rpl_1',
  from: after(-DAY_MS).toISOString(),
  to: after(DAY_MS).toISOString(),
  ...more,
});

const at = (ms: number) => ({ timestamp: after(ms).toISOString() });

describe('a replay of webhook deliveries', () => {
  it('sends an endpoint’s facts of the chosen days again, in several steps, with the same webhook ids', async () => {
    const facts = Array.from({ length: 120 }, (_, n) => someFact(scene.brand, at(-n * SECOND_MS)));
    const before = someFact(scene.brand, at(-DAY_MS - 1));
    const afterwards = someFact(scene.brand, at(DAY_MS));
    const test = someFact(scene.brand, { type: 'endpoint.test' });
    const click = someFact(scene.brand, { type: 'click.recorded' });
    const lead = someFact(scene.brand, { type: 'lead.recorded', timestamp: before.timestamp });
    await Promise.all(
      [...facts, before, afterwards, test, click, lead].map((fact) => storeFact(scene.world.deps().table, fact)),
    );
    await publish(scene.world, facts.slice(0, 1));
    await deliver(scene.endpoint.target);
    expect(ids()).toEqual([facts[0]!.id]);
    scene.receiver.answer();

    const { table } = scene.world.deps();
    await table.transact([replayWrite(replayOf(scene.endpoint), NOW)]);
    await wakeEndpoint(scene.world.deps(), scene.endpoint.target);
    await deliverAll(scene.endpoint);
    expect(ids().toSorted()).toEqual(facts.map(({ id }) => id).toSorted());
    expect(await scene.endpoint.replays()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
    const delivery = (await scene.endpoint.deliveries()).find(({ factId }) => factId === facts[0]!.id);
    expect(delivery!.attempts).toHaveLength(2);

    scene.receiver.answer();
    await table.transact([replayWrite(replayOf(scene.endpoint, { from: lead.timestamp, type: 'lead.recorded' }), NOW)]);
    await wakeEndpoint(scene.world.deps(), scene.endpoint.target);
    await deliverAll(scene.endpoint);
    expect(ids()).toEqual([lead.id]);
  });

  it('ends at once if the endpoint has no deliveries in that time', async () => {
    await scene.world.deps().table.transact([replayWrite(replayOf(scene.endpoint), NOW)]);
    await wakeEndpoint(scene.world.deps(), scene.endpoint.target);
    await deliver(scene.endpoint.target);
    expect(await scene.endpoint.replays()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
  });

  it('sends a single delivery again at once, regardless of its status', async () => {
    const fact = someFact(scene.brand);
    await publish(scene.world, [fact]);
    scene.receiver.status(500);
    await deliver(scene.endpoint.target);
    const waiting = await onlyDelivery();
    scene.receiver.answer();
    const { table } = scene.world.deps();
    const queued = await queueDelivery(table, { endpointId: scene.endpoint.id, fact, now: after(SECOND_MS) });
    expect(queued).toMatchObject({
      status: 'pending',
      failures: 0,
      attempts: waiting.attempts,
      nextAttemptAt: after(SECOND_MS).toISOString(),
      createdAt: waiting.createdAt,
    });
    expect(await findDelivery(scene.world.deps().table, scene.endpoint.id, queued.id)).toEqual(await onlyDelivery());
    await wakeEndpoint(scene.world.deps(after(SECOND_MS)), scene.endpoint.target);
    await deliver(scene.endpoint.target, after(SECOND_MS));
    expect(ids()).toEqual([fact.id]);
    // The next run deletes the due entry of the cancelled attempt.
    await deliver(scene.endpoint.target, after(MINUTE_MS));
    expect(ids()).toEqual([fact.id]);
    expect(await scene.endpoint.due()).toEqual([]);
    expect(await scene.endpoint.work()).toBeUndefined();
  });
});

it('the list of an endpoint’s deliveries shows the newest facts first, in pages, and can be filtered by status', async () => {
  const facts = [3, 2, 1].map((n) => someFact(scene.brand, { timestamp: after(-n * SECOND_MS).toISOString() }));
  await publish(scene.world, facts);
  scene.receiver.answer((response, { headers }) =>
    response.writeHead(headers['webhook-id'] === facts[1]!.id ? 500 : 200).end(),
  );
  await deliver(scene.endpoint.target);
  const list = (page: PageRequest, status?: DeliveryStatus, now = NOW) =>
    deliveriesOf(scene.world.deps().table, scene.endpoint.id, page, { now, status });
  const newest = await list({ most: 2 });
  expect(newest.items.map(({ factId }) => factId)).toEqual([facts[2]!.id, facts[1]!.id]);
  const oldest = await list({ most: 2, after: newest.next });
  expect(oldest.items.map(({ factId }) => factId)).toEqual([facts[0]!.id]);
  expect(oldest.next).toBeUndefined();
  const pending = await list({ most: 2 }, 'pending');
  expect(pending.items.map(({ factId }) => factId)).toEqual([facts[1]!.id]);
  expect((await list({ most: 2 }, undefined, after(31 * DAY_MS))).items).toEqual([]);
});
