import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { anotherPartner, browserLead, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { commissionOf, customerOf, leadOf, paid, renewed, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// Anyone can enter another person's address, or key in a browser. Neither may take another partner's customer.

openProcessor();

let world: World;
let brand: OwnedBrand;
let thief: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await ownedBrand(world);
  await directEndpoint(world, brand);
  thief = { ...(await anotherPartner(world, brand, 'Thief')), key: brand.key };
});

let people = 0;
let id: string;
let email: string;
let key: string;
beforeEach(() => {
  id = `s2p${++people}x`;
  email = `victim.${id}@customers.test`;
  key = `user_${id}`;
});

const leadAuth = async (policy: 'server_required' | 'browser_allowed') =>
  expect(await brand.owner.patch(brand.path, { lead_auth: policy })).toMatchObject({ status: 200 });
const sell = (body: object) =>
  send(sale, { key: brand.key, body: { transaction_id: `api_${id}`, amount_cents: 4900, ...body } });
const told = () => ({ customer_details: { email }, customer_email: email });
const payerItems = () => world.items(`PAYER#${brand.program.id}#cus_${id}`);
const explained = async (transactionId: string) =>
  (await brand.owner.get(`${brand.path}/sales/${transactionId}`)).body.data;

/**
 * Creates a victim, who came by the first partner's click and subscribed, and an attacker, who signed up with the
 * victim's address.
 */
async function robbed(): Promise<string> {
  const clickId = await clicked(brand);
  await deliver(brand, subscribed(id, { ...told(), metadata: { service_click_id: clickId } }));
  await settledLead(brand, { click_id: await clicked(thief), customer_key: `thief_${id}`, email });
  return clickId;
}

/** The result of a sale matched by address. */
const byAddress = async (more: object = {}) => {
  await settledLead(brand, { click_id: await clicked(brand), email, customer_key: key });
  await deliver(brand, paid(id, { ...told(), ...more }));
  const { status, flags } = (await commissionOf(world, `cs_${id}`)) as { status: string; flags?: object[] };
  return { status, flags };
};

