import { describe, expect, it } from 'vitest';
import { handler as forward } from '#functions/track/stripe.ts';
import { rateWindowAt } from '#lib/service/ground/values/rate-limits.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { authorized, badAuthorizations } from '#test/support/callers/bad-authorization.ts';
import { codedError, rateLimitedError } from '#test/support/servers/errors.ts';
import { failing, refused, replyLost } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { allItems, leftBehind } from '#test/support/table/invariants.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import {
  commissionOf,
  paid,
  renewed,
  saleOf,
  subscribed,
  type Visitor,
  visitor,
} from '#test/support/payments/payers.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import {
  charge,
  connected,
  openProcessor,
  RECEIVED,
  sendDirect,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of Stripe events that a brand's server forwards.

openProcessor();

const world = openedWorld();

const tell = ({ key }: Pick<Brand, 'key'>, body: unknown, more: Partial<TestRequest> = {}): Promise<TestReply> =>
  send(forward, { key, body, ...more });

const taken = (event: StripeEvent, outcome: string, used = 1): TestReply => ({
  status: 200,
  headers: countedHeaders(1_200, used),
  body: { success: true, event_id: event.id, outcome, message: 'Stripe event received' },
});

const incomplete = 'Body must be a whole Stripe event with id, type, created and data.object';
const refusedWith = (status: number, code: string, message: string): TestReply => ({
  status,
  headers: countedHeaders(1_200),
  body: codedError(status, code, message),
});

describe('a Stripe event that the brand’s server forwards is answered 200 and', () => {
  it('recorded as a payment of the key’s program, regardless of the Stripe account in it', async () => {
    const { brand, id, metadata } = await visitor(world);
    const other = await world.brand();
    await connected(world, `acct_${id}`, [other]);
    const event = { ...paid(id, { metadata }), account: `acct_${id}` };
    expect(await tell(brand, event)).toEqual(taken(event, 'processed'));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ programId: brand.program.id, source: 'processor' });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ amountCents: 980 });
  });

  it('recorded even if the program has set up no webhook endpoint for Stripe', async () => {
    const brand = await world.brand();
    const event = paid('bare', { metadata: { service_click_id: await clicked(brand) } });
    expect(await tell(brand, event)).toEqual(taken(event, 'processed'));
    expect(await saleOf(world, 'cs_bare')).toBeDefined();
  });

  it.each<[string, (person: Visitor) => StripeEvent]>([
    ['other_type', () => stripeEvent('customer.created', { id: 'cus_1' })],
    ['unattributed', ({ id }) => paid(id)],
    ['other_program', ({ id, metadata }) => paid(id, { metadata: { ...metadata, program_id: 999_999 } })],
    ['not_paid', ({ id, metadata }) => paid(id, { metadata, payment_status: 'unpaid' })],
    ['unsupported_currency', ({ id, metadata }) => paid(id, { metadata, currency: 'gbp' })],
    ['other_endpoint', () => stripeEvent('account.application.deauthorized', { id: 'ca_1' })],
  ])('acknowledged with the outcome %s if it changes nothing', async (outcome, eventOf) => {
    const person = await visitor(world);
    const event = eventOf(person);
    expect(
      await leftBehind(world, async () => expect(await tell(person.brand, event)).toEqual(taken(event, outcome))),
    ).toEqual([]);
  });

  it('gets the outcome “repeated” if Stripe has delivered it already; after a forwarded event, Stripe’s delivery changes nothing', async () => {
    const { brand, id, metadata } = await visitor(world);
    const events = [paid(id, { metadata }), stripeEvent('charge.refunded', charge(id, { amount_refunded: 900 }))];
    expect(await sendDirect(brand.program.id, events[0])).toEqual(RECEIVED);
    expect((await tell(brand, events[0])).body.outcome).toBe('repeated');
    expect((await tell(brand, events[1])).body.outcome).toBe('processed');
    expect(await leftBehind(world, () => sendDirect(brand.program.id, events[1]))).toEqual([]);
  });

  it('is recorded at its second delivery if it is a renewal that at first arrived before the customer’s first payment', async () => {
    const { brand, id, metadata } = await visitor(world);
    const customer = `cus_${id}`;
    const [later, first] = [renewed(id, { customer }), subscribed(id, { metadata, customer })];
    expect((await tell(brand, later)).body.outcome).toBe('unattributed');
    expect(await unsoldOf(world, brand)).toEqual([]);
    expect((await tell(brand, first)).body.outcome).toBe('processed');
    expect(await saleOf(world, `in_${id}r`)).toBeUndefined();
    expect((await tell(brand, later)).body.outcome).toBe('processed');
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({ isRecurring: true, commissionState: 'notDue' });
  });

  it('is recorded once if it arrives ten times by both ways in parallel', async () => {
    const { brand, id, metadata } = await visitor(world);
    const event = paid(id, { metadata });
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? tell(brand, event) : sendDirect(brand.program.id, event))),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const sales = (await allItems(world)).filter(
      ({ sk, transactionId }) => sk === 'SALE' && transactionId === `cs_${id}`,
    );
    expect(sales).toHaveLength(1);
  });

  it('is recorded separately if two programs forward events with the same id', async () => {
    const [one, other] = [await visitor(world), await visitor(world)];
    const event = { ...paid(one.id, { metadata: one.metadata }), id: 'evt_shared' };
    const theirs = { ...paid(other.id, { metadata: other.metadata }), id: 'evt_shared' };
    expect([(await tell(one.brand, event)).body.outcome, (await tell(other.brand, theirs)).body.outcome]).toEqual([
      'processed',
      'processed',
    ]);
  });
});

