import { afterEach, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { previewPayout } from '#lib/service/earnings/recording/preview-payout.ts';
import { payOut } from '#lib/service/earnings/recording/record-payout.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { browserLead, removePartner, sold, unlinkPartner } from '#test/support/payments/lives/journeys.ts';
import { customerOf, leadOf, paid, saleOf, visitor } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { checkoutSession, deliver, deliverAt, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a payment that settles a provisional lead, which then earns a commission.

openProcessor();

const world = openedWorld();
afterEach(() => expectNothingHalfWritten(world));

const DAY_MS = 86_400_000;
const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

const leadCommissionOf = async (clickId: string) =>
  (await world.items(`CUSTOMER#${clickId}`)).find(({ sk }) => sk === 'COMMISSION');

/** A visitor with a provisional lead, in a program that pays for leads. */
async function provisional(settings: object = {}) {
  const person = await visitor(world, { leadCommissionCents: 500, ...settings });
  await browserLead({ click_id: person.clickId });
  return person;
}

it('the lead commission that a payment settles counts on the day of the payment, even on the last day that a payout covers', async () => {
  const { brand, clickId, id, metadata } = await provisional();
  const [paidAt, cameIn] = [daysLater(3), daysLater(5)];
  await deliverAt(
    cameIn,
    brand,
    stripeEvent('checkout.session.completed', checkoutSession(id, { metadata }), { at: paidAt }),
  );
  const { id: leadId } = (await leadOf(world, clickId))!;
  expect(await leadOf(world, clickId)).toMatchObject({ createdAt: NOW.toISOString(), earned: true });
  expect(await leadCommissionOf(clickId)).toMatchObject({
    id: leadId,
    leadId,
    amountCents: 500,
    currency: 'USD',
    occurredAt: paidAt.toISOString(),
    createdAt: cameIn.toISOString(),
    holdUntil: daysLater(20).toISOString(),
    history: [{ actor: 'processor', action: 'created' }],
  });
  await counted(world);
  expect((await counterItems(world))[`PROGRAM#${brand.program.id}`]).toMatchObject({
    'leads@2026-11-20': 1,
    'commissionUSD@2026-11-23': 500 + 980,
  });

  const deps = world.deps(daysLater(30));
  const until = (through: string) => previewPayout(deps, brand.program, { through }, 'account:1');
  expect((await until('2026-11-22')).items).toEqual([]);
  expect((await until('2026-11-23')).items).toMatchObject([{ amountCents: 500 + 980 }]);
});

it('a lead gets one commission, however many payments and events settle it', async () => {
  const { brand, clickId, id, metadata } = await provisional();
  const event = paid(id, { metadata });
  await deliver(brand, event);
  const earned = await leadCommissionOf(clickId);
  expect(earned).toMatchObject({ status: 'pending', amountCents: 500 });
  await deliver(brand, event);
  await deliver(brand, paid(`${id}_again`, { metadata }));
  expect(await leadCommissionOf(clickId)).toEqual(earned);
});

it('a lead that came after the attribution window earns no commission, although a payment settles it', async () => {
  const person = await visitor(world, { leadCommissionCents: 500 });
  await browserLead({ click_id: person.clickId }, { at: daysLater(61) });
  await deliverAt(daysLater(62), person.brand, paid(person.id, { metadata: person.metadata }));
  expect(await leadOf(world, person.clickId)).toMatchObject({ state: 'settled' });
  expect(await leadCommissionOf(person.clickId)).toBeUndefined();
  expect(await saleOf(world, `cs_${person.id}`)).toBeUndefined();
});

it('a lead earns no commission if its partner was removed before the payment', async () => {
  const { brand, clickId, id, metadata } = await provisional();
  await removePartner(world, brand);
  await deliver(brand, paid(id, { metadata }));
  expect(await leadOf(world, clickId)).toMatchObject({ state: 'settled' });
  expect(await leadCommissionOf(clickId)).toBeUndefined();
});

describe('a lead that becomes settled gets one commission', () => {
  it.each([1, 2, 3, 4, 5])('if a lead call and a payment settle it in parallel (round %d)', async () => {
    const { brand, clickId, id, metadata } = await provisional();
    const body = { click_id: clickId, customer_key: `both ${id}` };
    await Promise.all([
      send(lead, { key: brand.key, body }),
      deliver(brand, paid(id, { metadata })),
      send(lead, { key: brand.key, body }),
    ]);
    const { id: leadId } = (await leadOf(world, clickId))!;
    expect(await leadCommissionOf(clickId)).toMatchObject({ id: leadId, amountCents: 500 });
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ commissionState: 'created' });
    await counted(world);
    const { commissionUSD } = (await counterItems(world))[`PROGRAM#${brand.program.id}`]!;
    expect(commissionUSD).toBe(500 + 980);
    const { sums } = await payOut(world.deps(daysLater(30)), brand.program.id, {}, 'account:1');
    expect(sums).toEqual({ USD: { lines: 1, commissions: 2, amountCents: 500 + 980 } });
  });
});

describe('the commission for a lead whose customer a promotion code moved to another partner', () => {
  it('belongs to the partner who brought the lead', async () => {
    const { brand, clickId, id, metadata } = await provisional({ codePrecedence: 'code_first' });
    const cleo = await cleoWithCode(world, brand);
    await sold(brand, { transaction_id: `sale_${id}`, coupon_code: 'SAVE10', click_id: clickId });
    expect(await customerOf(world, clickId)).toMatchObject({ partnerId: cleo.partner.id });
    await deliver(brand, paid(id, { metadata }));
    const brought = { partnerId: brand.partner.id, shortLink: brand.shortLink };
    expect(await leadOf(world, clickId)).toMatchObject({ state: 'settled', earned: true, ...brought });
    expect(await leadCommissionOf(clickId)).toMatchObject({ amountCents: 500, ...brought });
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { partnerId: cleo.partner.id } });
  });

  it('is not created if the customer was unlinked from the partner', async () => {
    const { brand, clickId, id, metadata } = await provisional({ codePrecedence: 'code_first' });
    await cleoWithCode(world, brand);
    await sold(brand, { transaction_id: `sale_${id}`, coupon_code: 'SAVE10', click_id: clickId });
    await unlinkPartner(world, brand, clickId);
    await deliver(brand, paid(id, { metadata }));
    expect(await leadOf(world, clickId)).toMatchObject({ state: 'settled' });
    expect(await leadCommissionOf(clickId)).toBeUndefined();
  });
});
