import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { changeLink } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let other: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand({ attributionWindowDays: 30 });
  other = await world.brand({ attributionWindowDays: 7 });
});

const UNKNOWN_PROGRAM = 999_999;
/** Expiry of a test event without a valid key, in Unix seconds. */
const IN_30_DAYS = NOW.getTime() / 1_000 + 30 * 86_400;
const headers = { ...countedHeaders(60), Vary: 'Origin' };

const testClick = (body: object, programId?: unknown, key?: string) =>
  send(click, { key, body: { ...body, additional_data: { test_mode: true, program_id: programId } } });

const accepted = (programId: number | null, windowDays: number) => ({
  success: true,
  message: 'Test click event tracked successfully',
  click_id: expect.stringMatching(/^clk_test_[0-9a-hjkmnp-tv-z]{26}$/),
  cookie_window_days: windowDays,
  data: { eventId: expect.any(Number), programId, test_mode: true },
});

describe('a click in test mode', () => {
  it('with the program key is stored as a test event with keyed: true (sent with the key), and creates no customer', async () => {
    const reply = await testClick({ affiliate_url: brand.affiliateUrl, page_title: 'Hi' }, brand.program.id, brand.key);
    expect(reply).toEqual({ status: 200, headers, body: accepted(brand.program.id, 30) });
    const { eventId } = reply.body.data;
    expect(await world.items(`TEST_EVENT#${eventId}`)).toEqual([
      {
        pk: `TEST_EVENT#${eventId}`,
        sk: `TEST_EVENT#${eventId}`,
        id: eventId,
        type: 'click',
        isTest: true,
        keyed: true,
        programId: brand.program.id,
        createdAt: NOW.toISOString(),
        fields: { affiliateUrl: brand.affiliateUrl, pageTitle: 'Hi' },
        gsi1pk: `PROGRAM#${brand.program.id}#KEYED_TEST_EVENTS#click`,
        gsi1sk: `2026-11-20T15:00:00.000Z#${eventId}`,
      },
    ]);
    expect(await world.items(`CUSTOMER#${reply.body.click_id}`)).toEqual([]);
  });

  it.each([
    ['no Authorization header', undefined],
    ['an empty token', 'Bearer '],
    ['an unknown token', 'Bearer aff_1_unknown'],
  ])('is stored with keyed: false if it has %s', async (_, authorization) => {
    const { status, body } = await send(click, {
      headers: authorization === undefined ? {} : { authorization },
      body: { additional_data: { test_mode: true, program_id: brand.program.id } },
    });
    expect({ status, body }).toEqual({ status: 200, body: accepted(brand.program.id, 30) });
    const [event] = await world.items(`TEST_EVENT#${body.data.eventId}`);
    expect(event).toMatchObject({ keyed: false, programId: brand.program.id, expires_at: IN_30_DAYS });
  });

  it('that names no program is stored without one, and appears in no program’s list', async () => {
    const { body } = await testClick({});
    expect(body).toEqual(accepted(null, 60));
    const [event] = await world.items(`TEST_EVENT#${body.data.eventId}`);
    expect(event).toEqual({
      pk: `TEST_EVENT#${body.data.eventId}`,
      sk: `TEST_EVENT#${body.data.eventId}`,
      id: body.data.eventId,
      type: 'click',
      isTest: true,
      keyed: false,
      createdAt: NOW.toISOString(),
      expires_at: IN_30_DAYS,
      fields: {},
    });
  });

  it.each([
    ['an invalid URL', undefined],
    ['a number', 7],
    ['a relative URL', 'brand.test'],
    ['another scheme', 'ftp://brand.test/?aff=ana1'],
    ['no aff parameter', 'https://brand.test/'],
    ['an unknown aff value', 'https://brand.test/?aff=nobody'],
  ])('can have %s as affiliate_url', async (_, affiliateUrl) => {
    const { status, body } = await testClick({ affiliate_url: affiliateUrl });
    expect({ status, body }).toEqual({ status: 200, body: accepted(null, 60) });
  });

  it('can name a link that is switched off', async () => {
    const off = await world.brand();
    await changeLink(world, off, { status: 'inactive' });
    expect((await testClick({ affiliate_url: off.affiliateUrl })).body).toEqual(accepted(off.program.id, 60));
  });

  it('returns a click id that no later click can use', async () => {
    const { body } = await testClick({}, brand.program.id);
    const again = await send(click, {
      body: { affiliate_url: brand.affiliateUrl, existing_click_id: body.click_id },
    });
    expect(again.body.click_id).not.toBe(body.click_id);
  });
});

