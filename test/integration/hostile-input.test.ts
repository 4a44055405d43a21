import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as notFound } from '#functions/not-found.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as preflight } from '#functions/track/preflight.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import { warned } from '#test/support/programs/warnings.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';
import { anyText } from '#test/support/cases/any-text.ts';

const handlers = { click, lead, sale, refund, preflight, notFound };
type Name = keyof typeof handlers;

let world: World;
let brand: Brand;
/** Identifiers of a customer that sales find, and of a sale that refunds find. */
let known: { readonly clickId: string; readonly customerKey: string; readonly transactionId: string };
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  known = { clickId: await signedUp(brand, 'known'), customerKey: 'known', transactionId: 'known' };
  await sold(brand, { transaction_id: 'known', customer_key: 'known' });
});

/** All items except counts of requests and reserved ids. */
const stored = async () => (await allItems(world)).filter(({ pk }) => !/^(?:WINDOW|SEQUENCE)#/.test(String(pk)));

/** Sends any request and checks what holds for every reply. @returns the reply */
async function sendHostile(name: Name, request: TestRequest): Promise<TestReply> {
  const reply = await send(handlers[name], request);
  expect(reply.status).toBeGreaterThanOrEqual(200);
  expect(reply.status).toBeLessThan(500);
  expect(reply.headers['X-Request-ID']).toMatch(/^[0-9a-f]{32}$/);
  for (const value of Object.values(reply.headers)) expect(value).toMatch(/^[\u0020-\u007e]*$/);
  expect(JSON.stringify(reply.body ?? {})).not.toMatch(
    /\bat .+:\d+:\d+|node_modules|Error:|DynamoDB|ValidationException/,
  );
  return reply;
}

/** Sends a request that must be refused and leave no trace. */
async function expectRefused(name: Name, request: TestRequest): Promise<TestReply> {
  const before = await stored();
  const reply = await sendHostile(name, request);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(await stored()).toEqual(before);
  return reply;
}

/** Valid bodies, to be corrupted in one field. */
let serial = 0;
const good = {
  click: () => ({ affiliate_url: brand.affiliateUrl }),
  lead: async () => ({ click_id: await clicked(brand) }),
  sale: () => ({ transaction_id: `sale-${++serial}`, amount_cents: 100, customer_key: known.customerKey }),
  refund: () => ({ transaction_id: known.transactionId }),
};

describe.each(['click', 'lead', 'sale', 'refund'] as const)('the endpoint %s', (name) => {
  it.each([
    ['broken JSON', '{"transaction_id": "x", '],
    ['invalid JSON', 'affiliate_url=https://acme.test'],
    ['a trailing comma', '{"a":1,}'],
    ['two objects', '{}{}'],
    ['an array', '[]'],
    ['an array of objects', [{ transaction_id: 'x', amount_cents: 1 }]],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['NaN', '{"amount_cents": NaN}'],
    ['a byte order mark', '\ufeff{}'],
    ['blanks', ' '],
    ['unclosed brackets', '['.repeat(200_000)],
    ['unclosed objects', '{"a":'.repeat(40_000)],
  ])('refuses %s as a body', async (_, body) => {
    const { status, body: answer } = await expectRefused(name, { key: brand.key, body });
    expect(status).toBe(400);
    expect(answer.error.message).toBe('Invalid JSON body');
  });

  it.each([
    ['1 MB', JSON.stringify({ filler: 'x'.repeat(1_048_576) })],
    ['one byte above 256 KiB', `"${'x'.repeat(256 * 1024 - 1)}"`],
    ['more bytes than characters', JSON.stringify({ filler: 'ü'.repeat(140_000) })],
    ['1 MB of brackets', '['.repeat(1_048_576)],
  ])('refuses a body of %s', async (_, body) => {
    const { status, body: answer } = await expectRefused(name, { key: brand.key, body });
    expect(status).toBe(400);
    expect(answer.error.message).toBe('Request body too large');
  });

  it('accepts a body with 120,000 nested arrays', async () => {
    const nested = '['.repeat(120_000) + ']'.repeat(120_000);
    const body = JSON.stringify(await good[name]()).replace(/\}$/, `,"extra":${nested}}`);
    expect((await sendHostile(name, { key: brand.key, body })).status).toBe(200);
  });

  it('ignores fields that are named like properties of Object, such as __proto__', async () => {
    const spoilt =
      '"__proto__":{"additional_data":{"test_mode":true}},"constructor":{"prototype":1},"toString":1,"hasOwnProperty":1';
    const body = JSON.stringify(await good[name]()).replace(/\}$/, `,${spoilt}}`);
    const reply = await sendHostile(name, { key: brand.key, body });
    expect(reply.status).toBe(200);
    expect(reply.body).not.toHaveProperty('data');
    expect({}).not.toHaveProperty('additional_data');
  });
});

