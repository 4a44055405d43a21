import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { keys, factKeys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { changedAt, deliverFacts, factPump, storedFacts } from '#test/support/outbox/facts.ts';
import { refused, failing } from '#test/support/table/faults.ts';
import { clicked, settledLead, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld({ hasFacts: true });
let own: OwnedBrand;
const pump = opened(() => factPump(world));
beforeEach(async () => {
  own = await ownedBrand(world);
  await pump.run();
});

process.env.POWERTOOLS_LOG_LEVEL = 'INFO';

let lines: Record<string, unknown>[] = [];
const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
for (const write of writes) {
  write.mockImplementation((text) => {
    for (const line of String(text).split('\n')) if (line.startsWith('{')) lines.push(JSON.parse(line));
    return true;
  });
}
afterAll(() => {
  for (const write of writes) write.mockRestore();
});

interface Input {
  readonly Item?: Readonly<Record<string, unknown>>;
}

const isDeliveryOfSale = ({ Item }: Input): boolean =>
  Item?.type === 'sale.recorded' && String(Item.pk).startsWith('DELIVERIES#');

const isCommissionFact = ({ Item }: Input): boolean => Item?.type === 'commission.created';

/** Runs an action while the table refuses some puts, as it refuses oversized items. */
async function refusingPuts<T>(isRefused: (input: Input) => boolean, run: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: { input: Input }) => Promise<unknown>;
  const name = 'ValidationException';
  async function sendOrRefuse(this: DynamoDBDocumentClient, command: { input: Input }): Promise<unknown> {
    if (isRefused(command.input)) throw Object.assign(new Error(name), { name });
    return send.call(this, command);
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: sendOrRefuse });
  try {
    return await run();
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

const minute = (n: number) => new Date(NOW.getTime() + n * 60_000);

/** Adds an endpoint for all event types. */
const listens = async (id: number) => {
  await world.deps().table.put(factKeys.webhooks(own.program.id), {
    version: 1,
    endpoints: [{ id, url: 'https://x.test/', events: ['*', 'click.recorded'], status: 'active', secrets: [] }],
  });
  return async () => ({
    facts: await storedFacts(world, own),
    deliveries: await world.items(`DELIVERIES#${id}`),
    due: await world.items(`DUE_DELIVERIES#${id}`),
  });
};

/** Makes a sale with all earlier events. */
const happen = (name: string) => soldTo(own, name, { transaction_id: `${name} of ${own.program.id}` });

describe('the facts (webhook events) that the service creates from stream records', () => {
  it('are created once, even if the records are delivered again or in parallel', async () => {
    const left = await listens(11);
    await happen('u1');
    const records = await pump.fresh();
    await deliverFacts(records);
    const once = await left();
    expect(once.facts.filter(({ timestamp }) => timestamp === NOW.toISOString()).length).toBeGreaterThanOrEqual(5);
    await Promise.all([deliverFacts(records), deliverFacts(records)]);
    for (const record of records.toReversed()) await deliverFacts([record]);
    expect(await left()).toEqual(once);
  });

  it('are created once if two stream functions work in parallel', async () => {
    const left = await listens(12);
    await happen('u1');
    const records = await pump.fresh();
    await Promise.all([deliverFacts(records), deliverFacts(records), deliverFacts(records)]);
    const { facts, deliveries, due } = await left();
    const told = facts.filter(({ type }) => !/^(partner|link)/.test(type)).map(({ type }) => type);
    expect(told.toSorted()).toEqual([
      'click.recorded',
      'commission.created',
      'lead.recorded',
      'lead.settled',
      'sale.recorded',
    ]);
    expect(deliveries.map(({ factId }) => factId)).toEqual(expect.arrayContaining(facts.slice(-1).map(({ id }) => id)));
    expect(deliveries).toHaveLength(told.length);
    expect(due).toHaveLength(told.length);
  });

  it('are all created even if any one table call fails', { tags: 'deep' }, async () => {
    const first = await listens(13);
    await happen('u1');
    await pump.run();
    const wanted = await first();
    const types = wanted.facts.map(({ type }) => type).toSorted();
    const count = wanted.deliveries.length;
    for (let n = 1; ; n++) {
      own = await ownedBrand(world);
      await pump.run();
      const of = await listens(1000 + n);
      await happen('u1');
      const records = await pump.fresh();
      const done = await failingNth(n, () => deliverFacts(records));
      const left = records.slice(done ?? records.length);
      expect(await deliverFacts(left)).toBe(left.length);
      const { facts, deliveries, due } = await of();
      expect({ n, types: facts.map(({ type }) => type).toSorted() }).toEqual({ n, types });
      expect({ n, deliveries: deliveries.length, due: due.length }).toEqual({ n, deliveries: count, due: count });
      if (done === undefined) break;
    }
  });

  it('are not created for an invalid record, which is skipped while the other records are handled', async () => {
    lines = [];
    await happen('u1');
    const records = await pump.fresh();
    const broken = records.map(({ dynamodb, ...record }) => ({
      ...record,
      dynamodb: { ...dynamodb, NewImage: { ...dynamodb!.NewImage, programId: { S: 'x' } } },
    }));
    const undated = records.map(({ dynamodb, ...record }) => ({
      ...record,
      dynamodb: { ...dynamodb, ApproximateCreationDateTime: undefined },
    }));
    const known = (await storedFacts(world, own)).length;
    const alien = {
      ...records[0]!,
      dynamodb: { ...records[0]!.dynamodb, NewImage: { sk: { S: 'SALE' }, id: { Q: 1 } } },
    };
    const all = [...broken, ...undated, alien as never, ...records];
    expect(await deliverFacts(all)).toBe(all.length);
    expect((await storedFacts(world, own)).length - known).toBe(4);
    expect(lines.every(({ message }) => message === 'fact_failed')).toBe(true);
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain('u1');
  });

  it('are created again from the first record whose write the table refused', async () => {
    lines = [];
    await happen('u1');
    const records = await pump.fresh();
    expect(
      await failing('write', refused('ProvisionedThroughputExceededException'), () => deliverFacts(records)),
    ).toBeLessThan(records.length);
    expect(lines).toMatchObject([{ message: 'facts_delayed', sequence_number: expect.any(String) }]);
    expect(await deliverFacts(records)).toBe(records.length);
  });

  it('lack a webhook delivery if the table always refuses that delivery, while the others are created', async () => {
    const left = await listens(15);
    await happen('u1');
    const records = await pump.fresh();
    lines = [];
    expect(await refusingPuts(isDeliveryOfSale, () => deliverFacts(records))).toBe(records.length);
    expect(lines.map(({ message }) => message)).toEqual(['fact_failed']);
    const types = (await left()).deliveries.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['commission.created', 'lead.recorded', 'lead.settled']));
    expect(types).not.toContain('sale.recorded');
  });

  it('are given up if the table always refuses them, but the approval at the end of the hold period is still scheduled', async () => {
    await happen('u1');
    const records = await pump.fresh();
    expect(await refusingPuts(isCommissionFact, () => deliverFacts(records))).toBe(records.length);
    expect((await approvalsDueOf(own)).filter(({ commission }) => commission)).toHaveLength(1);
  });

  it('are not created for records older than 30 days', async () => {
    const known = (await storedFacts(world, own)).length;
    await happen('u1');
    await deliverFacts(changedAt(await pump.fresh(), minute(30 * 24 * 60)));
    expect(await storedFacts(world, own)).toHaveLength(known);
  });
});

