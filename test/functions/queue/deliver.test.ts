import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { DeliveryAttempt, DeliveryStatus } from '#lib/domain/delivery.ts';
import type { PageRequest } from '#lib/domain/paging.ts';
import { storeFact } from '#lib/service/store/facts.ts';
import { deliveriesOf, findDelivery, queueDelivery } from '#lib/service/store/webhook-deliveries.ts';
import { putReplay, type Replay } from '#lib/service/store/webhook-replays.ts';
import { wakeDueEndpoints } from '#lib/service/use-cases/wake-due-endpoints.ts';
import { wakeEndpoint } from '#lib/service/use-cases/wake-endpoint.ts';
import { seal } from '#lib/service/vault.ts';
import { addEndpoint, deliver, publish, scanned, someFact, type TestEndpoint } from '#test/support/deliveries.ts';
import { allowLoopback, openReceiver, openWakeQueue, type Receiver } from '#test/support/webhook-receiver.ts';
import { NOW } from '#test/support/request.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

let world: World;
let receiver: Receiver;
let queue: Awaited<ReturnType<typeof openWakeQueue>>;
let brand: Brand;
let endpoint: TestEndpoint;
beforeAll(async () => {
  world = await openWorld();
  receiver = await openReceiver();
  queue = await openWakeQueue();
  await allowLoopback();
});
beforeEach(async () => {
  receiver.answer();
  queue.take();
  brand = await world.brand();
  endpoint = await addEndpoint(world, brand, { url: `${receiver.url}/hooks` });
});