const longIds = [
  ['2,000 characters', 'x'.repeat(2_000)],
  ['2,000 multi-byte characters', '日'.repeat(2_000)],
  ['a control character', 'a\u0000b'],
  ['a line break', 'known\r\nX-Evil: 1'],
  ['an unpaired surrogate', 'a\ud800'],
] as const;

describe('an identifier that is too long or cannot be stored', () => {
  it.each(longIds)('with %s, matches no lead', async (_, id) => {
    for (const body of [{ click_id: id }, { customer_key: id }, { click_id: id, customer_key: id }]) {
      for (const key of [undefined, brand.key]) {
        const { body: answer } = await expectRefused('lead', { key, body });
        expect(answer).toEqual({
          ...platformError(400, 'Customer not found. Provide a valid click_id or customer_key.'),
          ...(key && body.click_id && { warnings: [warned('unknown_click')] }),
        });
      }
    }
  });

  it.each(longIds)('with %s, matches no sale', async (_, id) => {
    const { body } = await expectRefused('sale', {
      key: brand.key,
      body: { ...good.sale(), customer_key: id, click_id: id },
    });
    expect(body.error.code).toBe('no_attribution');
  });

  it.each(longIds)('with %s, is refused as a transaction id', async (_, id) => {
    const { body } = await expectRefused('sale', { key: brand.key, body: { ...good.sale(), transaction_id: id } });
    expect(body.error.message).toBe('transaction_id is required and must be a string');
  });

  it.each(longIds)('with %s, finds no sale to refund', async (_, id) => {
    const { status } = await expectRefused('refund', { key: brand.key, body: { transaction_id: id } });
    expect(status).toBe(404);
  });

  it.each(longIds)('with %s, makes the click create a new customer', async (_, id) => {
    const { status, body } = await sendHostile('click', { body: { ...good.click(), existing_click_id: id } });
    expect(status).toBe(200);
    expect(body.click_id).toMatch(/^clk_[0-9a-z]{26}$/);
  });

  it('of 255 characters with three bytes each, the largest one accepted, is stored', async () => {
    const [customerKey, transactionId] = ['日'.repeat(255), '本'.repeat(255)];
    await signedUp(brand, customerKey);
    const { sale_id } = await sold(brand, { transaction_id: transactionId, customer_key: customerKey });
    expect(await world.items(`SALE#${transactionId}`)).toMatchObject([
      { sk: 'COMMISSION', saleId: sale_id },
      { id: sale_id },
    ]);
  });
});

describe('an identifier that resembles the customer key of a known customer', () => {
  it.each([
    ['another alphabet', 'knоwn'],
    ['full-width characters', 'ｋnown'],
    ['another case', 'Known'],
    ['a combining accent', 'kno\u0302wn'],
    ['an invisible character', 'known\u200b'],
    ['a space', 'known '],
    ['a part of a table key', 'known#PROGRAM'],
  ])('does not match that customer if it has %s', async (_, customerKey) => {
    const { body } = await expectRefused('sale', {
      key: brand.key,
      body: { ...good.sale(), customer_key: customerKey },
    });
    expect(body.error.code).toBe('no_attribution');
  });
});

