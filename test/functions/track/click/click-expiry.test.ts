import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as outbox } from '#functions/stream/outbox.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { deleteExpiredItems } from '#infra/local/database/expired-items.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import {
  anotherPartner,
  browserLead,
  changeProgram,
  clicked,
  settledLead,
  sold,
} from '#test/support/payments/lives/journeys.ts';
import { opened } from '#test/support/cases/opened.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { failing, failingUpdateOf, overtakenBy, refused } from '#test/support/table/faults.ts';
import { counted, counterItems, probesPassed, SHARD, streamRecords } from '#test/support/table/stream.ts';
import type { Brand } from '#test/support/programs/world.ts';

const world = openedWorld();
const brand = opened(() => world.brand());

const later = (days: number, ms = 0) => new Date(NOW.getTime() + days * DAY_MS + ms);
const secondsOf = (time: Date) => time.getTime() / 1_000;
/** The first click and the later ones, with the times at which they expire. */
const expiries = async (clickId: string) =>
  (await world.items(keys.customer(clickId).pk))
    .filter(({ sk }) => sk === 'CUSTOMER' || String(sk).startsWith('CLICK#'))
    .map(({ expires_at }) => expires_at);
const again = (clickId: string, days: number, { affiliateUrl }: Pick<Brand, 'affiliateUrl'> = brand) =>
  send(click, { at: later(days), body: { affiliate_url: affiliateUrl, existing_click_id: clickId } });
/** Lets the consumer that follows the table see all changes so far. */
const followed = async () => {
  const { batchItemFailures } = await outbox({ shardId: SHARD, Records: await streamRecords(world) });
  expect(batchItemFailures).toEqual([]);
};
/** Removes what has expired, as DynamoDB does some time later. */
const removeExpired = async (at: Date) => {
  let position: Awaited<ReturnType<typeof deleteExpiredItems>>;
  do position = await deleteExpiredItems(world.client, world.tableName, at, position);
  while (position);
};

describe('a click expires', () => {
  it('90 days after the end of the attribution window', async () => {
    expect(await expiries(await clicked(brand))).toEqual([secondsOf(later(60 + 90))]);
  });

  it('by the attribution window of its program, which takes an extra write only if the program is not in memory', async () => {
    const short = await world.brand({ attributionWindowDays: 7 });
    const calls: number[] = [];
    for (let number = 0; number < 2; number++) {
      let clickId = '';
      calls.push((await sentCalls(async () => (clickId = await clicked(short)))).length);
      expect(await expiries(clickId)).toEqual([secondsOf(later(7 + 90))]);
    }
    expect(calls).toEqual([5, 4]);
  });

  it('by the attribution window that the program had when the click was recorded', async () => {
    const changing = await world.brand();
    const before = await clicked(changing);
    await changeProgram(world, changing, { attributionWindowDays: 365 });
    const after = await clicked(changing);
    expect(await expiries(before)).toEqual([secondsOf(later(60 + 90))]);
    expect(await expiries(after)).toEqual([secondsOf(later(365 + 90))]);
  });

  it('at a time that is written before the visitor gets the click id: if this write fails, the request is answered 500', async () => {
    const long = await world.brand({ attributionWindowDays: 300 });
    const reply = await failing('second write', refused('InternalServerError'), () =>
      send(click, { body: { affiliate_url: long.affiliateUrl } }),
    );
    expect(reply.status).toBe(500);
  });
});

