import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { clicked, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// The 401 messages of each endpoint with a program key.

const world = openedWorld();
const brand = opened(() => world.brand());

const malformedText = 'Missing or malformed Authorization header. Expected: Bearer <token>';
const secret32 = '0'.repeat(32);

// The parsing of the header is tested in test/service/http/callers/authorization.
const malformed: readonly (string | undefined)[] = [undefined, '', 'Basic YTpi', 'bearer abc'];
const empty = ['Bearer', 'Bearer   '];
const unknown = [
  'abc',
  'x'.repeat(5_000),
  `aff_1_${secret32}`,
  `agt_${'0'.repeat(40)}`,
  `lgn_${'0'.repeat(40)}`,
  'a b',
];

const endpoints = [
  { name: 'sale', handler: sale, texts: [malformedText, 'Missing API token', 'Invalid API token'] },
  { name: 'refund', handler: refund, texts: [malformedText, 'Invalid API token', 'Invalid API token'] },
] as const;

describe.each(endpoints)('$name answers 401', ({ handler, texts: [forMalformed, forEmpty, forUnknown] }) => {
  const rows = [
    ...malformed.map((header) => ({ header, message: forMalformed })),
    ...empty.map((header) => ({ header, message: forEmpty })),
    ...unknown.map((token) => ({ header: `Bearer ${token}`, message: forUnknown })),
  ];
  it.each(rows)('for the header $header: $message', async ({ header, message }) => {
    const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
    expect(await send(handler, { headers, body: { transaction_id: 'unauthorized', amount_cents: 1 } })).toEqual({
      status: 401,
      headers: countedHeaders(120),
      body: codedError(401, 'unauthorized', message),
    });
  });

  const spoiled: readonly (readonly [string, (key: string) => string])[] = [
    ['an extra character', (key) => `${key}0`],
    ['a missing character', (key) => key.slice(0, -1)],
    ['another case', (key) => key.toUpperCase()],
    ['a suffix', (key) => `${key} x`],
    ['its SHA-256', sha256],
  ];
  it.each(spoiled)('for the right program key with %s', async (_, spoil) => {
    const reply = await send(handler, { key: spoil(brand.key), body: {} });
    expect(reply.body).toEqual(codedError(401, 'unauthorized', forUnknown));
  });

  it.each(['agentKey', 'loginToken'])('for a credential that is not a program key: %s', async (name) => {
    const token = `${name}_${handler === sale ? 'sale' : 'refund'}`;
    await world.deps().table.put(keys.credential(sha256(token)), { class: name, programId: brand.program.id });
    expect((await send(handler, { key: token, body: {} })).body).toEqual(codedError(401, 'unauthorized', forUnknown));
  });

  it('for a key that was replaced a moment ago', async () => {
    const own = await world.brand();
    const { key } = await generateProgramKey(world.deps(), own.program.id);
    expect((await send(handler, { key: own.key, body: {} })).body).toEqual(codedError(401, 'unauthorized', forUnknown));
    expect((await send(handler, { key, body: {} })).status).toBe(400);
  });
});

describe('with the header Authorization in the request of a click or lead,', () => {
  it.each(unknown)(
    'the unknown token %s makes the endpoint for leads answer 401 without an error code',
    async (token) => {
      const clickId = await clicked(brand);
      expect(await send(lead, { key: token, body: { click_id: clickId } })).toEqual({
        status: 401,
        headers: { ...countedHeaders(30), Vary: 'Origin' },
        body: platformError(401, 'Invalid API token'),
      });
    },
  );

  it.each([...malformed, ...empty])(
    'the value %j makes the endpoint for leads treat the request as one from a browser',
    async (header) => {
      const clickId = await clicked(brand);
      const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
      expect((await send(lead, { headers, body: { click_id: clickId } })).body).toMatchObject({ provisional: true });
    },
  );

  it.each([...malformed, ...empty, ...unknown.map((token) => `Bearer ${token}`)])(
    'the value %j is ignored by the endpoint for clicks',
    async (header) => {
      const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
      const reply = await send(click, { headers, body: { affiliate_url: brand.affiliateUrl } });
      expect(reply.status).toBe(200);
    },
  );
});

describe('a program key', () => {
  it.each(['Bearer   ', 'Bearer\t'])('is accepted if it follows %j in the header Authorization', async (scheme) => {
    const reply = await send(sale, { headers: { authorization: `${scheme}${brand.key}  ` }, body: {} });
    expect(reply.status).toBe(400);
  });

  it.each([
    ['has no structure', 'sk_live_from_before'],
    ['looks like an agent key', `agt_${'1'.repeat(40)}`],
    ['names another program', `aff_1_${'1'.repeat(32)}`],
    ['names no program', `aff_0_${'1'.repeat(32)}`],
    ['contains spaces and other characters', 'alter Schlüssel 1'],
  ])('that was imported from an earlier system and %s is found by its hash', async (_, key) => {
    const own = await world.brand();
    const credential = { class: 'programKey', programId: own.program.id };
    await world.deps().table.put(keys.credential(sha256(key)), credential);
    const old = { ...own, key };
    const id = `sold with ${key}`;
    await soldTo(old, `of ${key}`, { transaction_id: id });
    expect((await world.items(`SALE#${id}`)).at(-1)).toMatchObject({ programId: own.program.id });
    const { body } = await send(refund, { key, body: { transaction_id: id } });
    expect(body).toMatchObject({ status: 'reversed' });
  });

  it('gives access to the program that imported it, not to the one whose id is in its text', async () => {
    const [victim, own] = [await world.brand(), await world.brand()];
    await soldTo(victim, 'victim', { transaction_id: 'of_victim' });
    const key = `aff_${victim.program.id.toString(36)}_${'2'.repeat(32)}`;
    const credential = { class: 'programKey', programId: own.program.id };
    await world.deps().table.put(keys.credential(sha256(key)), credential);
    const body = { transaction_id: 'of_attacker', amount_cents: 1, customer_key: 'victim' };
    expect((await send(sale, { key, body })).body.error.message).toBe(
      'No affiliate attribution found for this customer in this program',
    );
    expect((await send(refund, { key, body: { transaction_id: 'of_victim' } })).status).toBe(404);
  });
});

it('a request for a sale that is answered 401 stores no sale, so that its transaction id remains free', async () => {
  const clickId = await clicked(brand);
  const body = { transaction_id: 'refused', amount_cents: 1, click_id: clickId };
  expect((await send(sale, { key: 'nobody', body })).status).toBe(401);
  expect(await world.items('SALE#refused')).toEqual([]);
  expect(await sold(brand, body)).toMatchObject({ attributed: true });
});
