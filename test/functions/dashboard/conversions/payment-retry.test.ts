import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { failingAt, inConflict, refused, replyLost } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/table/invariants.ts';
import { clicked, removePartner, settledLead } from '#test/support/payments/lives/journeys.ts';
import { commissionOf, paid, refundedCentsOf, saleOf, type Visitor, visitor } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { refund, unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { invoicePaymentPaid, singleInvoicePaid } from '#test/support/payments/single-payments.ts';
import { deliver, openProcessor, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of an owner who fixes the reason why a payment was not recorded, and retries it.

openProcessor();

const world = openedWorld();
let person: Visitor;
let owner: ReturnType<typeof dashboard>;
let path: string;
beforeAll(async () => {});
beforeEach(async () => {
  person = await visitor(world);
  owner = dashboard((await ownerOfBrand(world, person.brand)).token);
  path = `/programs/${person.brand.program.id}`;
});

const LATER = new Date(NOW.getTime() + 86_400_000);
const tryAgain = (eventId: string, at = LATER) =>
  owner.post(`${path}/processor/payments/${eventId}/retry`, undefined, { at });
const retried = async (eventId: string): Promise<unknown> => (await tryAgain(eventId)).body;

const recorded = { data: { recorded: true, reason: null } };
const stillNot = (reason: string) => ({ data: { recorded: false, reason } });
const notFound = refusal(404, 'Payment not found');

/** A payment 80 days after the click, when the window was 60. */
async function tooLate(more: object = {}): Promise<StripeEvent> {
  const at = new Date(NOW.getTime() + 80 * 86_400_000);
  const { object } = paid(person.id, { metadata: person.metadata, ...more }).data;
  const event = stripeEvent('checkout.session.completed', object, { at });
  await deliver(person.brand, event);
  return event;
}

const widen = () => owner.patch(path, { attribution_window_days: 90 });

describe('an owner’s retry of a payment that could not be recorded', () => {
  it('records the payment as a sale with the payment’s own time, and removes it from the list of unrecorded payments', async () => {
    const { brand, clickId, id } = person;
    const event = await tooLate();
    expect(await retried(event.id)).toEqual(stillNot('attribution_window_expired'));
    expect(await unsoldOf(world, brand)).toMatchObject([{ event_id: event.id, at: NOW.toISOString() }]);
    await widen();
    expect(await retried(event.id)).toEqual(recorded);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      amountCents: 4900,
      currency: 'USD',
      saleType: 'payment',
      occurredAt: new Date(NOW.getTime() + 80 * 86_400_000).toISOString(),
      createdAt: LATER.toISOString(),
      providerPaymentId: `pi_${id}`,
      attribution: { clickId, partnerId: brand.partner.id, resolvedBy: 'click_id' },
    });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ amountCents: 980, status: 'pending' });
    expect(await unsoldOf(world, brand)).toEqual([]);
    await expectNothingHalfWritten(world);
  });

  it('changes nothing if it is sent again, or if Stripe delivers the event again', async () => {
    const event = await tooLate();
    await widen();
    await retried(event.id);
    const left = await leftBehind(world, async () => expect(await retried(event.id)).toEqual(recorded));
    // Only the rate-limit count of the request may be left.
    expect(left.filter(({ pk }) => !String(pk).startsWith('WINDOW#'))).toEqual([]);
    await deliver(person.brand, event, event);
    expect(await world.items(`SALE#cs_${person.id}`)).toHaveLength(2);
  });

  it('deducts refunds that arrived before the retry', async () => {
    const event = await tooLate();
    await deliver(person.brand, refund(person));
    await widen();
    expect(await retried(event.id)).toEqual(recorded);
    expect(await refundedCentsOf(world, `cs_${person.id}`)).toBe(2450);
  });

  it('finds the customer by the payment’s e-mail address, although only its masked form and its hash are stored', async () => {
    const { brand, clickId, id } = person;
    await settledLead(brand, { click_id: clickId, email: `${id}@payers.test` });
    const event = paid(id, { customer_details: { email: `${id}@payers.test` } });
    await removePartner(world, brand);
    await deliver(brand, event);
    const noted = await world.items(keys.unattributedPayment(brand.program.id, sha256(event.id)).pk);
    expect(JSON.stringify(noted)).not.toContain(`${id}@`);
    await owner.patch(`${path}/partners/${brand.partner.id}`, { status: 'active' });
    expect(await retried(event.id)).toEqual(recorded);
    const [first = ''] = id;
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { clickId, resolvedBy: 'email', identifier: `${first}***@payers.test` },
    });
  });

  it('records the payment once if ten retries and a delivery run in parallel', async () => {
    const event = await tooLate();
    await widen();
    const tries = await Promise.all([
      ...Array.from({ length: 10 }, () => retried(event.id)),
      deliver(person.brand, event),
    ]);
    expect(tries.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => recorded));
    expect(await world.items(`SALE#cs_${person.id}`)).toHaveLength(2);
    await expectNothingHalfWritten(world);
  });

  it('records the payment once even if any one call fails and the retry is sent again', async () => {
    const event = await tooLate();
    await widen();
    for (let call = 1; call <= 4; call++) {
      const reply = await failingAt(call, refused('InternalServerError'), () => tryAgain(event.id));
      expect([200, 500]).toContain(reply.status);
    }
    await failingAt(5, replyLost, () => tryAgain(event.id)).catch(noSuchCall);
    await failingAt(5, inConflict, () => tryAgain(event.id)).catch(noSuchCall);
    expect(await retried(event.id)).toEqual(recorded);
    expect(await world.items(`SALE#cs_${person.id}`)).toHaveLength(2);
    await expectNothingHalfWritten(world);
  });
});

