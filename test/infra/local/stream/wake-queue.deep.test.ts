import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Service } from '#infra/local/gateway/answer.ts';
import { listen, type Server } from '#infra/local/gateway/server.ts';
import { LOCAL_QUEUE_PATH, startWakeQueue } from '#infra/local/stream/wake-queue.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { sendWake } from '#lib/service/outbox/effects/wake-queue.ts';
import type { QueueHandler } from '#lib/service/http/triggers/queue-consumer.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const TIMEOUT_MS = 60_000;
const target = { endpointId: 7, programId: 1 };

const world = openedWorld();
let server: Server;
let now: number;
let handler: ReturnType<typeof vi.fn<QueueHandler>>;
let queue: ReturnType<typeof startWakeQueue>;
beforeEach(async () => {
  now = Date.parse('2026-11-22T10:00:00.000Z');
  handler = vi.fn<QueueHandler>().mockResolvedValue(undefined);
  server = await listen(0);
  queue = startWakeQueue({ handler, timeoutMs: TIMEOUT_MS }, { now: () => now });
  const service: Service = {
    routes: queue.routes,
    fallback: async () => ({ statusCode: 404 }),
    now: () => now,
  };
  server.serve(service);
  const WEBHOOK_QUEUE_ENDPOINT = `http://127.0.0.1:${server.port}${LOCAL_QUEUE_PATH}`;
  Object.assign(process.env, { WEBHOOK_QUEUE_ENDPOINT, WEBHOOK_QUEUE_URL: WEBHOOK_QUEUE_ENDPOINT });
  discardContainer();
});
afterEach(async () => {
  await queue.stop();
  await server.stop();
});

const times = () => handler.mock.calls.map(([{ time }]) => time);

it('the local queue passes a message to the sender of webhooks at once, with the time of the service’s clock', async () => {
  await sendWake(world.deps(), target);
  await expect.poll(() => handler.mock.calls.length).toBe(1);
  const [event, context] = handler.mock.calls[0]!;
  expect(event).toEqual({ Records: [{ body: JSON.stringify(target) }], time: '2026-11-22T10:00:00.000Z' });
  const remainingMs = context!.getRemainingTimeInMillis!();
  expect(remainingMs).toBeGreaterThan(0);
  expect(remainingMs).toBeLessThanOrEqual(TIMEOUT_MS);
});

it('the local queue delivers a delayed message when the clock is moved past its time', async () => {
  await sendWake(world.deps(), target, 300);
  await sendWake(world.deps(), target);
  await expect.poll(() => handler.mock.calls.length).toBe(1);
  now += 301_000;
  await expect.poll(() => handler.mock.calls.length).toBe(2);
  expect(times()).toEqual(['2026-11-22T10:00:00.000Z', '2026-11-22T10:05:01.000Z']);
});

it('the local queue delivers a delayed message at once if the clock is set back', async () => {
  await sendWake(world.deps(), target, 300);
  now -= 86_400_000;
  await expect.poll(() => handler.mock.calls.length).toBe(1);
});

describe('a function that throws an error for a message of the local queue', () => {
  it('gets the message again half a minute later, three times in all', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    handler.mockRejectedValue(new Error('Made by the test'));
    await sendWake(world.deps(), target);
    for (const calls of [1, 2, 3]) {
      await expect.poll(() => handler.mock.calls.length).toBe(calls);
      now += 31_000;
    }
    await sendWake(world.deps(), { ...target, endpointId: 8 });
    await expect.poll(() => handler.mock.calls.length).toBe(4);
    expect(said).toHaveBeenCalledTimes(4);
    said.mockRestore();
  });
});

it('the local queue, when stopped, waits for running functions and tells them that no time remains', async () => {
  const running = Promise.withResolvers<void>();
  handler.mockReturnValue(running.promise);
  await sendWake(world.deps(), target);
  await expect.poll(() => handler.mock.calls.length).toBe(1);
  let isOver = false;
  const stopped = queue.stop().then(() => (isOver = true));
  expect(handler.mock.calls[0]![1]!.getRemainingTimeInMillis!()).toBe(0);
  expect(isOver).toBe(false);
  running.resolve();
  await stopped;
});

it('the local queue refuses with 400 a message that the service did not make', async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}${LOCAL_QUEUE_PATH}`, { method: 'POST', body: '{}' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: 'This is no message of the service' } });
});
