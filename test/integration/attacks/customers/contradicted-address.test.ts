import { beforeEach, describe, expect, it } from 'vitest';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { codeEvent, discountedBy } from '#test/support/payments/coded-payments.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { anotherPartner, browserLead, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { commissionOf, paid, renewed, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Ben signs up with the address of a customer who came through Ana. By specification, the address takes precedence over
// the key of Ana's customer, so the commission is held until a person decides.

openProcessor();

const world = openedWorld();
let ana: OwnedBrand;
let ben: Brand;

let people = 0;
let id: string;
let email: string;
let key: string;
let bens: string;
let anas: string;
beforeEach(async () => {
  ana = await ownedBrand(world, { commissionType: 'recurring_percent' });
  await directEndpoint(world, ana);
  ben = { ...(await anotherPartner(world, ana, 'Ben')), key: ana.key };
  id = `s2c${++people}x`;
  email = `victim.${id}@customers.test`;
  key = `vk_${id}`;
  const at = new Date(NOW.getTime() - 60_000);
  bens = await clicked(ben, { at });
  await settledLead(ben, { click_id: bens, customer_key: `att_${id}`, email }, { at });
  anas = await clicked(ana);
  await settledLead(ana, { click_id: anas, customer_key: key, email });
});

const told = () => ({ customer_details: { email }, customer_email: email });
const named = () => ({ ...told(), metadata: { service_customer_key: key } });
const renewal = (n: number, more: object = named()) => renewed(`${id}${n}`, { customer: `cus_${id}`, ...more });
const setRule = (action: string) => ana.owner.patch(ana.path, { rules: { address_only: action } });
const flag = (evidence: string) => ({ rule: 'address_only', at: NOW.toISOString(), evidence });
const KEY_NAMES_ANOTHER =
  'The e-mail address alone identified the customer, and the customer key of the payment belongs to a customer of another partner';
const outcomeOf = async (transactionId: string) => {
  const [sale, commission] = [await saleOf(world, transactionId), await commissionOf(world, transactionId)];
  const { clickId, resolvedBy, isByAddressAlone, overruled } = sale!.attribution as Record<string, unknown>;
  return {
    clickId,
    resolvedBy,
    isByAddressAlone,
    overruled,
    status: commission?.status,
    flags: commission?.flags,
  };
};
const contradicted = (resolvedBy = 'email', evidence = KEY_NAMES_ANOTHER) => ({
  clickId: bens,
  resolvedBy,
  isByAddressAlone: true,
  overruled: { partnerId: ana.partner.id, by: 'customer_key' },
  status: 'held',
  flags: [flag(evidence)],
});

