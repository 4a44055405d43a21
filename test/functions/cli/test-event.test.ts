import { describe, expect, it } from 'vitest';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { sendTestEvent } from '#test/support/programs/integration.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of single test events; the files test-event-chain* test the chain.

const world = openedWorld();

const now = NOW.toISOString();

describe('POST cli/test-event answers 200', () => {
  it.each(['click', 'lead'])('and stores a %s as a test event under its id, without a customer', async (type) => {
    const { key, program } = await world.brand();
    const reply = await sendTestEvent(key, { event_type: type });
    const { event_id: id } = reply.body.data;
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: {
        data: {
          event_type: type,
          event_id: expect.any(Number),
          received: true,
          attributed: false,
          is_test: true,
          message: `Test ${type} event recorded`,
        },
      },
    });
    expect(await world.items(`TEST_EVENT#${id}`)).toEqual([
      {
        pk: `TEST_EVENT#${id}`,
        sk: `TEST_EVENT#${id}`,
        gsi1pk: `PROGRAM#${program.id}#KEYED_TEST_EVENTS#${type}`,
        gsi1sk: `${now}#${id}`,
        id,
        type,
        isTest: true,
        keyed: true,
        programId: program.id,
        createdAt: now,
        fields: {},
      },
    ]);
  });

  it('and stores a sale as a test sale of 1.00 dollar, and two sales of the same millisecond as two', async () => {
    const { key, program } = await world.brand();
    const at = new Date(NOW.getTime() + 321);
    const [first, second] = [
      await sendTestEvent(key, { event_type: 'sale' }, { at }),
      await sendTestEvent(key, { event_type: 'sale' }, { at }),
    ];
    expect(first.body.data).toEqual({
      event_type: 'sale',
      event_id: expect.any(Number),
      received: true,
      attributed: false,
      is_test: true,
      message: 'Test sale event recorded',
    });
    const transactionId = `test_txn_${at.getTime()}`;
    const { event_id: id } = first.body.data;
    expect(await world.items(`SALE#${transactionId}`)).toEqual([
      {
        pk: `SALE#${transactionId}`,
        sk: 'SALE',
        gsi1pk: `PROGRAM#${program.id}#KEYED_TEST_EVENTS#sale`,
        gsi1sk: `${at.toISOString()}#${id}`,
        id,
        programId: program.id,
        transactionId,
        amountCents: 100,
        currency: 'USD',
        saleType: 'payment',
        isRecurring: false,
        source: 'api',
        isTest: true,
        keyed: true,
        occurredAt: at.toISOString(),
        createdAt: at.toISOString(),
        commissionState: 'test',
        refundedCents: 0,
        claimed: {},
      },
    ]);
    expect(await world.items(`SALE#${transactionId}_1`)).toMatchObject([{ id: second.body.data.event_id }]);
  });

  it.each(['click', 'lead', 'sale'])('and stores only items marked as tests for a %s', async (event_type) => {
    const { key, program } = await world.brand();
    const others = async () =>
      (await allItems(world)).filter(
        ({ pk, isTest }) => !/^(?:WINDOW|SEQUENCE)#/.test(String(pk)) && isTest === undefined,
      ).length;
    const before = await others();
    await sendTestEvent(key, { event_type }, { at: new Date(NOW.getTime() + program.id * 1_000) });
    expect(await others()).toBe(before);
  });

  it('and stores the event for the program of the key, and ignores the program_id in the request', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const { body } = await sendTestEvent(brand.key, {
      event_type: 'click',
      program_id: other.program.id,
      additional_data: { test_mode: true, program_id: other.program.id },
    });
    expect(await world.items(`TEST_EVENT#${body.data.event_id}`)).toMatchObject([{ programId: brand.program.id }]);
  });

  it.each(['single', 'Chain', ['chain'], true, null])(
    'and sends the single event that event_type names if type is %j, not "chain"',
    async (type) => {
      const { key } = await world.brand();
      const { body } = await sendTestEvent(key, { type, event_type: 'click' });
      expect(body.data.event_type).toBe('click');
    },
  );
});

describe('POST cli/test-event answers 400', () => {
  it.each([
    [{}, 'undefined'],
    [{ event_type: null }, 'undefined'],
    [{ type: 'chains' }, 'undefined'],
    [{ event_type: 'refund' }, 'refund'],
    [{ event_type: 'Click' }, 'Click'],
    [{ event_type: '' }, ''],
    [{ event_type: 'chain' }, 'chain'],
    [{ event_type: 7 }, '7'],
    [{ event_type: ['click'] }, '["click"]'],
    [{ event_type: { a: 1 } }, '{"a":1}'],
  ])('for %j, with its event type in the message', async (body, shown) => {
    const { key } = await world.brand();
    expect(await sendTestEvent(key, body)).toEqual({
      status: 400,
      headers: countedHeaders(60),
      body: platformError(400, `Invalid event_type: ${shown}. Valid: click, lead, sale`),
    });
  });

  it.each([
    ['broken JSON', '{', 'Invalid JSON body'],
    ['a text', '"chain"', 'Invalid JSON body'],
    ['too large', 'x'.repeat(300_000), 'Request body too large'],
  ])('for a body that is %s', async (_, body, message) => {
    const { key } = await world.brand();
    expect((await sendTestEvent(key, body)).body).toEqual(platformError(400, message));
  });
});