describe('a second partner whose lead has the e-mail address of a first partner’s customer', () => {
  it('earns nothing from that customer’s renewals, and the explanation names both partners', async () => {
    const clickId = await robbed();
    await deliver(brand, renewed(id, told()));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({
      attribution: { clickId, partnerId: brand.partner.id, resolvedBy: 'processor_customer' },
    });
    expect((await commissionOf(world, `in_${id}r`))?.flags).toBeUndefined();
    const { attribution, timeline } = await explained(`in_${id}r`);
    expect(attribution).toMatchObject({
      resolved_by: 'processor_customer',
      partner: { id: brand.partner.id },
      overruled: { partner: { id: thief.partner.id, name: 'Thief' }, by: 'email' },
    });
    expect(timeline).toContainEqual({
      at: NOW.toISOString(),
      kind: 'customer',
      text: 'The e-mail address of the payment belongs to a customer of Thief, but it did not count, because the payer had bought before',
    });
    expect(JSON.stringify(timeline)).not.toContain(email);
    await expectNothingHalfWritten(world);
  });

  it('earns nothing from that customer’s renewals, even if the person of the lead has bought as well', async () => {
    const clickId = await robbed();
    await sold(brand, { transaction_id: `thief_${id}`, customer_key: `thief_${id}` });
    await deliver(brand, renewed(id, told()), paid(`${id}b`, { ...told(), customer: `cus_${id}` }));
    for (const transactionId of [`in_${id}r`, `cs_${id}b`])
      expect(await saleOf(world, transactionId)).toMatchObject({ attribution: { clickId } });
  });

  it('earns nothing from a payment with that customer’s key if that customer has bought', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, customer_key: key });
    await sold(brand, { transaction_id: `api_${id}`, customer_key: key });
    await settledLead(brand, { click_id: await clicked(thief), email });
    await deliver(brand, paid(id, { ...told(), metadata: { service_customer_key: key } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { clickId, resolvedBy: 'customer_key', overruled: { partnerId: thief.partner.id, by: 'email' } },
    });
  });

  it('earns from a payment with that customer’s key if no one has bought yet, because e-mail addresses then take precedence', async () => {
    await settledLead(brand, { click_id: await clicked(brand), customer_key: key });
    const clickId = await clicked(thief);
    await settledLead(brand, { click_id: clickId, email });
    await deliver(brand, paid(id, { ...told(), metadata: { service_customer_key: key } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
  });
});

/** Creates a customer of the first partner who has bought, and a click of the attacker. */
async function bought() {
  const clickId = await clicked(brand);
  await settledLead(brand, { click_id: clickId, customer_key: key });
  await deliver(brand, subscribed(id, { metadata: { service_click_id: clickId } }));
  return clicked(thief);
}

describe('a click id that the payment itself contains', () => {
  it.each([
    ['payer', 'processor_customer', { customer: 'cus' }, 'The processor’s customer'],
    ['key', 'customer_key', {}, 'The customer key'],
  ] as const)(
    'takes precedence over the %s of a customer who has bought, and the explanation names both customers',
    async (_, by, more, subject) => {
      const clickId = await bought();
      await deliver(
        brand,
        paid(`${id}b`, {
          customer: 'customer' in more ? `cus_${id}` : `cus_${id}b`,
          metadata: { service_click_id: clickId, ...(by === 'customer_key' && { service_customer_key: key }) },
        }),
      );
      const { attribution, timeline } = await explained(`cs_${id}b`);
      const text = `${subject} of the payment belongs to a customer of ${brand.partner.name} who had bought before, but it did not count, because the payment names a click itself`;
      expect(attribution).toMatchObject({
        resolved_by: 'click_id',
        partner: { id: thief.partner.id },
        overruled: { partner: { id: brand.partner.id, name: brand.partner.name }, by },
      });
      expect(attribution.text).toContain(`${text}.`);
      expect(timeline).toContainEqual({ at: NOW.toISOString(), kind: 'customer', text });
    },
  );

  it('decides the attribution, and the explanation names no overruled partner, if the customer found by the other identifiers never bought or has the same partner', async () => {
    await settledLead(brand, { click_id: await clicked(brand), customer_key: key });
    const metadata = { service_click_id: await clicked(thief), service_customer_key: key };
    await deliver(brand, paid(id, { metadata }));
    expect((await explained(`cs_${id}`)).attribution).toMatchObject({ resolved_by: 'click_id', overruled: null });
    await deliver(
      brand,
      paid(`${id}b`, { customer: `cus_${id}`, metadata: { service_click_id: await clicked(thief) } }),
    );
    expect((await explained(`cs_${id}b`)).attribution).toMatchObject({ resolved_by: 'click_id', overruled: null });
  });
});

describe('the e-mail address of a lead for which the request’s email_verified is', () => {
  it.each([
    ['false matches no payment', false, []],
    ['true matches a payment', true, ['email']],
    ['absent matches a payment', undefined, ['email']],
    ['null matches a payment', null, ['email']],
    ['"false", a text, matches no payment', 'false', []],
    ['"true", a text, matches no payment', 'true', []],
  ])('%s', async (_, verified, found) => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, email, email_verified: verified });
    expect(await leadOf(world, clickId)).toMatchObject({ email: { masked: 'v***@customers.test' } });
    await deliver(brand, paid(id, told()));
    const sales = (await world.items(`SALE#cs_${id}`)).filter(({ sk }) => sk === 'SALE');
    expect(sales.map(({ attribution }) => (attribution as { resolvedBy: string }).resolvedBy)).toEqual(found);
  });

  it('false still matches the hold rules, such as self_referral', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, email: brand.partner.email, email_verified: false });
    await sold(brand, { transaction_id: `api_${id}`, click_id: clickId });
    expect(await commissionOf(world, `api_${id}`)).toMatchObject({ flags: [{ rule: 'self_referral' }] });
  });
});