describe('a sale whose e-mail address and customer key identify customers of two partners', () => {
  it('is attributed by the e-mail address and held for review, and its explanation names the other partner', async () => {
    await deliver(ana, paid(id, named()));
    expect(await outcomeOf(`cs_${id}`)).toEqual(contradicted());
    const { attribution, timeline } = (await ana.owner.get(`${ana.path}/sales/cs_${id}`)).body.data;
    const text = `The customer key of the payment belongs to a customer of ${ana.partner.name}, but it did not count, because the e-mail address takes precedence, and that customer had not bought`;
    expect(attribution).toMatchObject({
      resolved_by: 'email',
      partner: { name: 'Ben' },
      overruled: { partner: { id: ana.partner.id, name: ana.partner.name }, by: 'customer_key' },
    });
    expect(attribution.text).toContain(`${text}.`);
    expect(timeline).toContainEqual({ at: NOW.toISOString(), kind: 'customer', text });
    await expectNothingHalfWritten(world);
  });

  it('is also held for review if the lead with the customer key has no e-mail address', async () => {
    key = `bare_${id}`;
    await settledLead(ana, { click_id: await clicked(ana), customer_key: key });
    await deliver(ana, paid(id, named()));
    expect(await outcomeOf(`cs_${id}`)).toEqual(contradicted());
  });

  it('is also held for review if the click in the checkout URL, not the key, belongs to the other partner’s customer', async () => {
    await deliver(ana, paid(id, { ...told(), client_reference_id: anas }));
    expect(await outcomeOf(`cs_${id}`)).toEqual({
      ...contradicted(
        'email',
        'The e-mail address alone identified the customer, and the click of the checkout belongs to a customer of another partner',
      ),
      overruled: { partnerId: ana.partner.id, by: 'click_id' },
    });
    const { attribution } = (await ana.owner.get(`${ana.path}/sales/cs_${id}`)).body.data;
    expect(attribution.text).toContain(
      `The click of the checkout belongs to a customer of ${ana.partner.name}, but it did not count, because the e-mail address takes precedence, and that customer had not bought.`,
    );
  });

  it('is also held for review if the payment carries the promotion code of a third partner', async () => {
    await cleoWithCode(world, ana);
    await deliver(ana, codeEvent(`promo_${id}`), paid(id, discountedBy(id, named())));
    expect(await outcomeOf(`cs_${id}`)).toEqual(contradicted());
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ code: 'SAVE10' });
  });

  it('is only flagged if the program’s rule is set to flag', async () => {
    await setRule('off');
    await deliver(ana, paid(id, named()));
    expect(await outcomeOf(`cs_${id}`)).toEqual({ ...contradicted(), status: 'pending', flags: undefined });
  });

  it('is only flagged if the customer key is unknown, belongs to a customer of the same partner or came from a browser', async () => {
    await settledLead(ben, { click_id: await clicked(ben), customer_key: `own_${id}` });
    await deliver(ana, paid(`${id}n`, { ...told(), metadata: { service_customer_key: `nobody_${id}` } }));
    expect(await outcomeOf(`cs_${id}n`)).toMatchObject({
      overruled: undefined,
      status: 'pending',
      flags: [{ rule: 'address_only' }],
    });
    expect(await ana.owner.patch(ana.path, { lead_auth: 'browser_allowed' })).toMatchObject({ status: 200 });
    await browserLead({ click_id: await clicked(ana), customer_key: `claimed_${id}` });
    for (const [n, other] of [`own_${id}`, `claimed_${id}`].entries()) {
      const customer = `cus_${id}_${n}`;
      await deliver(ana, paid(`${id}${n}`, { ...told(), customer, metadata: { service_customer_key: other } }));
      expect(await outcomeOf(`cs_${id}${n}`)).toMatchObject({ clickId: bens, overruled: undefined, status: 'pending' });
    }
  });
});

describe('a payer who was linked to a customer by e-mail address while the customer key named another partner’s customer', () => {
  beforeEach(() => deliver(ana, subscribed(id, named())));

  it('has later renewals held for review, too, with or without the customer key', async () => {
    await deliver(ana, renewal(1), renewal(2, { metadata: { service_customer_key: key } }));
    for (const transactionId of [`in_${id}1r`, `in_${id}2r`])
      expect(await outcomeOf(transactionId)).toEqual(contradicted('processor_customer'));
    const { attribution } = (await ana.owner.get(`${ana.path}/sales/in_${id}1r`)).body.data;
    expect(attribution.text).toContain(
      'because an e-mail address had bound the payer before, and that customer had not bought.',
    );
    await expectNothingHalfWritten(world);
  });

  it('is linked to the customer with the key once that customer has bought, even for later payments without the key', async () => {
    await sold(ana, { transaction_id: `api_${id}`, customer_key: key });
    await deliver(ana, renewal(1), renewal(2, {}));
    expect(await outcomeOf(`in_${id}1r`)).toEqual({
      clickId: anas,
      resolvedBy: 'customer_key',
      isByAddressAlone: undefined,
      overruled: { partnerId: ben.partner.id, by: 'email' },
      status: 'pending',
      flags: undefined,
    });
    expect(await outcomeOf(`in_${id}2r`)).toMatchObject({ clickId: anas, resolvedBy: 'processor_customer' });
    expect(await world.items(`PAYER#${ana.program.id}#cus_${id}`)).toEqual([
      { pk: expect.any(String), sk: expect.any(String), clickId: anas },
    ]);
    await expectNothingHalfWritten(world);
  });

  it('gets later renewals without a hold after an owner released one commission; a rejected commission stays rejected', async () => {
    const { id: held } = (await commissionOf(world, `in_${id}`)) as { id: number };
    await deliver(ana, renewal(1));
    const { id: next } = (await commissionOf(world, `in_${id}1r`)) as { id: number };
    expect(await ana.owner.post(`${ana.path}/commissions/${next}/reject`, { reason: 'Ana’s' })).toMatchObject({
      status: 200,
    });
    expect(await ana.owner.post(`${ana.path}/commissions/${held}/release`)).toMatchObject({ status: 200 });
    await deliver(ana, renewal(2));
    const statuses = [`in_${id}`, `in_${id}1r`, `in_${id}2r`].map(
      async (one) => (await commissionOf(world, one))?.status,
    );
    expect(await Promise.all(statuses)).toEqual(['pending', 'rejected', 'pending']);
  });
});