describe('the program of a click in test mode is', () => {
  it('that of the program key, if the request has one', async () => {
    const { body } = await testClick(
      { affiliate_url: other.affiliateUrl, program_id: other.program.id },
      undefined,
      brand.key,
    );
    expect(body).toEqual(accepted(brand.program.id, 30));
  });

  it('the one in additional_data.program_id rather than in the top-level program_id', async () => {
    const { body } = await testClick({ program_id: other.program.id }, brand.program.id);
    expect(body).toEqual(accepted(brand.program.id, 30));
  });

  it('the one in the top-level program_id rather than that of the link', async () => {
    const { body } = await testClick({ affiliate_url: other.affiliateUrl, program_id: brand.program.id });
    expect(body).toEqual(accepted(brand.program.id, 30));
  });

  it('that of the link if nothing else names a program', async () => {
    const { body } = await testClick({ affiliate_url: other.affiliateUrl });
    expect(body).toEqual(accepted(other.program.id, 7));
  });

  it('none, if the named program does not exist', async () => {
    const { body } = await testClick(
      { affiliate_url: other.affiliateUrl, program_id: UNKNOWN_PROGRAM },
      UNKNOWN_PROGRAM,
    );
    expect(body).toEqual(accepted(other.program.id, 7));
  });

  it('also found if its id is sent as a decimal string', async () => {
    const id = String(brand.program.id);
    expect((await testClick({}, id)).body).toEqual(accepted(brand.program.id, 30));
    expect((await testClick({ program_id: id })).body).toEqual(accepted(brand.program.id, 30));
    expect((await testClick({}, id, brand.key)).body).toEqual(accepted(brand.program.id, 30));
  });

  it.each([['one'], [true], [[1]], [{ id: 1 }], ['1.0'], ['0x1'], [''], [null]])(
    'the one of the program key or else of the link if the sent program ids are the invalid value %j',
    async (id) => {
      const { body } = await testClick({ affiliate_url: other.affiliateUrl, program_id: id }, id);
      expect(body).toEqual(accepted(other.program.id, 7));
      expect((await testClick({}, id, brand.key)).body).toEqual(accepted(brand.program.id, 30));
    },
  );
});

describe('the error 403 “program_id does not match the API key” for a click in test mode', () => {
  const refusal = platformError(403, 'program_id does not match the API key');

  it.each<[string, () => unknown]>([
    ['another program', () => other.program.id],
    ['another program as a string', () => String(other.program.id)],
    ['a program that does not exist', () => UNKNOWN_PROGRAM],
  ])('is returned if the request has a program key and names the id of %s', async (_, named) => {
    expect(await testClick({}, named(), brand.key)).toEqual({ status: 403, headers, body: refusal });
  });

  it('is not returned without a key, for a top-level program_id, or outside test mode', async () => {
    expect((await testClick({}, other.program.id)).status).toBe(200);
    expect((await testClick({ program_id: other.program.id }, undefined, brand.key)).body).toEqual(
      accepted(brand.program.id, 30),
    );
    const real = await send(click, {
      key: brand.key,
      body: { affiliate_url: brand.affiliateUrl, additional_data: { program_id: other.program.id } },
    });
    expect(real.status).toBe(200);
  });
});
