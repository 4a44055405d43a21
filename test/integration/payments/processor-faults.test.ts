/** @module-tag deep */
import { afterEach, describe, expect, it } from 'vitest';
import { handler as direct } from '#functions/webhooks/stripe/program.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { platformError } from '#test/support/servers/errors.ts';
import {
  cancelled,
  failing,
  failingAt,
  type Fault,
  inConflict,
  refused,
  replyLost,
  sentAgain,
} from '#test/support/table/faults.ts';
import { jsonHeaders } from '#test/support/callers/headers.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { browserLead } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { invoiced, paid, renewed, subscribed, type Visitor, visitorOf } from '#test/support/payments/payers.ts';
import { NOW, send, type TestReply } from '#test/support/callers/request.ts';
import { intentPaid, invoicePaymentPaid, singleInvoicePaid } from '#test/support/payments/single-payments.ts';
import {
  charge,
  connected,
  deliver,
  directBrand,
  dispute,
  openProcessor,
  RECEIVED,
  sendPlatform,
  signed,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests that a crash between any two calls loses and duplicates nothing if the processor delivers the event again.

openProcessor();

const world = openedWorld();
const brand = opened(() => directBrand(world, { commissionType: 'recurring_percent' }));
afterEach(() => expectNothingHalfWritten(world));

/** One event of each kind, and the events before it. */
interface Scene {
  readonly before?: readonly StripeEvent[];
  readonly event: StripeEvent;
  readonly transactionId: string;
  /** Table calls, each of which fails once. */
  readonly calls: number;
}

const scenes = {
  'a single payment': ({ id, metadata }: Visitor) => ({ event: paid(id, { metadata }), transactionId: `cs_${id}` }),
  'a subscription’s checkout': ({ id, metadata }: Visitor) => ({
    event: subscribed(id, { metadata }),
    transactionId: `in_${id}`,
  }),
  'its invoice, afterwards': ({ id, metadata }: Visitor) => ({
    before: [subscribed(id, { metadata })],
    event: invoiced(id, { metadata }),
    transactionId: `in_${id}`,
  }),
  'a renewal': ({ id, metadata }: Visitor) => ({
    before: [subscribed(id, { metadata })],
    event: renewed(id, { metadata }),
    transactionId: `in_${id}r`,
  }),
  'a refund': ({ id, metadata }: Visitor) => ({
    before: [paid(id, { metadata })],
    event: stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })),
    transactionId: `cs_${id}`,
  }),
  'a payment whose refund waits': ({ id, metadata }: Visitor) => ({
    before: [stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 }))],
    event: paid(id, { metadata }),
    transactionId: `cs_${id}`,
  }),
  'a dispute': ({ id, metadata }: Visitor) => ({
    before: [paid(id, { metadata })],
    event: stripeEvent('charge.dispute.created', dispute(id)),
    transactionId: `cs_${id}`,
  }),
  'a dispute that is won': ({ id, metadata }: Visitor) => ({
    before: [paid(id, { metadata }), stripeEvent('charge.dispute.created', dispute(id))],
    event: stripeEvent('charge.dispute.closed', dispute(id, { status: 'won' })),
    transactionId: `cs_${id}`,
  }),
  'an invoice’s payment': ({ id, metadata }: Visitor) => ({
    before: [
      invoiced(id, { metadata, payments: undefined }),
      stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })),
    ],
    event: stripeEvent('invoice_payment.paid', { invoice: `in_${id}`, payment: { payment_intent: `pi_${id}` } }),
    transactionId: `in_${id}`,
  }),
  'an intent': ({ id, metadata }: Visitor) => ({ event: intentPaid(id, metadata), transactionId: `pi_${id}` }),
  'an invoice that waits for its intent': ({ id, metadata }: Visitor) => ({
    event: singleInvoicePaid(id, metadata),
    transactionId: `in_${id}`,
  }),
  'the intent of an invoice that waits': ({ id, metadata }: Visitor) => ({
    before: [singleInvoicePaid(id, metadata)],
    event: invoicePaymentPaid(id),
    transactionId: `in_${id}`,
  }),
} satisfies Record<string, (person: Visitor) => Omit<Scene, 'calls'>>;
type Kind = keyof typeof scenes;
const kinds = Object.keys(scenes) as Kind[];

