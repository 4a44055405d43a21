import { beforeAll, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let other: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  other = await world.brand();
});

const UNKNOWN_PROGRAM = 999_999;
const headers = { ...countedHeaders(30), Vary: 'Origin' };

const testLead = (body: object, programId?: unknown, key?: string) =>
  send(lead, { key, body: { ...body, additional_data: { test_mode: true, program_id: programId } } });

const accepted = (programId: number | null) => ({
  success: true,
  message: 'Test lead event tracked successfully',
  data: { eventId: expect.any(Number), programId, test_mode: true },
});

describe('a lead in test mode', () => {
  it('with the program key is stored with keyed: true (sent with the key), and no customer is looked up', async () => {
    const clickId = await clicked(other);
    const body = { click_id: clickId, customer_key: 'u1', event_name: 'signup', email: 'u@example.com' };
    const reply = await testLead(body, brand.program.id, brand.key);
    expect(reply).toEqual({ status: 200, headers, body: accepted(brand.program.id) });

    const { eventId } = reply.body.data;
    expect(await world.items(`TEST_EVENT#${eventId}`)).toEqual([
      {
        pk: `TEST_EVENT#${eventId}`,
        sk: `TEST_EVENT#${eventId}`,
        id: eventId,
        type: 'lead',
        isTest: true,
        keyed: true,
        programId: brand.program.id,
        createdAt: NOW.toISOString(),
        fields: { clickId, customerKey: 'u1', eventName: 'signup' },
        gsi1pk: `PROGRAM#${brand.program.id}#KEYED_TEST_EVENTS#lead`,
        gsi1sk: `2026-11-20T15:00:00.000Z#${eventId}`,
      },
    ]);
    expect(await world.items(`CUSTOMER#${clickId}`)).toMatchObject([{ status: 'click' }]);
    expect(await world.items('KEY#u1')).toEqual([]);
  });

  it.each([
    ['no header', undefined],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Basic eDp5'],
  ])('with %s is stored with keyed: false', async (_, authorization) => {
    const { status, body } = await send(lead, {
      headers: authorization === undefined ? {} : { authorization },
      body: { additional_data: { test_mode: true, program_id: brand.program.id } },
    });
    expect({ status, body }).toEqual({ status: 200, body: accepted(brand.program.id) });
    const [event] = await world.items(`TEST_EVENT#${body.data.eventId}`);
    expect(event).toMatchObject({ keyed: false });
  });

  it('can be sent without an identifier and without a program', async () => {
    expect((await testLead({})).body).toEqual(accepted(null));
  });

  it('can have identifiers that match no customer', async () => {
    const { status } = await testLead({ click_id: '\u0000', customer_key: 'k'.repeat(256) }, brand.program.id);
    expect(status).toBe(200);
  });

  it.each([['true'], [1], [false], [null]])('is handled as a real lead if test_mode is %j', async (testMode) => {
    const { status, body } = await send(lead, { body: { additional_data: { test_mode: testMode } } });
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'click_id or customer_key is required',
    });
  });

  it.each([[[{ test_mode: true }]], ['test_mode'], [true]])(
    'is handled as a real lead if additional_data is %j',
    async (data) => {
      expect((await send(lead, { body: { additional_data: data } })).status).toBe(400);
    },
  );
});

describe('the program of a lead in test mode is', () => {
  it('that of the program key, else the one in additional_data.program_id, else the one in the top-level program_id', async () => {
    const topLevel = { program_id: other.program.id };
    expect((await testLead(topLevel, undefined, brand.key)).body).toEqual(accepted(brand.program.id));
    expect((await testLead(topLevel, brand.program.id)).body).toEqual(accepted(brand.program.id));
    expect((await testLead(topLevel)).body).toEqual(accepted(other.program.id));
  });

  it('none, if the named program does not exist', async () => {
    expect((await testLead({ program_id: other.program.id }, UNKNOWN_PROGRAM)).body).toEqual(
      accepted(other.program.id),
    );
    expect((await testLead({ program_id: UNKNOWN_PROGRAM }, UNKNOWN_PROGRAM)).body).toEqual(accepted(null));
  });

  it('found only by an id that is a number or a decimal string', async () => {
    expect((await testLead({}, String(brand.program.id))).body).toEqual(accepted(brand.program.id));
    expect((await testLead({ program_id: String(brand.program.id) })).body).toEqual(accepted(brand.program.id));
    expect((await testLead({ program_id: [brand.program.id] }, 'one')).body).toEqual(accepted(null));
  });

  it('never that of its click’s link', async () => {
    expect((await testLead({ affiliate_url: brand.affiliateUrl })).body).toEqual(accepted(null));
  });
});

describe('the error 403 “program_id does not match the API key” for a lead in test mode', () => {
  it.each<[string, () => unknown]>([
    ['another program', () => other.program.id],
    ['another program as a string', () => String(other.program.id)],
    ['a program that does not exist', () => UNKNOWN_PROGRAM],
  ])('is returned if the request has a program key and names the id of %s', async (_, named) => {
    expect(await testLead({}, named(), brand.key)).toEqual({
      status: 403,
      headers,
      body: platformError(403, 'program_id does not match the API key'),
    });
  });

  it('is not returned without a key, or for a top-level program_id', async () => {
    expect((await testLead({}, other.program.id)).status).toBe(200);
    expect((await testLead({ program_id: other.program.id }, undefined, brand.key)).status).toBe(200);
  });
});

describe('the error 401 “Invalid API token” for a lead in test mode', () => {
  it('is returned for an unknown key', async () => {
    const { status, body } = await testLead({}, brand.program.id, 'aff_1_unknown');
    expect({ status, message: body.error.message }).toEqual({ status: 401, message: 'Invalid API token' });
  });
});