describe('a Stripe event that the brand’s server forwards is answered 401', () => {
  const rows = badAuthorizations({
    malformed: 'Missing or malformed Authorization header. Expected: Bearer <token>',
    empty: 'Missing API token',
    unknown: 'Invalid API token',
  });
  it.each(rows)('for the authorization header $header', async ({ header, message }) => {
    const event = paid('nobodys', { metadata: {} });
    const reply = await send(forward, { headers: authorized(header), body: event });
    expect(reply).toEqual(refusedWith(401, 'unauthorized', message));
  });

  it('before its body is checked, and nothing is stored', async () => {
    const left = await leftBehind(world, async () => {
      for (const body of ['{', '', {}]) {
        expect(await send(forward, { key: 'nobody', body })).toEqual(
          refusedWith(401, 'unauthorized', 'Invalid API token'),
        );
      }
    });
    expect(left).toEqual([]);
  });
});

const whole = () => stripeEvent('customer.created', { id: 'cus_1' });

const without = (field: string, value?: unknown) => ({ ...whole(), [field]: value });

/** A complete event with this many bytes. */
const sized = (bytes: number) => {
  const event = JSON.stringify(whole());
  return event.replace('"cus_1"', `"cus_1","filler":"${'x'.repeat(bytes - event.length - ',"filler":""'.length)}"`);
};

describe('a Stripe event that the brand’s server forwards is answered 400', () => {
  it.each<[string, () => unknown]>([
    ['an empty body', () => ''],
    ['an empty object', () => ({})],
    ['no id', () => without('id')],
    ['an id that is null', () => without('id', null)],
    ['a non-string id', () => without('id', { id: 'evt_1' })],
    ['an empty id', () => without('id', '')],
    ['an id that fits into no key', () => without('id', `evt_${'x'.repeat(300)}`)],
    ['no type', () => without('type')],
    ['a non-string type', () => without('type', ['invoice.paid'])],
    ['no time', () => without('created')],
    ['a time as text', () => without('created', '2026-11-20T15:00:00.000Z')],
    ['an invalid time', () => without('created', 1e300)],
    ['no data', () => without('data')],
    ['data without an object', () => without('data', {})],
    ['a string as object', () => without('data', { object: 'cs_1' })],
    ['a list as object', () => without('data', { object: [] })],
    ['null as object', () => without('data', { object: null })],
    [
      'a Stripe thin event',
      () => ({
        id: 'evt_test_65R9Ijk8dKEYZcXeRWn16R9A7j1FSQ3w3TGDPLLGSM4CW0',
        object: 'v2.core.event',
        type: 'v1.billing.meter.error_report_triggered',
        livemode: false,
        created: '2024-09-17T06:20:52.246Z',
        related_object: { id: 'mtr_test_61R9IeP0SgKbYROOx41PEAQhH0qO23oW', type: 'billing.meter' },
      }),
    ],
  ])('for %s', async (_, bodyOf) => {
    const brand = await world.brand();
    expect(await tell(brand, bodyOf())).toEqual(refusedWith(400, 'invalid_request', incomplete));
    expect(await world.items(keys.lastDelivery(brand.program.id).pk)).toEqual([]);
  });

  it.each(['{', '[]', 'null', '"evt_1"', '{}{}'])('for the body %s', async (body) => {
    expect(await tell(await world.brand(), body)).toEqual(refusedWith(400, 'invalid_request', 'Invalid JSON body'));
  });

  it('if the body is larger than 1 MiB', async () => {
    const brand = await world.brand();
    expect(sized(1_048_576)).toHaveLength(1_048_576);
    expect(await tell(brand, sized(1_048_577))).toEqual(refusedWith(400, 'invalid_request', 'Request body too large'));
    expect(await tell(brand, sized(1_048_576))).toMatchObject({ status: 200, body: { outcome: 'other_type' } });
  });
});

const windowOf = (programId: number) =>
  keys.rateWindow('webhook', `program:${programId}`, rateWindowAt(NOW).startSeconds);
const came = (programId: number, count: number) => world.deps().table.update(windowOf(programId), { set: { count } });
const remaining = ({ headers }: TestReply) => Number(headers['X-RateLimit-Remaining']);
const tooMany = (used: number): TestReply => ({
  status: 429,
  headers: { ...countedHeaders(1_200, used), 'Retry-After': '60' },
  body: rateLimitedError(60),
});