describe('the amount of a sale or refund', () => {
  it.each([
    '0',
    '-1',
    '-0',
    '0.5',
    '100.01',
    '1e400',
    '-1e400',
    '1000000000001',
    '9007199254740991',
    '9007199254740992',
    '1e21',
    '"100"',
    'true',
    '[100]',
    '{}',
    'null',
  ])('of %s is refused', async (amount) => {
    const body = `{"transaction_id":"spoilt","amount_cents":${amount},"customer_key":"known"}`;
    const { body: answer } = await expectRefused('sale', { key: brand.key, body });
    expect(answer.error.message).toBe('amount_cents is required and must be a positive integer');
  });

  it('of ten billion is stored exactly', async () => {
    const amount = 1_000_000_000_000;
    const transactionId = 'largest';
    await sold(brand, { transaction_id: transactionId, amount_cents: amount, customer_key: known.customerKey });
    expect(await world.items(`SALE#${transactionId}`)).toMatchObject([
      { baseAmountCents: amount, amountCents: 200_000_000_000 },
      { amountCents: amount },
    ]);
  });

  it.each([-1, 0.5, 2 ** 53, '100', true, [1], {}])('is refused in a refund if it is %j', async (amount) => {
    const body = { ...good.refund(), refund_amount_cents: amount };
    expect((await expectRefused('refund', { key: brand.key, body })).status).toBe(400);
  });
});

describe('a malformed field of a sale', () => {
  it.each([
    '2026-02-30T00:00:00Z',
    '2026-11-31T00:00:00Z',
    'yesterday',
    '',
    0,
    1_795_186_800,
    true,
    [],
    {},
    '+275760-09-13T00:00:00Z',
  ])('is refused as occurred_at: %j', async (time) => {
    const { body } = await expectRefused('sale', { key: brand.key, body: { ...good.sale(), occurred_at: time } });
    expect(body.error.message).toBe('occurred_at must be an ISO 8601 time within the last 30 days');
  });

  it.each([
    'ＵＳＤ',
    'USD\u0000',
    '',
    'usd; drop',
    '€'.repeat(10_000),
    '\ud83d',
    1,
    true,
    [],
    ['USD'],
    {},
    { a: { b: 1 } },
  ])('is refused as a currency, and only its beginning is in the reply: %j', async (currency) => {
    const { status, body } = await expectRefused('sale', { key: brand.key, body: { ...good.sale(), currency } });
    expect(status).toBe(422);
    expect(body.error.message.length).toBeLessThanOrEqual('currency  is not supported'.length + 20);
  });

  it('causes no failure if it is deeply nested', async () => {
    const nested = '['.repeat(120_000) + ']'.repeat(120_000);
    for (const field of ['currency', 'line_items']) {
      const body = JSON.stringify(good.sale()).replace(/\}$/, `,"${field}":${nested}}`);
      const { status } = await sendHostile('sale', { key: brand.key, body });
      expect(status).toBe(field === 'currency' ? 422 : 200);
    }
  });
});

describe('the landing URL of a click', () => {
  it.each([
    'javascript:alert(1)//?aff=ana1',
    'data:text/html,<script>?aff=ana1',
    'file:///etc/passwd?aff=ana1',
    'https://acme.test/?aff=',
    'https://acme.test/?aff=&aff=ana1',
    'https://acme.test/?aff=nobody&aff=ana1',
    'https://acme.test/?aff=ana1%0d%0aX-Evil:1',
    'https://acme.test/?aff=ANA1',
    'https://acme.test/?aff=%F0%9D%92%82na1',
    `https://acme.test/?aff=${'a'.repeat(5_000)}`,
    'https://acme.test/?aff[]=ana1',
    'https://acme.test/#?aff=ana1',
    '\u0000',
  ])('is refused if no link can be read from it: %j', async (url) => {
    expect((await expectRefused('click', { body: { affiliate_url: url } })).status).toBe(400);
  });
});