describe('a fact (webhook event) in the table', () => {
  it('expires 30 days after its event', async () => {
    await happen('u1');
    await pump.run();
    const fact = (await storedFacts(world, own)).find(({ type }) => type === 'sale.recorded')!;
    const { Item } = await world.client.send(
      new GetCommand({ TableName: world.tableName, Key: factKeys.fact(own.program.id, fact.id) }),
    );
    expect(Item!.expires_at).toBe(NOW.getTime() / 1_000 + 30 * 86_400);
    const list = async (at: Date) => (await own.owner.get(`${own.path}/facts`, { at })).body.data.length;
    expect(await list(minute(30 * 24 * 60 - 1))).toBeGreaterThan(0);
    expect(await list(minute(30 * 24 * 60))).toBe(0);
  });

  it('contains no data of an erased person, whether the erasure came before or after the fact was stored', async () => {
    await listens(14);
    const erased = async () => {
      const { data } = (await own.owner.get(`${own.path}/events`)).body;
      return data as Record<string, unknown>[];
    };
    const happenTo = async (name: string) => {
      const clickId = await clicked(own);
      const lead = {
        click_id: clickId,
        customer_key: `${name}-key`,
        email: `${name}@acme.test`,
        event_name: `${name}-event`,
      };
      await settledLead(own, lead);
      await sold(own, { transaction_id: `by ${clickId}`, customer_key: `${name}-key` });
      return clickId;
    };
    const erase = (clickId: string) =>
      eraseCustomer(world.deps(), { programId: own.program.id, clickId }, () => Promise.resolve());
    const told = await happenTo('ada');
    await pump.run();
    expect(JSON.stringify(await storedFacts(world, own))).toContain('ada-key');
    await erase(told);
    const late = await happenTo('bob');
    await erase(late);
    await pump.run();
    const facts = await storedFacts(world, own);
    expect(JSON.stringify(facts)).not.toMatch(/(ada|bob)-|a\*+@acme|b\*+@acme/);
    const rows = new Map((await erased()).map((row) => [row.id, row]));
    const ofEvents = facts.filter(({ type }) => /^(click|lead|sale)\./.test(type));
    expect(ofEvents).toHaveLength(8);
    for (const { data } of ofEvents) expect(data).toEqual({ program_id: own.program.id, ...rows.get(data.id) });
  });

  it('is compressed if it is long, and GET /facts returns it unchanged', async () => {
    await earned(own, 1);
    const made = await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_OVER });
    expect(made.status).toBe(200);
    const payoutKey = keys.payout(made.body.data.id);
    const items = Array.from({ length: 1_000 }, (_, n) => ({
      partnerId: n % 2 ? own.partner.id : 10_000 + n,
      currency: 'USD',
      amountCents: 980,
      commissions: 1,
    }));
    await pump.fresh();
    await world.deps().table.update(payoutKey, { set: { status: 'open' } });
    await world.deps().table.update(payoutKey, { set: { status: 'made', items } });
    await pump.run(HOLD_OVER);
    const options = { at: HOLD_OVER };
    const facts = (await own.owner.get(`${own.path}/facts?type=payout.created`, options)).body.data;
    expect(facts).toHaveLength(1);
    const row = (await own.owner.get(`${own.path}/payouts`, options)).body.data[0];
    expect(facts[0].data).toEqual({ is_test: false, ...row });
    const stored = await world.items(factKeys.fact(own.program.id, '').pk);
    expect(stored.find(({ type }) => type === 'payout.created')).toMatchObject({ packed: expect.any(Uint8Array) });
  });
});