const failed: TestReply = { status: 500, headers: jsonHeaders, body: platformError(500, 'Webhook processing failed') };

/** Creates a customer with a provisional lead and delivers all events before the tested one. */
async function openScene(kind: Kind) {
  const person = await visitorOf(brand);
  await browserLead({
    click_id: person.clickId,
    customer_key: `user_${person.id}`,
    email: `${person.id}@customers.test`,
  });
  const { before = [], event, transactionId }: Omit<Scene, 'calls'> = scenes[kind](person);
  await deliver(brand, ...before);
  return { person, event, transactionId, ask: () => take(event) };
}

const take = (event: StripeEvent) =>
  send(direct, { ...signed(event, 'whsec_brand'), pathParameters: { program_id: String(brand.program.id) } });

/** The scene's final state, without names that differ between scenes. */
async function endOf({ person, transactionId }: Awaited<ReturnType<typeof openScene>>): Promise<unknown> {
  const { clickId, id } = person;
  const pks = [
    `SALE#${transactionId}`,
    `CUSTOMER#${clickId}`,
    `KEY#user_${id}`,
    keys.payer(brand.program.id, `cus_${id}`).pk,
    ...[`pi_${id}`, `ch_${id}`, `cs_${id}`, `in_${id}`, `first of sub_${id}`].map(
      (name) => keys.payment(brand.program.id, name).pk,
    ),
  ];
  const items = await Promise.all(pks.map((pk) => world.items(pk)));
  const names = new Set(['id', 'saleId', 'commissionId', 'gsi1sk', 'gsi2sk', 'hash', 'version', 'keptBy']);
  const text = JSON.stringify(items, (key, value: unknown) => (names.has(key) ? undefined : value))
    .replaceAll(clickId, 'click')
    .replaceAll(id, '*')
    .replaceAll(/(REFUND#[^"#]*)#\d+/g, '$1')
    // The event's id determines its keys in a feed.
    .replaceAll(/(#EVENTS#click)#\d+/g, '$1');
  return JSON.parse(text);
}

/** The final state of a kind without faults. */
async function rightEnd(kind: Kind): Promise<unknown> {
  const scene = await openScene(kind);
  expect(await scene.ask()).toEqual(RECEIVED);
  return endOf(scene);
}

/**
 * Lets each call of a kind's event fail in turn. The reply is 500 unless the call's result was not needed, as with a
 * read ahead; the event is then processed.
 * @returns how many replies were 500
 */
async function failEachCall(kind: Kind, fault: Fault): Promise<number> {
  const right = await rightEnd(kind);
  let failures = 0;
  for (let at = 1; ; at++) {
    const scene = await openScene(kind);
    const reply = await failingAt(at, fault, scene.ask).catch(noSuchCall);
    if (!reply) return failures;
    await expectNothingHalfWritten(world);
    const wasNeeded = reply.status !== 200;
    expect({ at, reply }).toEqual({ at, reply: wasNeeded ? failed : RECEIVED });
    if (wasNeeded) failures += 1;
    const answered = await endOf(scene);
    expect({ at, end: wasNeeded ? right : answered }).toEqual({ at, end: right });
    expect(await scene.ask()).toEqual(RECEIVED);
    expect({ at, end: await endOf(scene) }).toEqual({ at, end: right });
  }
}

function noSuchCall(error: unknown): undefined {
  if (!(error instanceof Error && error.message.startsWith('No call to be failed'))) throw error;
}

describe.each(kinds)('processing a Stripe event (%s)', (kind) => {
  it('answers 500 if any call to the table fails, and the next delivery completes it', async () => {
    // An event of any kind makes at least three calls: for the endpoint's program, the known data, and the write.
    expect(await failEachCall(kind, refused('InternalServerError'))).toBeGreaterThanOrEqual(3);
  });

  it('answers 500 if the reply to a write is lost, and the next delivery completes it', async () => {
    const right = await rightEnd(kind);
    const scene = await openScene(kind);
    expect(await failing('write', replyLost, scene.ask)).toEqual(failed);
    expect(await scene.ask()).toEqual(RECEIVED);
    expect(await endOf(scene)).toEqual(right);
  });

  it.each<[string, Fault]>([
    ['is sent again by the SDK', sentAgain],
    ['conflicts with another transaction', inConflict],
  ])('is completed by the first delivery if a write %s', async (_, fault) => {
    const right = await rightEnd(kind);
    const scene = await openScene(kind);
    expect(await failing('write', fault, scene.ask)).toEqual(RECEIVED);
    expect(await endOf(scene)).toEqual(right);
  });
});

describe('a commission that the table permanently refuses to store', () => {
  it('leaves the sale without it; the repair command creates it and deducts the refund that came before the sale', async () => {
    const scene = await openScene('a payment whose refund waits');
    const rejected = cancelled((sk) => (sk === 'COMMISSION' ? 'ValidationError' : 'None'));
    const whichWrite = 'second write';
    expect(await failing(whichWrite, rejected, scene.ask)).toEqual(RECEIVED);
    const items = await world.items(`SALE#${scene.transactionId}`);
    expect(items).toMatchObject([
      { sk: expect.stringMatching('REFUND'), amountCents: 2450, deductionCents: 0 },
      { sk: 'SALE', commissionState: 'failed', refundedCents: 2450 },
    ]);
    expect(await scene.ask()).toEqual(RECEIVED);
    expect(await world.items(`SALE#${scene.transactionId}`)).toEqual(items);
    await operated(world, ['sale', 'repair', '--transaction', scene.transactionId]);
    expect(await world.items(`SALE#${scene.transactionId}`)).toMatchObject([
      { sk: 'COMMISSION', deductedCents: 490, refundState: 'partial', platformFee: { reducedCents: 86 } },
      { sk: expect.stringMatching('REFUND'), deductionCents: 490, feeReductionCents: 86 },
      { sk: 'SALE', commissionState: 'created' },
    ]);
  });
});

describe('processing an event about a Stripe account', () => {
  it.each([
    ['account.updated', [{ chargesEnabled: false }]],
    ['account.application.deauthorized', []],
  ])('(%s) answers 500 if any call fails, and the next delivery completes it', async (type, right) => {
    const minuteLater = new Date(NOW.getTime() + 60_000);
    let calls = 0;
    let reply: TestReply | undefined;
    do {
      calls += 1;
      const accountId = `acct_${type}_${calls}`;
      await connected(world, accountId, [await world.brand()]);
      const event = stripeEvent(type, { charges_enabled: false }, { account: accountId, at: minuteLater });
      const ask = () => sendPlatform(event);
      reply = await failingAt(calls, refused('InternalServerError'), ask).catch(noSuchCall);
      expect(reply ?? failed).toEqual(failed);
      expect(await ask()).toEqual(RECEIVED);
      const left = await world.items(keys.processorAccount(accountId).pk);
      expect(left).toMatchObject(right);
      expect(left).toHaveLength(right.length);
    } while (reply);
    expect(calls).toBeGreaterThan(2);
  });
});

it('after all these tests no item is left half written by a Stripe event', async () => {
  const remembered = (await allItems(world)).filter(({ pk }) => String(pk).startsWith('PROCESSOR_EVENT#'));
  expect(remembered.every(({ processedAt, expires_at: at }) => processedAt !== undefined && Number(at) > 0)).toBe(true);
});
