import Stripe from 'stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as platform } from '#functions/webhooks/stripe/platform.ts';
import { handler as direct } from '#functions/webhooks/stripe/program.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { jsonHeaders } from '#test/support/callers/headers.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import {
  checkoutSession,
  connected,
  directBrand,
  directEndpoint,
  openProcessor,
  PLATFORM_SECRET,
  RECEIVED,
  sendDirect,
  sendPlatform,
  signed,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

openProcessor();

let world: World;
let brand: Brand;
let event: StripeEvent;
beforeAll(async () => {
  world = await openWorld();
  brand = await directBrand(world);
  await connected(world, 'acct_1', [await world.brand()]);
  const metadata = { service_click_id: await clicked(brand) };
  event = stripeEvent('checkout.session.completed', checkoutSession('1', { metadata }));
});

const refused = (message: string): TestReply => ({
  status: 400,
  headers: jsonHeaders,
  body: platformError(400, message),
});
const notSigned = refused('Invalid signature');

/** Sends the request, and checks that it stores nothing. */
async function leavingNothing(ask: () => Promise<TestReply>): Promise<TestReply> {
  const before = await allItems(world);
  const reply = await ask();
  expect(await allItems(world)).toEqual(before);
  return reply;
}

const toProgram = (request: TestRequest, id: number | string = brand.program.id) =>
  send(direct, { pathParameters: { program_id: String(id) }, ...request });

const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

const payload = () => JSON.stringify(event);
const good = () => signed(event, 'whsec_brand');
const timestamp = Math.floor(NOW.getTime() / 1000);
const headerOf = (more: object) =>
  Stripe.webhooks.generateTestHeaderString({ payload: payload(), secret: 'whsec_brand', timestamp, ...more });

describe('the Stripe endpoint answers 400 “Invalid signature” to an event', () => {
  it.each<[string, () => TestRequest]>([
    ['no header', () => ({ body: payload() })],
    ['an empty header', () => ({ body: payload(), headers: { 'stripe-signature': '' } })],
    ['a header in another format', () => ({ body: payload(), headers: { 'stripe-signature': 'Bearer whsec_brand' } })],
    [
      'a header in another alphabet',
      () => ({ body: payload(), headers: { 'stripe-signature': `t=${timestamp},v1=é` } }),
    ],
    ['an empty signature', () => ({ body: payload(), headers: { 'stripe-signature': `t=${timestamp},v1=` } })],
    [
      'an empty and a short signature',
      () => ({ body: payload(), headers: { 'stripe-signature': `t=${timestamp},v1=,v1=aa` } }),
    ],
    ['a time without a signature', () => ({ body: payload(), headers: { 'stripe-signature': `t=${timestamp}` } })],
    [
      'a signature of another scheme',
      () => ({ body: payload(), headers: { 'stripe-signature': headerOf({ scheme: 'v0' }) } }),
    ],
    ['a changed body', () => ({ ...good(), body: payload().replace('4900', '490000') })],
    ['a body with an extra byte', () => ({ ...good(), body: `${payload()} ` })],
    ['no body', () => ({ headers: good().headers })],
    [
      'a changed time',
      () => ({ ...good(), headers: { 'stripe-signature': headerOf({}).replace(/t=\d+/, `t=${timestamp - 1}`) } }),
    ],
    ['another secret', () => signed(event, 'whsec_other')],
    ['the platform’s secret', () => signed(event, PLATFORM_SECRET)],
    ['an empty secret', () => signed(event, ' ')],
    ['a signature from 301 seconds ago', () => ({ ...signed(event, 'whsec_brand', secondsAgo(301)), at: NOW })],
    ['a signature from 301 seconds ahead', () => ({ ...signed(event, 'whsec_brand', secondsAgo(-301)), at: NOW })],
  ])('with %s', async (_, request) => {
    expect(await leavingNothing(() => toProgram(request()))).toEqual(notSigned);
  });

  it('with the secret of another program', async () => {
    const other = await world.brand();
    await directEndpoint(world, other, 'whsec_of_the_other');
    expect(await leavingNothing(() => sendDirect(brand.program.id, event, { secret: 'whsec_of_the_other' }))).toEqual(
      notSigned,
    );
  });

  it.each([999_999, 0, -1, 1.5, 'x', '', '1e3', '9'.repeat(30), '__proto__'])(
    'sent to the path of the program %j',
    async (id) => {
      expect(await leavingNothing(() => toProgram(good(), id))).toEqual(notSigned);
    },
  );

  it('sent to a program that has no signing secret, with any signature', async () => {
    const { program } = await world.brand();
    for (const secret of ['whsec_brand', 'undefined', 'null', PLATFORM_SECRET]) {
      expect(await leavingNothing(() => sendDirect(program.id, event, { secret }))).toEqual(notSigned);
    }
  });

  it('sent to a program’s own endpoint if the program has a connected account instead', async () => {
    const connectedBrand = await world.brand();
    await connected(world, 'acct_2', [connectedBrand]);
    expect(await leavingNothing(() => sendDirect(connectedBrand.program.id, event))).toEqual(notSigned);
  });

  it.each<[string, () => TestRequest]>([
    ['a program’s secret', () => signed(event, 'whsec_brand')],
    ['no header', () => ({ body: payload() })],
    ['a signature from 301 seconds ago', () => ({ ...signed(event, PLATFORM_SECRET, secondsAgo(301)), at: NOW })],
  ])('sent to the platform’s endpoint, with %s', async (_, request) => {
    expect(await leavingNothing(() => send(platform, request()))).toEqual(notSigned);
  });
});