describe('a Stripe event that the brand’s server forwards is answered 429', () => {
  it('after 1,200 events of a program in a minute, forwarded or delivered by Stripe', async () => {
    const { brand, id, metadata } = await visitor(world);
    await came(brand.program.id, 1_198);
    const event = paid(id, { metadata });
    expect(await sendDirect(brand.program.id, stripeEvent('customer.created', {}))).toEqual(RECEIVED);
    expect(await tell(brand, stripeEvent('customer.created', {}))).toMatchObject({ status: 200 });
    const before = await allItems(world);
    expect(await tell(brand, event)).toEqual(tooMany(1_201));
    expect((await sendDirect(brand.program.id, event)).status).toBe(429);
    expect(await allItems(world)).toEqual(before);
    const nextMinute = new Date(NOW.getTime() + 60_000);
    expect((await tell(brand, event, { at: nextMinute })).body.outcome).toBe('processed');
  });

  it('after 1,200 events with a program’s former and new key together, counted separately from other programs', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const { key } = await generateProgramKey(world.deps(), brand.program.id);
    expect([remaining(await tell({ key }, {})), remaining(await tell({ key }, {}))]).toEqual([1_199, 1_198]);
    expect(remaining(await tell(other, {}))).toBe(1_199);
  });

  it.each([
    ['no key', async () => ({})],
    [
      'another program’s id in a key',
      async ({ program }: Brand) => ({ key: `aff_${program.id.toString(36)}_${'0'.repeat(32)}` }),
    ],
    [
      'a retired key',
      async ({ program, key }: Brand) => {
        await markKeyForRotation(world.deps(), program.id, NOW);
        return { key };
      },
    ],
  ])('by the count of its IP address, not of the program, if the request has %s', async (_, credentialOf) => {
    const brand = await world.brand();
    const credential = await credentialOf(brand);
    const ip = '192.0.2.77';
    const former = remaining(await send(forward, { ip, body: {} }));
    expect(remaining(await send(forward, { ...credential, ip, body: {} }))).toBe(former - 1);
    expect(await world.items(windowOf(brand.program.id).pk)).toEqual([]);
  });
});

describe('a Stripe event that the brand’s server forwards is answered 500', () => {
  const failure = refusedWith(500, 'internal_error', 'Stripe event processing failed');

  it.each([
    ['the table does not answer', 'read'],
    ['the sale is not written', 'write'],
  ] as const)('if %s, and is processed when sent again', async (_, call) => {
    const { brand, id, metadata } = await visitor(world);
    const event = paid(id, { metadata });
    expect(await failing(call, refused('InternalServerError'), () => tell(brand, event))).toEqual(failure);
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect((await tell(brand, event)).body.outcome).toBe('processed');
    expect(await saleOf(world, `cs_${id}`)).toBeDefined();
  });

  it('if the reply to a write is lost, and is recorded once when sent again', async () => {
    const { brand, id, metadata } = await visitor(world);
    const event = paid(id, { metadata });
    await failing('write', replyLost, () => tell(brand, event));
    expect((await tell(brand, event)).body.outcome).toBe('repeated');
    expect(await saleOf(world, `cs_${id}`)).toBeDefined();
  });

  it('if the payment cannot be stored, but not if only the status of the connection cannot be stored', async () => {
    const { brand, id, metadata } = await visitor(world);
    const event = paid(id, { metadata });
    await failing('count', refused('InternalServerError'), () =>
      failing('count', refused('InternalServerError'), () => tell(brand, event)),
    );
    expect(await saleOf(world, `cs_${id}`)).toBeDefined();
  });
});

describe('a forwarded Stripe event with a key marked for rotation', () => {
  const deadline = new Date(NOW.getTime() + 3_600_000);
  const rotationHeaders = {
    Deprecation: '@1795186800',
    Sunset: 'Fri, 20 Nov 2026 16:00:00 GMT',
    Link: '<https://track.test/docs/errors#api_key_rotation_required>; rel="deprecation"',
  };

  it('gets the rotation warning in every reply, and is refused after the key’s deadline', async () => {
    const { brand, id, metadata } = await visitor(world);
    await markKeyForRotation(world.deps(), brand.program.id, deadline);
    const event = paid(id, { metadata });
    const warnings = [expect.objectContaining({ code: 'api_key_rotation_required' })];
    const { body, headers } = taken(event, 'processed');
    expect(await tell(brand, event)).toEqual({
      status: 200,
      headers: { ...headers, ...rotationHeaders },
      body: { ...body, warnings },
    });
    expect(await tell(brand, {})).toMatchObject({ status: 400, headers: rotationHeaders, body: { warnings } });
    const retired = await tell(brand, event, { at: deadline });
    expect(retired).toMatchObject({
      status: 401,
      headers: rotationHeaders,
      body: { error: { code: 'api_key_rotation_required' } },
    });
  });
});

it('browser pages cannot read the reply to a forwarded Stripe event', async () => {
  const brand = await world.brand();
  const { headers } = await tell(brand, {}, { headers: { origin: `https://${brand.program.domain}` } });
  expect(headers).toEqual(countedHeaders(1_200));
});
