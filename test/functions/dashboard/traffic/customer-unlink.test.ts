import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { customerOf, paid, saleOf } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();
let brand: OwnedBrand;
beforeAll(async () => {
  brand = await ownedBrand(world);
  await directEndpoint(world, brand);
});

const at = NOW.toISOString();
const reason = 'Claimed by a partner';
const unlink = (clickId: string, body: object = { reason }) =>
  brand.owner.post(`${brand.path}/customers/${clickId}/unlink`, body);
const buy = (id: string, body: object) =>
  send(sale, { key: brand.key, body: { transaction_id: id, amount_cents: 4900, ...body } });
const unknown = codedError(400, 'no_attribution', 'Customer not found. Provide customer_key or click_id.');

let people = 0;
/** A customer with every kind of identifier. */
async function known() {
  people += 1;
  const name = `known${people}x`;
  const key = `user-${name}`;
  const clickId = await clicked(brand);
  const email = `${name}@customers.test`;
  await settledLead(brand, { click_id: clickId, customer_key: key, email });
  const payer = { customer: `cus_${name}` };
  await deliver(brand, paid(`${name}0`, { ...payer, metadata: { service_click_id: clickId } }));
  return { name, key, clickId, email, payer };
}

describe('a customer whom an owner unlinks from the partner', () => {
  it('keeps the reason and the author of the first request if a second request is sent', async () => {
    const { clickId, key } = await known();
    const { customerKey: _gone, ...before } = (await customerOf(world, clickId))!;
    const data = { click_id: clickId, unlinked: true, unlinked_at: at, reason };
    expect(await unlink(clickId)).toMatchObject({ status: 200, body: { data } });
    expect((await unlink(clickId, { reason: 'Another' })).body).toEqual({ data });
    expect(await customerOf(world, clickId)).toEqual({
      ...before,
      unlinkedAt: at,
      unlinkedBy: brand.actor,
      unlinkReason: reason,
    });
    expect(await world.items(`KEY#${key}`)).toEqual([]);
  });

  it('is not found by any identifier of a sale, lead or payment', async () => {
    const { clickId, key, name, email, payer } = await known();
    await unlink(clickId);
    for (const body of [{ click_id: clickId }, { customer_key: key }]) {
      expect(await buy(`${name}a`, body)).toMatchObject({ status: 400, body: unknown });
      expect((await send(lead, { key: brand.key, body })).status).toBe(400);
      expect((await send(lead, { body: { ...body, program_id: brand.program.id } })).status).toBe(400);
    }
    const metadata = { service_click_id: clickId, service_customer_key: key };
    await deliver(brand, paid(name, { ...payer, metadata, customer_details: { email } }));
    expect(await saleOf(world, `cs_${name}`)).toBeUndefined();
  });

  it('is linked again by the person’s next click, and then found by the same key, e-mail address and Stripe customer', async () => {
    const { clickId, key, name, email, payer } = await known();
    await unlink(clickId);
    const visit = { affiliate_url: brand.affiliateUrl, existing_click_id: clickId };
    const next = (await send(click, { body: visit })).body.click_id;
    expect(next).not.toBe(clickId);
    await settledLead(brand, { click_id: next, customer_key: key, email });
    await sold(brand, { transaction_id: `${name}b`, customer_key: key });
    await deliver(brand, paid(`${name}c`, { ...payer, customer_details: { email } }), paid(`${name}d`, payer));
    const found = await Promise.all([`${name}b`, `cs_${name}c`, `cs_${name}d`].map((id) => saleOf(world, id)));
    expect(found.map((each) => each?.attribution)).toEqual(
      ['customer_key', 'email', 'processor_customer'].map((resolvedBy) =>
        expect.objectContaining({ clickId: next, resolvedBy }),
      ),
    );
    expect(await world.items(`PAYER#${brand.program.id}#${payer.customer}`)).toMatchObject([{ clickId: next }]);
    await expectNothingHalfWritten(world);
  });

  it('keeps the sales made before, and their explanation says that an owner unlinked the customer', async () => {
    const { clickId, name } = await known();
    await unlink(clickId);
    const { body } = await brand.owner.get(`${brand.path}/sales/cs_${name}0`);
    expect(body.data.attribution.text).toContain(
      'An owner unlinked the customer on 2026-11-20: later sales find nobody until the person comes through a link again.',
    );
    expect(body.data.timeline).toContainEqual({
      at,
      kind: 'customer',
      text: `Customer unlinked by an owner: ${reason}`,
    });
    expect(body.data.commission).toMatchObject({ partner_id: brand.partner.id });
  });
});

describe('a request that uses a customer while an owner unlinks that customer', () => {
  const requests: Record<'sale' | 'lead' | 'payment', (clickId: string, key: string) => Promise<unknown>> = {
    sale: (clickId: string, key: string) => buy(`raced-${key}`, { click_id: clickId, customer_key: key }),
    lead: (clickId: string, key: string) =>
      send(lead, { key: brand.key, body: { click_id: clickId, customer_key: key } }),
    payment: (clickId: string, key: string) =>
      deliver(brand, paid(key, { metadata: { service_click_id: clickId, service_customer_key: key } })),
  };
  const names = Object.keys(requests).map((name) => [name as keyof typeof requests] as const);

  it.each(names)('records nothing if it is a %s and the unlinking is written first', async (name) => {
    const clickId = await clicked(brand);
    const key = `overtaken-${name}`;
    await failing(
      'write',
      overtakenBy(() => unlink(clickId)),
      () => requests[name](clickId, key),
    );
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'click', unlinkedAt: at });
    expect(await world.items(`KEY#${key}`)).toEqual([]);
    expect([await saleOf(world, `raced-${key}`), await saleOf(world, `cs_${key}`)]).toEqual([undefined, undefined]);
  });

  it.each(names)(
    'is recorded if it is a %s that is written first; the unlinking then removes the customer key',
    async (name) => {
      const clickId = await clicked(brand);
      const key = `overtaking-${name}`;
      await failing(
        'write',
        overtakenBy(() => requests[name](clickId, key)),
        () => unlink(clickId),
      );
      const customer = await customerOf(world, clickId);
      expect(customer).toMatchObject({ status: name === 'lead' ? 'lead' : 'conversion', unlinkedAt: at });
      expect(customer).not.toHaveProperty('customerKey');
      expect(await world.items(`KEY#${key}`)).toEqual([]);
      await expectNothingHalfWritten(world);
    },
  );
});

describe('a request to unlink a customer is refused', () => {
  it.each([{}, { reason: '' }, { reason: ' ' }, { reason: 7 }, { reason: 'x'.repeat(501) }])(
    'for the reason %j',
    async (body) => {
      const clickId = await clicked(brand);
      const reply = await unlink(clickId, body);
      expect([reply.status, reply.body]).toEqual([400, platformError(400, 'reason is required')]);
    },
  );

  it('for a customer that the program does not have', async () => {
    const stranger = await world.brand();
    for (const clickId of ['clk_nobody', await clicked(stranger)]) {
      expect((await unlink(clickId)).body).toEqual(platformError(404, 'Customer not found'));
    }
  });
});