describe('a malformed request header', () => {
  it.each([
    ['origin', 'https://brand1.test\r\nX-Evil: 1'],
    ['origin', 'null'],
    ['origin', `https://${'a.'.repeat(2_000)}test`],
    ['origin', `https://${'a.'.repeat(126)}a`],
    ['origin', `https://${'日本.'.repeat(60)}test`],
    ['origin', 'https://%00.test'],
    ['authorization', 'Bearer \u0000'],
    ['authorization', `Bearer ${'x'.repeat(100_000)}`],
    ['authorization', 'Bearer aff_zzzzzzzzzzz_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['authorization', 'Bearer \ud800'],
    ['user-agent', '\ud800'.repeat(5_000)],
    ['x-forwarded-for', '1.2.3.4'],
    ['content-type', 'text/plain\r\nX: y'],
  ])('%s with the value %j causes no failure', async (header, value) => {
    const request = { headers: { [header]: value }, body: {}, path: '/api/v1/cli/x' };
    const statuses: Partial<Record<Name, number>> = {};
    for (const name of Object.keys(handlers) as Name[]) statuses[name] = (await sendHostile(name, request)).status;
    expect(statuses).toEqual({
      click: 400,
      lead: value.startsWith('Bearer') && value.trim() !== 'Bearer' ? 401 : 400,
      sale: 401,
      refund: 401,
      preflight: 204,
      notFound: 404,
    });
  });
});

it('a sale cannot name a customer of another program', async () => {
  const other = await world.brand();
  const theirs = { click_id: known.clickId, customer_key: known.customerKey };
  const refusedSale = await expectRefused('sale', { key: other.key, body: { ...good.sale(), ...theirs } });
  expect(refusedSale.body.error.message).toBe('No affiliate attribution found for this customer in this program');
  const refusedLead = await expectRefused('lead', { key: other.key, body: theirs });
  expect(refusedLead.body).toEqual({
    ...platformError(400, 'Customer does not belong to this program'),
    warnings: [warned('other_program_click')],
  });
  const refusedRefund = await expectRefused('refund', { key: other.key, body: good.refund() });
  expect(refusedRefund.status).toBe(404);
});

describe('random requests', () => {
  const fieldNames =
    'affiliate_url additional_data existing_click_id click_id click_ids customer_key email program_id event_name ' +
    'page_url session_id user_agent transaction_id amount_cents currency occurred_at provider provider_payment_id ' +
    'livemode sale_type is_recurring line_items subscription_id subscription_interval reason refund_amount_cents';
  const text = anyText({ maxLength: 400 });
  const likely = fc.constantFrom<unknown>(
    'known',
    'ana1',
    'USD',
    100,
    1,
    true,
    null,
    '2026-11-20T14:00:00Z',
    'refund',
    {
      test_mode: true,
      program_id: 1,
    },
  );
  const bodies = fc.oneof(
    fc.dictionary(fc.constantFrom(...fieldNames.split(' ')), fc.oneof(likely, fc.jsonValue(), text), { maxKeys: 12 }),
    fc.jsonValue(),
    text,
  );
  const headerSets = fc.dictionary(fc.constantFrom('origin', 'authorization', 'user-agent', 'cookie'), text);
  const names = fc.constantFrom(...(Object.keys(handlers) as Name[]));

  for (const { times, numRuns, tags } of [
    { times: 'some', numRuns: 8, tags: [] },
    { times: 'hundreds of', numRuns: 300, tags: ['deep'] },
  ])
    it(`never cause a failure in ${times} runs, and refused ones store nothing`, { tags }, async () => {
      await fc.assert(
        fc.asyncProperty(names, bodies, headerSets, fc.boolean(), text, async (name, body, headers, isKeyed, path) => {
          const before = await stored();
          const key = isKeyed ? brand.key : undefined;
          const at = new Date(Date.UTC(2026, 10, 20, 15, ++serial));
          const { status } = await sendHostile(name, { body: body ?? 'null', headers, key, path: `/${path}`, at });
          const after = await stored();
          expect(status < 400 || after.length === before.length).toBe(true);
        }),
        { numRuns },
      );
    });
});