describe('a fact', () => {
  it('is sent, signed, and then nothing is left to be done', async () => {
    const fact = someFact(brand);
    await publish(world, [fact]);
    expect(queue.messages).toEqual([{ ...endpoint.target, delaySeconds: 0 }]);
    const [queued] = await endpoint.deliveries();
    expect(queued).toMatchObject({ status: 'pending', attempts: [], failures: 0, nextAttemptAt: NOW.toISOString() });
    expect(await endpoint.due()).toMatchObject([{ dueAt: NOW.toISOString(), deliveryId: queued!.id }]);

    await deliver(endpoint.target);
    const [{ path, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(path).toBe('/hooks');
    expect(JSON.parse(body)).toEqual({
      type: 'sale.recorded',
      timestamp: NOW.toISOString(),
      data: { program_id: brand.program.id, is_test: false, ...fact.data },
    });
    expect(headers).toEqual({
      host: receiver.url.slice('http://'.length),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'accept-encoding': 'identity',
      connection: 'close',
      'user-agent': 'ReferralTracking-Webhooks/0.1.0',
      'webhook-id': fact.id,
      'webhook-timestamp': String(Math.floor(NOW.getTime() / 1_000)),
      'webhook-signature': new Webhook(endpoint.secret).sign(fact.id, NOW, body),
    });
    expect(await endpoint.deliveries()).toMatchObject([
      {
        id: fact.id.replace('evt_', 'dlv_'),
        status: 'delivered',
        failures: 0,
        attempts: [{ statusCode: 200, durationMs: expect.any(Number), response: 'thanks' }],
      },
    ]);
    expect(await endpoint.due()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
    expect(await endpoint.find()).toMatchObject({ status: 'active' });
  });
});

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'] as string);
const onlyDelivery = async () => (await endpoint.deliveries())[0]!;
/** What the schedule and the held back messages of the queue would do. */
const sweep = (at: Date) => wakeDueEndpoints(world.deps(at));

describe('a failure', () => {
  it('is noted, and attempted again when the next attempt is due, not before', async () => {
    const fact = someFact(brand);
    await publish(world, [fact]);
    receiver.status(500);
    queue.take();
    await deliver(endpoint.target);
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
    expect(await endpoint.due()).toMatchObject([{ dueAt: failed.nextAttemptAt, deliveryId: failed.id }]);
    expect(await endpoint.work()).toMatchObject({ nextAt: failed.nextAttemptAt, leaseUntilMs: 0 });
    expect(await endpoint.find()).toMatchObject({ status: 'active', failingSince: expect.any(String) });
    expect(queue.messages).toEqual([{ ...endpoint.target, delaySeconds: expect.any(Number) }]);
    expect(queue.messages[0]!.delaySeconds).toBeLessThanOrEqual(6);

    receiver.answer();
    await deliver(endpoint.target, after(SECOND_MS));
    expect(receiver.received).toEqual([]);
    await deliver(endpoint.target, after(10 * SECOND_MS));
    expect(ids()).toEqual([fact.id]);
    const delivered = await onlyDelivery();
    expect(delivered).toMatchObject({ status: 'delivered', failures: 0 });
    expect(delivered.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
    expect(delivered).not.toHaveProperty('nextAttemptAt');
    expect(await endpoint.find()).not.toHaveProperty('failingSince');
    expect(await endpoint.due()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
  });

  it('that goes on comes to its end after ten attempts in three days', async () => {
    await publish(world, [someFact(brand)]);
    receiver.status(503, { 'retry-after': '1' });
    let at = NOW;
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliver(endpoint.target, at);
      const { nextAttemptAt } = await onlyDelivery();
      if (nextAttemptAt) at = new Date(nextAttemptAt);
    }
    const delivery = await onlyDelivery();
    expect(delivery).toMatchObject({ status: 'failed', failures: 10 });
    expect(delivery.attempts).toHaveLength(10);
    expect(receiver.received).toHaveLength(10);
    expect(at.getTime() - NOW.getTime()).toBeGreaterThan(2.5 * DAY_MS);
    expect(await endpoint.due()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
    expect(await endpoint.find()).toMatchObject({ status: 'active' });
  });

  it('waits as long as the answer asks, and is left to the schedule where that is long', async () => {
    await publish(world, [someFact(brand)]);
    queue.take();
    receiver.status(429, { 'retry-after': String(48 * 3_600) });
    await deliver(endpoint.target);
    const { nextAttemptAt } = await onlyDelivery();
    expect(Math.round((Date.parse(nextAttemptAt!) - NOW.getTime()) / HOUR_MS)).toBe(24);
    expect(queue.messages).toEqual([]);
    await sweep(after(23 * HOUR_MS));
    expect(queue.messages).toEqual([]);
    await sweep(after(25 * HOUR_MS));
    expect(queue.messages).toEqual([{ ...endpoint.target, delaySeconds: 0 }]);
  });

  it('of the address leaves the text for its owners', async () => {
    await endpoint.change({ url: 'https://10.0.0.1/hooks' });
    await publish(world, [someFact(brand)]);
    await deliver(endpoint.target);
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
  (await scanned(world, 'MAILING')).filter(({ kind, data }) => kind === 'webhook_disabled' && isOwn(data));
const isOwn = (data: unknown) => (data as { programId: number }).programId === brand.program.id;

describe('an endpoint is disabled', () => {
  it('by 410: what was to be sent has failed, and its owners are told', async () => {
    const facts = [someFact(brand), someFact(brand)];
    await publish(world, facts);
    await putReplay(world.deps().table, replayOf(endpoint), NOW);
    receiver.status(410);
    await deliver(endpoint.target);
    expect(await endpoint.find()).toMatchObject({ status: 'disabled', disabledReason: 'It answered 410 Gone' });
    const deliveries = await endpoint.deliveries();
    expect(deliveries.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual([
      ['failed', undefined],
      ['failed', undefined],
    ]);
    expect(await endpoint.due()).toEqual([]);
    expect(await endpoint.replays()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
    const { id, name, workspaceId } = brand.program;
    expect(await mailings()).toMatchObject([
      {
        to: { ownersOf: workspaceId },
        data: { programId: id, programName: name, url: `${receiver.url}/hooks`, reason: 'It answered 410 Gone' },
      },
    ]);

    // What happens from now on is not for it.
    await publish(world, [someFact(brand)]);
    expect(await endpoint.deliveries()).toHaveLength(2);
    expect(await endpoint.work()).toBeUndefined();
  });

  it('by five days without a success', async () => {
    await endpoint.change({ failingSince: after(-5 * DAY_MS).toISOString() });
    await publish(world, [someFact(brand)]);
    receiver.status(500);
    await deliver(endpoint.target);
    expect(await endpoint.find()).toMatchObject({
      status: 'disabled',
      disabledReason: 'Nothing was delivered for five days',
    });
    expect(await onlyDelivery()).toMatchObject({ status: 'failed' });
    expect(await mailings()).toHaveLength(1);
  });

  it('and what was on its way to it meanwhile fails, too', async () => {
    await publish(world, [someFact(brand)]);
    await endpoint.change({ status: 'disabled' });
    await deliver(endpoint.target);
    expect(receiver.received).toEqual([]);
    expect(await onlyDelivery()).toMatchObject({ status: 'failed', attempts: [] });
    expect(await endpoint.due()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
  });
});

describe('an endpoint that is', () => {
  it('paused gets what has happened when it is active again', async () => {
    await endpoint.change({ status: 'paused' });
    const fact = someFact(brand);
    await publish(world, [fact]);
    await deliver(endpoint.target);
    expect(receiver.received).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
    expect(await onlyDelivery()).toMatchObject({ status: 'pending', attempts: [] });

    await endpoint.change({ status: 'active' });
    await wakeEndpoint(world.deps(after(DAY_MS)), endpoint.target);
    await deliver(endpoint.target, after(DAY_MS));
    expect(ids()).toEqual([fact.id]);
  });

  it('paused for longer than facts are kept: they fail', async () => {
    await endpoint.change({ status: 'paused' });
    await publish(world, [someFact(brand)]);
    // Its delivery was queued again a day later, and so is kept longer.
    await queueDelivery(world.deps().table, {
      endpointId: endpoint.id,
      fact: { ...someFact(brand), id: (await onlyDelivery()).factId },
      now: after(DAY_MS),
    });
    await endpoint.change({ status: 'active' });
    const at = after(30 * DAY_MS + MINUTE_MS);
    await wakeEndpoint(world.deps(at), endpoint.target);
    await deliver(endpoint.target, at);
    expect(receiver.received).toEqual([]);
    expect(await onlyDelivery()).toMatchObject({ status: 'failed', attempts: [] });
    expect(await endpoint.due()).toEqual([]);
  });

  it('deleted gets nothing more, and what is left of it expires', async () => {
    await publish(world, [someFact(brand)]);
    await endpoint.remove();
    await deliver(endpoint.target);
    expect(receiver.received).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
    for (const item of [...(await endpoint.deliveries()), ...(await endpoint.due())]) {
      expect(item).toMatchObject({ expires_at: NOW.getTime() / 1_000 + 30 * 86_400 });
    }
  });
});

describe('which facts are sent', () => {
  it('are those that an endpoint names, and clicks only by their name', async () => {
    const named = await addEndpoint(world, brand, { url: `${receiver.url}/named`, events: ['click.recorded'] });
    const disabled = await addEndpoint(world, brand, { url: `${receiver.url}/disabled`, status: 'disabled' });
    const [click, sale] = [someFact(brand, { type: 'click.recorded' }), someFact(brand)];
    await publish(world, [click, sale]);
    for (const { target } of [endpoint, named, disabled]) await deliver(target);
    expect(receiver.received.map(({ path, headers }) => [path, headers['webhook-id']])).toEqual([
      ['/hooks', sale.id],
      ['/named', click.id],
    ]);
  });

  it('are sent once, however often they are derived', async () => {
    const facts = [someFact(brand), someFact(brand)];
    await publish(world, facts);
    await publish(world, facts);
    await deliver(endpoint.target);
    await publish(world, facts, after(MINUTE_MS));
    await deliver(endpoint.target, after(MINUTE_MS));
    expect(ids().toSorted()).toEqual(facts.map(({ id }) => id).toSorted());
    expect(await endpoint.work()).toBeUndefined();
  });

  it('carry the signatures of both secrets while one is rolled over', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const sealed = await seal(world.deps(), secret, { programId: brand.program.id });
    const [former] = (await endpoint.find())!.secrets;
    await endpoint.change({
      secrets: [{ sealed }, { ...former!, until: after(DAY_MS).toISOString() }],
    });
    const fact = someFact(brand);
    await publish(world, [fact]);
    await deliver(endpoint.target);
    const [{ headers, body }] = receiver.received as [Receiver['received'][0]];
    expect(headers['webhook-signature']).toBe(
      [secret, endpoint.secret].map((each) => new Webhook(each).sign(fact.id, NOW, body)).join(' '),
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

describe('a replay', () => {
  it('sends what an endpoint wants of some days once more, in steps, with the same ids', async () => {
    const facts = Array.from({ length: 120 }, (_, n) => someFact(brand, at(-n * SECOND_MS)));
    const before = someFact(brand, at(-DAY_MS - 1));
    const afterwards = someFact(brand, at(DAY_MS));
    const test = someFact(brand, { type: 'endpoint.test' });
    const click = someFact(brand, { type: 'click.recorded' });
    const lead = someFact(brand, { type: 'lead.recorded', timestamp: before.timestamp });
    await Promise.all(
      [...facts, before, afterwards, test, click, lead].map((fact) => storeFact(world.deps().table, fact)),
    );
    await publish(world, facts.slice(0, 1));
    await deliver(endpoint.target);
    expect(ids()).toEqual([facts[0]!.id]);
    receiver.answer();

    const { table } = world.deps();
    await putReplay(table, replayOf(endpoint), NOW);
    await wakeEndpoint(world.deps(), endpoint.target);
    await deliver(endpoint.target);
    expect(ids().toSorted()).toEqual(facts.map(({ id }) => id).toSorted());
    expect(await endpoint.replays()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
    const delivery = (await endpoint.deliveries()).find(({ factId }) => factId === facts[0]!.id);
    expect(delivery!.attempts).toHaveLength(2);

    receiver.answer();
    await putReplay(table, replayOf(endpoint, { from: lead.timestamp, type: 'lead.recorded' }), NOW);
    await wakeEndpoint(world.deps(), endpoint.target);
    await deliver(endpoint.target);
    expect(ids()).toEqual([lead.id]);
  });

  it('of nothing ends', async () => {
    await putReplay(world.deps().table, replayOf(endpoint), NOW);
    await wakeEndpoint(world.deps(), endpoint.target);
    await deliver(endpoint.target);
    expect(await endpoint.replays()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
  });

  it('of one delivery is due at once, whatever became of it', async () => {
    const fact = someFact(brand);
    await publish(world, [fact]);
    receiver.status(500);
    await deliver(endpoint.target);
    const waiting = await onlyDelivery();
    receiver.answer();
    const { table } = world.deps();
    const queued = await queueDelivery(table, { endpointId: endpoint.id, fact, now: after(SECOND_MS) });
    expect(queued).toMatchObject({
      status: 'pending',
      failures: 0,
      attempts: waiting.attempts,
      nextAttemptAt: after(SECOND_MS).toISOString(),
      createdAt: waiting.createdAt,
    });
    expect(await findDelivery(world.deps().table, endpoint.id, queued.id)).toEqual(await onlyDelivery());
    await wakeEndpoint(world.deps(after(SECOND_MS)), endpoint.target);
    await deliver(endpoint.target, after(SECOND_MS));
    expect(ids()).toEqual([fact.id]);
    // The note of the attempt that is not wanted any more goes when its time comes.
    await deliver(endpoint.target, after(MINUTE_MS));
    expect(ids()).toEqual([fact.id]);
    expect(await endpoint.due()).toEqual([]);
    expect(await endpoint.work()).toBeUndefined();
  });
});

it('lists deliveries, those of the newest facts first, in pages and by their status', async () => {
  const facts = [3, 2, 1].map((n) => someFact(brand, { timestamp: after(-n * SECOND_MS).toISOString() }));
  await publish(world, facts);
  receiver.answer((response, { headers }) =>
    response.writeHead(headers['webhook-id'] === facts[1]!.id ? 500 : 200).end(),
  );
  await deliver(endpoint.target);
  const list = (page: PageRequest, status?: DeliveryStatus, now = NOW) =>
    deliveriesOf(world.deps().table, endpoint.id, page, { now, status });
  const newest = await list({ most: 2 });
  expect(newest.items.map(({ factId }) => factId)).toEqual([facts[2]!.id, facts[1]!.id]);
  const oldest = await list({ most: 2, after: newest.next });
  expect(oldest.items.map(({ factId }) => factId)).toEqual([facts[0]!.id]);
  expect(oldest.next).toBeUndefined();
  const pending = await list({ most: 2 }, 'pending');
  expect(pending.items.map(({ factId }) => factId)).toEqual([facts[1]!.id]);
  expect((await list({ most: 2 }, undefined, after(31 * DAY_MS))).items).toEqual([]);
});