const after = (days: number) => new Date(HOLD_OVER.getTime() + days * 86_400_000);

const approvalsDue = () => world.items('DUE_FACTS');
const approvalsDueOf = async ({ program }: OwnedBrand) =>
  (await approvalsDue()).filter(({ programId }) => programId === program.id);
const runAt = (at: Date) => schedule({ time: at.toISOString() });

describe('facts (webhook events) about commissions that are approved because their hold period ends', () => {
  beforeEach(() => runAt(new Date('2027-12-01T00:00:00.000Z')));

  it('are not created again if automatic approval is switched off and on after the first facts have expired', async () => {
    await earned(own, 1);
    await pump.run();
    await runAt(HOLD_OVER);
    const left = await listens(16);
    for (const auto_approve of [false, true]) await own.owner.patch(own.path, { auto_approve }, { at: after(31) });
    await pump.run(after(31));
    const before = await left();
    await runAt(after(32));
    expect(await approvalsDue()).toEqual([]);
    expect(await left()).toEqual(before);
  });

  it('are reported even if the table always refuses the fact about another commission', async () => {
    await earned(own, 2);
    await pump.run();
    const left = await listens(17);
    let first: unknown;
    const isFirstDelivery = ({ Item }: Input) =>
      String(Item?.pk).startsWith('DELIVERIES#') && (first ??= Item!.sk) === Item!.sk;
    await refusingPuts(isFirstDelivery, () => runAt(HOLD_OVER));
    expect(await approvalsDue()).toEqual([]);
    expect((await left()).deliveries.map(({ type }) => type)).toEqual(['commission.approved']);
  });

  it('are left to the next run of the schedule if little time remains in this run', async () => {
    await earned(own, 2);
    await pump.run();
    const ending = { getRemainingTimeInMillis: () => 9_000 };
    await own.owner.patch(own.path, { auto_approve: false });
    await own.owner.patch(own.path, { auto_approve: true }, { at: HOLD_OVER });
    await pump.run(HOLD_OVER);
    const dueBefore = await approvalsDueOf(own);
    await schedule({ time: HOLD_OVER.toISOString() }, ending);
    expect(await approvalsDueOf(own)).toEqual(dueBefore.filter(({ commission }) => !commission));
    await runAt(HOLD_OVER);
    expect(await approvalsDueOf(own)).toEqual([]);
  });

  it('are all reported even if any table call fails once', { timeout: 60_000 }, async () => {
    for (let n = 1; ; n++) {
      own = await ownedBrand(world);
      await happen('u1');
      await pump.run();
      const done = await failingNth(n, () => runAt(HOLD_OVER).then(() => true)).catch(() => false);
      await runAt(HOLD_OVER);
      const facts = (await storedFacts(world, own)).filter(({ type }) => type === 'commission.approved');
      expect({ n, told: facts.length, due: await approvalsDue() }).toEqual({ n, told: 1, due: [] });
      if (done === undefined) break;
    }
  });

  it(
    'are all created by two runs after a program switches to automatic approval, even if any table call of the first run fails',
    { tags: 'deep' },
    async () => {
      const later = new Date(HOLD_OVER.getTime() + 60_000);
      for (let n = 1; ; n++) {
        own = await ownedBrand(world);
        await own.owner.patch(own.path, { auto_approve: false });
        await earned(own, 2);
        await pump.run();
        await runAt(HOLD_OVER);
        await own.owner.patch(own.path, { auto_approve: true }, { at: HOLD_OVER });
        await pump.run(HOLD_OVER);
        const done = await failingNth(n, () => runAt(later).then(() => true)).catch(() => false);
        await runAt(later);
        const facts = (await storedFacts(world, own)).filter(({ type }) => type === 'commission.approved');
        expect({ n, told: facts.length, due: await approvalsDue() }).toEqual({ n, told: 2, due: [] });
        if (done === undefined) break;
      }
    },
  );
});