describe('a sale whose customer was found by e-mail address alone', () => {
  const flag = {
    rule: 'address_only',
    at: NOW.toISOString(),
    evidence:
      'The e-mail address alone identified the customer: no click or customer key did, in this payment or an earlier one',
  };

  it('gets the flag address_only', async () => expect(await byAddress()).toEqual({ status: 'pending', flags: [flag] }));

  it('is counted as flagged in a payout preview, unless an owner has released its commission from a hold', async () => {
    const own = await ownedBrand(world);
    await directEndpoint(world, own);
    const at = new Date(NOW.getTime() + 60 * DAY_MS);
    const rowsAt = async () => {
      const { items } = (await own.owner.post(`${own.path}/payouts/preview`, {}, { at })).body.data;
      return items.map((row: { amount_cents: number; flagged: number }) => [row.amount_cents, row.flagged]);
    };
    await settledLead(own, { click_id: await clicked(own), email, customer_key: key });
    await deliver(own, paid(`${id}k`, { metadata: { service_customer_key: key }, customer: null }));
    expect(await rowsAt()).toEqual([[980, 0]]);
    await deliver(own, paid(id, told()));
    expect(await rowsAt()).toEqual([[1960, 1]]);
    await own.owner.patch(own.path, { rules: { address_only: 'hold' } });
    await deliver(own, paid(`${id}h`, told()));
    expect(await rowsAt()).toEqual([[1960, 1]]);
    const { id: held } = (await commissionOf(world, `cs_${id}h`)) as { id: number };
    await own.owner.post(`${own.path}/commissions/${held}/release`);
    expect(await rowsAt()).toEqual([[2940, 1]]);
  });

  it('is not flagged if the customer key identifies the customer as well', async () =>
    expect(await byAddress({ metadata: { service_customer_key: key } })).toEqual({ status: 'pending' }));

  it.each([
    ['hold', { status: 'held', flags: [flag] }],
    ['off', { status: 'pending' }],
  ])('is checked under the hold rule address_only set to %s', async (action, outcome) => {
    expect(await brand.owner.patch(brand.path, { rules: { address_only: action } })).toMatchObject({ status: 200 });
    expect(await byAddress()).toEqual(outcome);
    await brand.owner.patch(brand.path, { rules: { address_only: 'flag' } });
  });
});

const flagsOf = async (transactionId: string) => {
  const { status, flags = [] } = (await commissionOf(world, transactionId)) as {
    status: string;
    flags?: { rule: string }[];
  };
  return [status, flags.map(({ rule }) => rule)];
};
const renewal = (n: number, more: object = {}) => renewed(`${id}${n}`, { customer: `cus_${id}`, ...more });
const first = () => paid(id, told());

describe('a payer who was linked to a customer by e-mail address alone', () => {
  const alone = ['pending', ['address_only']];
  let own: OwnedBrand;
  let clickId: string;
  beforeEach(async () => {
    own = await ownedBrand(world, { commissionType: 'recurring_percent' });
    await directEndpoint(world, own);
    clickId = await clicked(own);
    await settledLead(own, { click_id: clickId, customer_key: key, email });
  });

  it('has each renewal held for review like the first payment', async () => {
    await own.owner.patch(own.path, { rules: { address_only: 'hold' } });
    await deliver(own, subscribed(id, told()));
    await deliver(own, renewal(1), renewal(2, told()), paid(`${id}b`, { customer: `cus_${id}` }));
    for (const transactionId of [`in_${id}`, `in_${id}1r`, `in_${id}2r`, `cs_${id}b`])
      expect([transactionId, await flagsOf(transactionId)]).toEqual([transactionId, ['held', ['address_only']]]);
    expect(await saleOf(world, `in_${id}1r`)).toMatchObject({
      attribution: { clickId, resolvedBy: 'processor_customer', isByAddressAlone: true },
    });
    await expectNothingHalfWritten(world);
  });

  it.each([
    ['the click', () => ({ metadata: { service_click_id: clickId } })],
    ['the key', () => ({ metadata: { service_customer_key: key } })],
    ['the click in the checkout URL', () => ({ client_reference_id: clickId })],
  ])('is no longer flagged after a payment that names %s of that customer', async (_, named) => {
    await deliver(own, first());
    await deliver(own, paid(`${id}n`, { customer: `cus_${id}`, ...told(), ...named() }));
    await deliver(own, renewal(1, told()));
    expect(await flagsOf(`cs_${id}`)).toEqual(alone);
    for (const transactionId of [`cs_${id}n`, `in_${id}1r`])
      expect(await flagsOf(transactionId)).toEqual(['pending', []]);
    expect(await world.items(`PAYER#${own.program.id}#cus_${id}`)).toEqual([
      expect.not.objectContaining({ boundByAddress: true }),
    ]);
    await expectNothingHalfWritten(world);
  });

  it('is still flagged after a payment that names another customer’s key or click', async () => {
    await deliver(own, first());
    await settledLead(own, { click_id: await clicked(own), customer_key: `other_${id}` });
    await deliver(
      own,
      paid(`${id}n`, { customer: `cus_${id}`, metadata: { service_customer_key: `other_${id}` } }),
      renewal(1),
    );
    for (const transactionId of [`cs_${id}n`, `in_${id}1r`]) expect(await flagsOf(transactionId)).toEqual(alone);
  });
});