describe('an expired click', () => {
  it.each([
    ['a lead of a server', lead, (clickId: string) => ({ click_id: clickId, customer_key: `user of ${clickId}` })],
    ['a sale', sale, (clickId: string) => ({ click_id: clickId, transaction_id: clickId, amount_cents: 4900 })],
  ] as const)(
    'is an unknown click to %s, both before and after DynamoDB removes its item',
    async (_, handler, body) => {
      const unknown = await send(handler, { key: brand.key, body: body('clk_unknown'), at: later(150) });
      expect(unknown.status).toBe(400);
      const clickId = await clicked(brand);
      const late = () => send(handler, { key: brand.key, body: body(clickId), at: later(150) });
      expect((await late()).body).toEqual(unknown.body);
      await removeExpired(later(150));
      expect((await late()).body).toEqual(unknown.body);
      const inTime = await clicked(brand);
      const reply = await send(handler, { key: brand.key, body: body(inTime), at: later(150, -1) });
      expect(reply).toMatchObject({ status: 200, body: { success: true } });
    },
  );

  it.each([
    ['a lead', lead, (clickId: string) => ({ click_id: clickId })],
    ['a sale', sale, (clickId: string) => ({ click_id: clickId, transaction_id: `at ${clickId}`, amount_cents: 4900 })],
  ] as const)(
    'that DynamoDB removes while %s is being recorded is not found, and no part of a customer is stored',
    async (_, handler, body) => {
      const other = await world.brand({ attributionWindowDays: 1 });
      const clickId = await clicked(other);
      // A longer window does not change when the click expires.
      await changeProgram(world, other, { attributionWindowDays: 365 });
      // The first request of a day also stores the day's salt.
      await clicked(other, { at: later(91, -1) });
      const removed = overtakenBy(() => removeExpired(later(91)));
      const request = { key: other.key, body: body(clickId), at: later(91, -1) };
      const reply = await failing('write', removed, () => send(handler, request));
      expect(reply).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/^Customer not found/) } },
      });
      expect(await world.items(keys.customer(clickId).pk)).toEqual([]);
    },
  );

  it('is an unknown click to a lead from a browser', async () => {
    const replies = [await clicked(brand), 'clk_unknown'].map((clickId) =>
      send(lead, { body: { click_id: clickId }, at: later(150) }),
    );
    const [expired, unknown] = await Promise.all(replies);
    expect(expired!.body).toEqual(unknown!.body);
  });

  it('is replaced by a new click and customer if the visitor comes again', async () => {
    const clickId = await clicked(brand);
    const { body } = await again(clickId, 150);
    expect(body).toMatchObject({ success: true, partner_code: brand.shortLink });
    expect(body.click_id).not.toBe(clickId);
  });

  it('stays in the counters, and so do the later clicks of its visitor', async () => {
    const quiet = await world.brand();
    const clickId = await clicked(quiet);
    await again(clickId, 1, quiet);
    await counted(world);
    const before = await counterItems(world);
    await removeExpired(later(150));
    expect(await world.items(keys.customer(clickId).pk)).toEqual([]);
    await counted(world);
    expect(await counterItems(world)).toEqual(before);
  });

  it('stays in the counters after a rebuild, which corrects only days whose clicks are all still stored', async () => {
    const rebuilt = await world.brand();
    await clicked(rebuilt);
    await clicked(rebuilt, { at: later(140) });
    await counted(world);
    const { [`PROGRAM#${rebuilt.program.id}`]: before } = await counterItems(world);
    await removeExpired(later(150));
    const lost = { 'clicks@2027-04-09': -1, clicks: -1 };
    const key = keys.counter({ of: 'program', programId: rebuilt.program.id });
    await world.deps().table.update(key, { add: { ...lost, 'clicks@2026-11-20': 3 } });
    const how = { probes: 3, wait: () => probesPassed(world) };
    const { corrected } = await rebuildMetrics(world.deps(later(150)), rebuilt.program.id, how);
    expect(corrected).toBe(2);
    const { [`PROGRAM#${rebuilt.program.id}`]: after } = await counterItems(world);
    // The total follows the days again, also the one that cannot be recounted.
    expect(after).toEqual({ ...before, 'clicks@2026-11-20': 4, clicks: 5 });
  });
});

describe('a click and the later clicks of its visitor never expire', () => {
  it.each([
    ['a lead', (clickId: string) => settledLead(brand, { click_id: clickId })],
    ['a provisional lead', (clickId: string) => browserLead({ click_id: clickId })],
    ['a sale', (clickId: string) => sold(brand, { transaction_id: `of ${clickId}`, click_id: clickId })],
  ])('once %s exists for the click’s customer', async (_, useClick) => {
    const clickId = await clicked(brand);
    await again(clickId, 1);
    await again(clickId, 2);
    const end = secondsOf(later(60 + 90));
    expect(await expiries(clickId)).toEqual([end, end, end]);
    await useClick(clickId);
    expect(await expiries(clickId)).toEqual([end, end, undefined]);
    await followed();
    await again(clickId, 3);
    await followed();
    expect(await expiries(clickId)).toEqual([undefined, undefined, undefined, undefined]);
    await removeExpired(later(1_000));
    expect(await expiries(clickId)).toHaveLength(4);
  });

  it('even if the stream function fails first and gets the record again', async () => {
    const clickId = await clicked(brand);
    await again(clickId, 1);
    await settledLead(brand, { click_id: clickId });
    const records = (await streamRecords(world)).filter(
      ({ dynamodb }) => dynamodb?.Keys?.pk?.S === keys.customer(clickId).pk,
    );
    const deliver = () => outbox({ shardId: SHARD, Records: records });
    const failed = await failingUpdateOf(keys.customer(clickId).pk, refused('InternalServerError'), deliver);
    expect(failed.batchItemFailures).toEqual([{ itemIdentifier: records[2]!.dynamodb!.SequenceNumber }]);
    expect((await deliver()).batchItemFailures).toEqual([]);
    expect(await expiries(clickId)).toEqual([undefined, undefined]);
  });

  it('in a table of version 1 of the service, where no click expires', async () => {
    const clickId = await clicked(brand);
    await world.deps().table.update(keys.customer(clickId), { set: { expires_at: undefined } });
    expect((await again(clickId, 400)).body.click_id).toBe(clickId);
    expect(await expiries(clickId)).toEqual([undefined, undefined]);
  });
});

it('a visitor who returns less than 30 days before the click expires gets a new click id, so that a click stays usable for 30 days', async () => {
  const ben = await anotherPartner(world, brand, 'Ben');
  const clickId = await clicked(brand);
  expect((await again(clickId, 120, ben)).body.click_id).toBe(clickId);
  const { body } = await send(click, {
    at: later(120, 1_000),
    body: { affiliate_url: ben.affiliateUrl, existing_click_id: clickId },
  });
  expect(body.click_id).not.toBe(clickId);
  expect(await expiries(body.click_id)).toEqual([Math.floor(secondsOf(later(120 + 150, 1_000)))]);
});

it('erasing a customer does not change when the customer’s click expires', async () => {
  const clickId = await clicked(brand);
  await eraseCustomer(world.deps(), { programId: brand.program.id, clickId }, async () => undefined);
  expect(await expiries(clickId)).toEqual([secondsOf(later(150))]);
});
