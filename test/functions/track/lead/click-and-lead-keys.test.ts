import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { platformError, rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

const world = openedWorld();
let brand: Brand;

const DEADLINE = new Date('2026-12-01T00:00:00.000Z');
const BEFORE_DEADLINE = new Date(DEADLINE.getTime() - 1);
const rotationHeaders = {
  Deprecation: `@${NOW.getTime() / 1_000}`,
  Sunset: 'Tue, 01 Dec 2026 00:00:00 GMT',
  Link: '<https://track.test/docs/errors#api_key_rotation_required>; rel="deprecation"',
};
const warnings = [
  {
    code: 'api_key_rotation_required',
    message: 'This API key must be replaced by 2026-12-01.',
    hint: 'A workspace owner can create a new key in Settings → API Key. Then update SERVICE_API_KEY on your server.',
    rotate_by: '2026-12-01T00:00:00.000Z',
    docs_url: 'https://track.test/docs/errors',
  },
];
const retirement = {
  error: {
    code: 'api_key_rotation_required',
    message: 'This API key was retired on 2026-12-01.',
    hint: 'A workspace owner must create a new key in Settings → API Key.',
    docs_url: 'https://track.test/docs/errors',
  },
};
const testEvent = { additional_data: { test_mode: true } };

describe.each([
  { name: 'click', handler: click, perMinute: 60, goodBody: async () => ({ affiliate_url: brand.affiliateUrl }) },
  { name: 'lead', handler: lead, perMinute: 30, goodBody: async () => ({ click_id: await clicked(brand) }) },
] as const)('a $name with a program key', ({ handler, perMinute, goodBody }) => {
  beforeAll(async () => {
    brand = await world.brand();
    await markKeyForRotation(world.deps(), brand.program.id, DEADLINE);
  });

  const headersAt = (at: Date, used?: number) => ({
    ...countedHeaders(perMinute, used, at),
    ...rotationHeaders,
    Vary: 'Origin',
  });

  describe('that is marked for rotation', () => {
    it('is accepted until the deadline, and successful replies contain a warning', async () => {
      const reply = await send(handler, { key: brand.key, at: BEFORE_DEADLINE, body: await goodBody() });
      expect(reply).toMatchObject({ status: 200, body: { success: true, warnings } });
      expect(reply.headers).toEqual(headersAt(BEFORE_DEADLINE));
    });

    it('gets the warning in error replies, too', async () => {
      const reply = await send(handler, { key: brand.key, at: BEFORE_DEADLINE, body: '{' });
      expect(reply).toEqual({
        status: 400,
        headers: headersAt(BEFORE_DEADLINE),
        body: { ...platformError(400, 'Invalid JSON body'), warnings },
      });
    });

    it('gets the warning in the reply if it is a test event', async () => {
      const { body } = await send(handler, { key: brand.key, body: testEvent });
      expect(body).toMatchObject({ data: { programId: brand.program.id }, warnings });
    });

    it('causes no warning in replies to requests without that key', async () => {
      const { headers, body } = await send(handler, { body: testEvent });
      expect(headers).not.toHaveProperty('Deprecation');
      expect(body).not.toHaveProperty('warnings');
    });
  });

  describe('that is retired gets 401 api_key_rotation_required', () => {
    it.each([
      ['a real event', goodBody],
      ['a test event', async () => testEvent],
      ['invalid JSON', async () => '{'],
    ])('from the deadline on, if it is %s', async (_, body) => {
      const reply = await send(handler, { key: brand.key, at: DEADLINE, body: await body() });
      expect(reply).toEqual({ status: 401, headers: headersAt(DEADLINE), body: retirement });
    });

    it('and writes nothing', async () => {
      const clickId = await clicked(brand);
      const body = { affiliate_url: brand.affiliateUrl, click_id: clickId };
      expect((await send(handler, { key: brand.key, at: DEADLINE, body })).status).toBe(401);
      expect(await world.items(`CUSTOMER#${clickId}`)).toMatchObject([{ status: 'click' }]);
    });
  });

  describe('above the rate limit gets 429 before any other check', () => {
    it('with the rotation headers, and with the warning until the key is retired', async () => {
      const ip = `198.51.100.${perMinute}`;
      for (const at of [BEFORE_DEADLINE, DEADLINE]) {
        for (let n = 0; n < perMinute; n++) await send(handler, { ip, at, body: testEvent });
        const { status, headers, body } = await send(handler, { ip, at, key: brand.key, body: '{' });
        const seconds = at === DEADLINE ? 60 : 1;
        expect(status).toBe(429);
        expect(headers).toEqual({ ...headersAt(at, perMinute + 1), 'Retry-After': String(seconds) });
        expect(body).toEqual({ ...rateLimitedError(seconds), ...(at === BEFORE_DEADLINE && { warnings }) });
      }
    });
  });

  describe('that an owner generated to replace a key marked for rotation', () => {
    it('is accepted without a warning, and the old key is unknown at once', async () => {
      const { key } = await generateProgramKey(world.deps(), brand.program.id);
      const renewed = await send(handler, { key, at: DEADLINE, body: testEvent });
      expect(renewed.status).toBe(200);
      expect(renewed.headers).not.toHaveProperty('Deprecation');
      expect(renewed.body).not.toHaveProperty('warnings');

      const { status, headers } = await send(handler, { key: brand.key, at: DEADLINE, body: testEvent });
      // Click never answers 401 for an unknown key.
      expect(status).toBe(handler === click ? 200 : 401);
      expect(headers).not.toHaveProperty('Deprecation');
    });
  });
});

describe('a program key in the older format, which contains no program id,', () => {
  it('is accepted like any other', async () => {
    const older = await world.brand();
    await world.deps().table.put(keys.credential(sha256('older key')), {
      class: 'programKey',
      programId: older.program.id,
    });
    const clickId = await clicked(older);
    const { status, body } = await send(lead, { key: 'older key', body: { click_id: clickId } });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Lead tracked successfully' } });
    const test = await send(click, { key: 'older key', body: testEvent });
    expect(test.body.data.programId).toBe(older.program.id);
  });
});
