import { beforeEach, expect, it, vi } from 'vitest';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { HOLD_OVER, earned, ownedBrand } from '#test/support/programs/commissions.ts';
import { deliverFacts, factPump, storedFacts } from '#test/support/outbox/facts.ts';
import { factsReply } from '#test/support/callers/replies.ts';
import { endpointOf } from '#test/support/outbox/webhooks.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests that a program's facts are stored from the first request for them, or the first endpoint, on.

process.env.POWERTOOLS_LOG_LEVEL = 'INFO';
openProcessor();

const world = openedWorld();
const pump = opened(() => factPump(world));
const own = opened(() => ownedBrand(world), beforeEach);

const later = (ms: number) => new Date(NOW.getTime() + ms);
const afterHold = (ms: number) => new Date(HOLD_OVER.getTime() + ms);
const runAt = (at: Date) => schedule({ time: at.toISOString() });
const types = async () => (await storedFacts(world, own)).map(({ type }) => type);
const facts = (at: Date) => own.owner.get(`${own.path}/facts`, { at });

it('a program that never used GET /facts or webhooks stores no facts (webhook events) and no approvals to report', async () => {
  await earned(own, 1);
  await pump.run();
  await runAt(HOLD_OVER);
  expect(await types()).toEqual([]);
  expect(await world.items('DUE_FACTS')).toEqual([]);
});

it('stream records of a program whose facts (webhook events) no one requested are dropped unread, so an invalid one does no harm', async () => {
  let log = '';
  const writes = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      log += String(text);
      return true;
    }),
  );
  await earned(own, 1);
  const records = (await pump.fresh()).filter(({ dynamodb }) => dynamodb?.NewImage?.programId);
  const unreadable = records.map(({ dynamodb, ...record }) => ({
    ...record,
    dynamodb: { ...dynamodb, OldImage: { id: { Q: 1 } } as never },
  }));
  const failed = () => log.split('"fact_failed"').length - 1;
  expect(await deliverFacts(unreadable)).toBe(unreadable.length);
  const failedUnheard = failed();
  await facts(later(1_000));
  expect(await deliverFacts(unreadable)).toBe(unreadable.length);
  for (const write of writes) write.mockRestore();
  expect([failedUnheard, failed()]).toEqual([0, unreadable.length]);
  expect(unreadable.length).toBeGreaterThan(3);
});

it('a program’s first GET /facts starts the storing of its facts, and every later reply has that start in meta.since', async () => {
  await earned(own, 1);
  await pump.run();
  expect((await facts(later(1_000))).body).toEqual(factsReply([], later(1_000).toISOString()).body);
  expect((await facts(later(2_000))).body).toEqual(factsReply([], later(1_000).toISOString()).body);
  await earned(own, 1);
  await pump.run(later(3_000));
  expect(await types()).toEqual(expect.arrayContaining(['sale.recorded', 'commission.created']));
  expect(await types()).toHaveLength(4);
});

it('two parallel first GET /facts requests store the same start time', async () => {
  const since = (await Promise.all([facts(later(1)), facts(later(2))])).map(({ body }) => body.meta.since);
  expect(new Set(since).size).toBe(1);
  expect((await facts(later(9))).body.meta.since).toBe(since[0]);
});

it('the first webhook endpoint of a program starts the storing of facts, and a second one does not change the start time', async () => {
  await endpointOf(own);
  await endpointOf(own);
  expect((await facts(later(9))).body.meta.since).toBe(NOW.toISOString());
});

it('a commission whose hold period ends after the program’s first request for facts is reported as approved, once', async () => {
  await earned(own, 1);
  await pump.run();
  await facts(later(1_000));
  await pump.run(later(1_000));
  await runAt(later(60_000));
  expect(await types()).toEqual([]);
  await runAt(HOLD_OVER);
  await runAt(afterHold(60_000));
  expect(await types()).toEqual(['commission.approved']);
});

it('a commission is reported as approved if its hold period ends between the program’s first GET /facts and the schedule’s next run', async () => {
  await earned(own, 1);
  await pump.run();
  await facts(afterHold(-1_000));
  await pump.run(afterHold(-1_000));
  await runAt(afterHold(30_000));
  expect(await types()).toEqual(['commission.approved']);
  expect(await world.items('DUE_FACTS')).toEqual([]);
});

it('a commission whose hold period ended before the program’s first GET /facts is not reported as approved', async () => {
  await earned(own, 1);
  await pump.run();
  await facts(afterHold(1_000));
  await pump.run(afterHold(1_000));
  await runAt(afterHold(60_000));
  expect(await types()).toEqual([]);
  expect(await world.items('DUE_FACTS')).toEqual([]);
});