const LARGEST = 1024 * 1024;
/** JSON text with this number of bytes. */
const ofSize = (bytes: number) => {
  const frame = JSON.stringify({ ...event, id: 'evt_large', padding: '' });
  return `${frame.slice(0, -2)}${'x'.repeat(bytes - frame.length)}"}`;
};

describe('the Stripe endpoint answers 400 “Request body too large” to an event', () => {
  it('of one byte more than 1 MiB, before the signature is verified', async () => {
    const tooLarge = refused('Request body too large');
    expect(await leavingNothing(() => toProgram(signed(ofSize(LARGEST + 1), 'whsec_brand')))).toEqual(tooLarge);
    expect(await leavingNothing(() => toProgram({ body: 'x'.repeat(LARGEST + 1) }, 'x'))).toEqual(tooLarge);
    expect(await leavingNothing(() => send(platform, { body: 'é'.repeat(LARGEST / 2 + 1) }))).toEqual(tooLarge);
  });

  it('but not to an event of exactly 1 MiB', async () => {
    expect(await toProgram(signed(ofSize(LARGEST), 'whsec_brand'))).toEqual(RECEIVED);
    expect(await world.items('SALE#cs_1')).toHaveLength(2);
  });
});

describe('the Stripe endpoint answers 400 “Invalid JSON body” to an event', () => {
  it.each(['invalid JSON', '{', '[]', '7', 'null', '"text"'])('whose signed text is %s', async (text) => {
    const noJson = refused('Invalid JSON body');
    expect(await leavingNothing(() => toProgram(signed(text, 'whsec_brand')))).toEqual(noJson);
    expect(await leavingNothing(() => send(platform, signed(text, PLATFORM_SECRET)))).toEqual(noJson);
  });
});

describe('the Stripe endpoint answers 200 to an event', () => {
  it.each<[string, unknown]>([
    ['an unknown event', { id: 'evt_x', type: 'nobody.knows', created: 1, data: { object: {} } }],
    ['an event without an id', { type: 'invoice.paid', created: 1, data: { object: {} } }],
    ['an event without a time', { id: 'evt_x', type: 'invoice.paid', data: { object: {} } }],
    ['an event without data', { id: 'evt_x', type: 'invoice.paid', created: 1 }],
    ['an event named like a property of Object', { id: 'evt_x', type: 'constructor', created: 1 }],
    ['an empty object', {}],
  ])(
    'that is %s; nothing is stored, no rate limit counts the event, and the reply has the request id',
    async (_, body) => {
      expect(await leavingNothing(() => toProgram(signed(body, 'whsec_brand')))).toEqual(RECEIVED);
      expect(await leavingNothing(() => send(platform, signed(body, PLATFORM_SECRET)))).toEqual(RECEIVED);
    },
  );

  it('with a signature from up to 300 seconds ago, or from a clock that is fast', async () => {
    for (const at of [secondsAgo(300), secondsAgo(-300)]) {
      expect(await toProgram({ ...signed(event, 'whsec_brand', at), at: NOW })).toEqual(RECEIVED);
    }
  });

  it('with several signatures of which one is valid, as Stripe sends them while a secret is replaced', async () => {
    const [wrong, right] = ['whsec_gone', 'whsec_brand'].map((secret) => signed(event, secret));
    const second = right!.headers!['stripe-signature']!.replace(/^t=\d+,/, '');
    const headers = { 'stripe-signature': `${wrong!.headers!['stripe-signature']},${second}` };
    expect(await toProgram({ ...right, headers })).toEqual(RECEIVED);
  });

  it('whose body the gateway has base64-encoded', async () => {
    const { headers } = signed(event, 'whsec_brand');
    const encoded = { body: Buffer.from(JSON.stringify(event)).toString('base64'), isBase64Encoded: true };
    expect(await toProgram({ headers, ...encoded })).toEqual(RECEIVED);
  });
});

const DAY_MS = 86_400_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('after an owner replaces the signing secret,', () => {
  it('the former secret stays valid for 24 hours, and the new one is valid at once', async () => {
    const rolling = await directBrand(world);
    await directEndpoint(world, rolling, 'whsec_next');
    const ask = async (secret: string, at: Date) =>
      (await sendDirect(rolling.program.id, event, { secret, at })).status;
    expect(await ask('whsec_next', NOW)).toBe(200);
    expect(await ask('whsec_brand', NOW)).toBe(200);
    expect(await ask('whsec_brand', later(DAY_MS - 1))).toBe(200);
    expect(await ask('whsec_brand', later(DAY_MS))).toBe(400);
    expect(await ask('whsec_next', later(DAY_MS))).toBe(200);
  });

  it('and then sets the former one again, that secret stays valid after the 24 hours', async () => {
    const rolling = await directBrand(world);
    await directEndpoint(world, rolling, 'whsec_next');
    await directEndpoint(world, rolling, 'whsec_brand');
    expect((await sendDirect(rolling.program.id, event, { at: later(2 * DAY_MS) })).status).toBe(200);
  });
});

it('an event of the platform’s own Stripe account is valid with the platform’s secret', async () => {
  expect(await sendPlatform(event)).toEqual(RECEIVED);
});