function noSuchCall(error: unknown): undefined {
  if (!(error instanceof Error && error.message.startsWith('No call to be failed'))) throw error;
}

it('if another program’s sale has the payment’s id, a retry records the payment as <program id>_<payment id>', async () => {
  const other = await visitor(world);
  await deliver(other.brand, paid(person.id, { metadata: other.metadata }));
  const event = paid(person.id, { metadata: person.metadata });
  await deliver(person.brand, event);
  expect(await retried(event.id)).toEqual(recorded);
  expect(await world.items(`SALE#${person.brand.program.id}_cs_${person.id}`)).toHaveLength(2);
  await expectNothingHalfWritten(world);
});

describe('a retry of a payment that still cannot be recorded reports', () => {
  it('that the partner was removed', async () => {
    const { brand, id, metadata } = person;
    const event = paid(id, { metadata });
    await removePartner(world, brand);
    await deliver(brand, event);
    expect(await retried(event.id)).toEqual(stillNot('no_partner_relation'));
  });

  it('that the currency is not supported', async () => {
    const event = paid(person.id, { metadata: person.metadata, currency: 'xts' });
    await deliver(person.brand, event);
    expect(await retried(event.id)).toEqual(stillNot('unsupported_currency'));
  });

  it('the reason that applies now, not the reason of the first attempt', async () => {
    const event = await tooLate();
    await removePartner(world, person.brand);
    expect(await retried(event.id)).toEqual(stillNot('no_partner_relation'));
    expect(await unsoldOf(world, person.brand)).toMatchObject([
      { reason: 'no_partner_relation', at: NOW.toISOString() },
    ]);
  });

  it('that the invoice still waits for its payment intent', async () => {
    const { brand, id, metadata } = person;
    const event = singleInvoicePaid(id, metadata);
    await deliver(brand, event);
    expect(await retried(event.id)).toEqual(stillNot('waiting_for_payment_intent'));
    const after = new Date(NOW.getTime() + 40 * 86_400_000);
    expect((await tryAgain(event.id, after)).body).toEqual(stillNot('waiting_for_payment_intent'));
    expect(await unsoldOf(world, brand, 41)).toMatchObject([{ event_id: event.id, at: NOW.toISOString() }]);
    await deliver(brand, invoicePaymentPaid(id));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ amountCents: 4900 });
    expect(await retried(event.id)).toEqual(recorded);
    expect(await unsoldOf(world, brand, 41)).toEqual([]);
  });

  it('that the event of the payment is no longer stored', async () => {
    const event = await tooLate();
    const { table } = world.deps();
    const key = keys.unattributedPayment(person.brand.program.id, sha256(event.id));
    await table.update(key, { set: { kept: undefined } });
    await widen();
    expect(await retried(event.id)).toEqual(stillNot('attribution_window_expired'));
  });
});

describe('a retry of a payment answers 404', () => {
  it('for an unknown event and for an event of another program', async () => {
    const event = await tooLate();
    const other = await visitor(world);
    const stranger = dashboard((await ownerOfBrand(world, other.brand)).token);
    expect(await tryAgain('evt_nobody')).toMatchObject(notFound);
    const foreign = `/programs/${other.brand.program.id}/processor/payments/${event.id}/retry`;
    expect(await stranger.post(foreign)).toMatchObject(notFound);
  });

  it('for a payment that was recorded at its first delivery, and for one that names no customer', async () => {
    const { brand, id, metadata } = person;
    const [sold, organic] = [paid(id, { metadata }), paid(`${id}b`)];
    await deliver(brand, sold, organic);
    expect(await tryAgain(sold.id)).toMatchObject(notFound);
    expect(await tryAgain(organic.id)).toMatchObject(notFound);
  });

  it('for an invoice with a test card that waits for its payment intent', async () => {
    const { brand, id, metadata } = person;
    const { object } = singleInvoicePaid(id, metadata).data;
    const event = stripeEvent('invoice.paid', object, { livemode: false });
    await deliver(brand, event);
    expect(await tryAgain(event.id)).toMatchObject(notFound);
  });
});

it('a retry reports success if another event of the payment has already recorded it', async () => {
  const { brand, id } = person;
  const clickId = await clicked(brand);
  const unknown = paid(id, { metadata: { service_click_id: 'clk_nobody' } });
  const { object } = paid(`${id}other`, { metadata: { service_click_id: clickId }, payment_intent: `pi_${id}` }).data;
  const named = stripeEvent('checkout.session.completed', { ...object, invoice: `cs_${id}` });
  await deliver(brand, unknown, named);
  expect(await retried(unknown.id)).toEqual(recorded);
});