describe('a customer key that only a browser sent, while the program accepted leads from browsers,', () => {
  let claimed: string;
  beforeEach(async () => {
    await leadAuth('browser_allowed');
    claimed = await clicked(thief);
    await browserLead({ click_id: claimed, customer_key: key, email });
  });

  it('identifies its customer while the program accepts leads from browsers, but links no Stripe customer to that customer', async () => {
    await deliver(brand, paid(id, told()), paid(`${id}k`, { metadata: { service_customer_key: key } }));
    for (const transactionId of [`cs_${id}`, `cs_${id}k`])
      expect(await saleOf(world, transactionId)).toMatchObject({ attribution: { clickId: claimed } });
    expect(await payerItems()).toEqual([]);
    await leadAuth('server_required');
    await deliver(brand, paid(`${id}n`, { customer: `cus_${id}` }));
    expect(await saleOf(world, `cs_${id}n`)).toBeUndefined();
  });

  it('matches no API call and no Stripe event after the program accepts leads only from servers again', async () => {
    await leadAuth('server_required');
    const before = await allItems(world);
    await deliver(brand, paid(id, told()), paid(`${id}k`, { metadata: { service_customer_key: key } }));
    const reply = await sell({ customer_key: key });
    expect([reply.status, reply.body]).toEqual([
      400,
      codedError(400, 'no_attribution', 'Customer not found. Provide customer_key or click_id.'),
    ]);
    expect((await allItems(world)).filter(({ pk }) => !String(pk).startsWith('WINDOW#'))).toEqual(
      before.filter(({ pk }) => !String(pk).startsWith('WINDOW#')),
    );
    // The payer is stored as unattributed.
    expect(await payerItems()).toEqual([
      { pk: expect.any(String), sk: expect.any(String), firstUnsoldAt: NOW.toISOString() },
    ]);
  });

  it('matches nothing once the program accepts only servers again, even if the customer has bought meanwhile', async () => {
    await sold(brand, { transaction_id: `api_${id}`, click_id: claimed });
    await leadAuth('server_required');
    await deliver(brand, paid(id, told()), paid(`${id}k`, { metadata: { service_customer_key: key } }));
    for (const transactionId of [`cs_${id}`, `cs_${id}k`]) expect(await saleOf(world, transactionId)).toBeUndefined();
  });

  it('goes to another customer if a server sends that customer’s lead with the same key and e-mail address', async () => {
    await leadAuth('server_required');
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, customer_key: key, email });
    await deliver(brand, paid(id, told()));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
    await sold(brand, { transaction_id: `api_${id}`, customer_key: key });
    expect(await saleOf(world, `api_${id}`)).toMatchObject({ attribution: { clickId, resolvedBy: 'customer_key' } });
    expect(await customerOf(world, claimed)).not.toHaveProperty('customerKey');
    await expectNothingHalfWritten(world);
  });

  it('has no precedence over an e-mail address that a server sends for another customer, even while browsers are accepted', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, email }, { at: new Date(NOW.getTime() + 1000) });
    await deliver(brand, paid(id, told()));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId } });
  });

  it('matches again once a server sends a lead with the same click; the server gets the usual reply', async () => {
    await leadAuth('server_required');
    const body = { click_id: claimed, customer_key: key, email };
    const refused = platformError(400, 'Customer status cannot be updated to lead. Current status: lead');
    expect(await send(lead, { key: brand.key, body })).toMatchObject({ status: 400, body: refused });
    await deliver(brand, paid(id, told()));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId: claimed, resolvedBy: 'email' } });
    expect(await payerItems()).toMatchObject([{ clickId: claimed }]);
    await sold(brand, { transaction_id: `api_${id}`, customer_key: key });
    expect(await saleOf(world, `api_${id}`)).toMatchObject({ attribution: { clickId: claimed } });
    await expectNothingHalfWritten(world);
  });

  it('is replaced by the key that a server sends with the same click', async () => {
    await leadAuth('server_required');
    await sold(brand, { transaction_id: `api_${id}`, click_id: claimed, customer_key: `own_${id}` });
    expect(await customerOf(world, claimed)).toMatchObject({ customerKey: `own_${id}` });
    expect(await world.items(`KEY#${key}`)).toEqual([]);
    expect(await world.items(`KEY#own_${id}`)).toMatchObject([{ clickId: claimed }]);
    await expectNothingHalfWritten(world);
  });
});
