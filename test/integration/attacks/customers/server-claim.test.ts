import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { anotherPartner, browserLead, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { customerOf, leadOf, paid, saleOf } from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// In browser_allowed mode, anyone can sign up with a victim's key and address. Once the brand's server names the
// customer, that claim is void.

openProcessor();

let world: World;
let brand: OwnedBrand;
let thief: Brand;
let claimed: string;
let victim: string;
let own: string;
let people = 0;
const policies = ['browser_allowed', 'server_required'] as const;
const leadAuth = async (policy: (typeof policies)[number]) =>
  expect(await brand.owner.patch(brand.path, { lead_auth: policy })).toMatchObject({ status: 200 });
beforeAll(async () => {
  world = await openWorld();
  brand = await ownedBrand(world);
  await directEndpoint(world, brand);
  thief = { ...(await anotherPartner(world, brand, 'Thief')), key: brand.key };
});
beforeEach(async () => {
  [victim, own] = [`victim_s02w${++people}`, `own_s02w${people}`];
  await leadAuth('browser_allowed');
  claimed = await clicked(thief);
  await browserLead({ click_id: claimed, customer_key: victim, email: emailOf(victim) });
});

const emailOf = (name: string) => `${name}@customers.test`;
/** Sends a server lead of the same click, which gets the reply for an existing lead. */
const corrected = async (body: object, clickId = claimed) =>
  expect(await send(lead, { key: brand.key, body: { click_id: clickId, ...body } })).toMatchObject({
    status: 400,
    body: platformError(400, 'Customer status cannot be updated to lead. Current status: lead'),
  });
const sell = (customerKey: string) =>
  send(sale, {
    key: brand.key,
    body: { transaction_id: `api_${customerKey}`, amount_cents: 4900, customer_key: customerKey },
  });
const UNATTRIBUTED = {
  status: 400,
  body: codedError(400, 'no_attribution', 'Customer not found. Provide customer_key or click_id.'),
};
/** Makes a payment that finds its customer by address alone. @returns the customer's click */
const soldByAddress = async (name: string) => {
  await deliver(brand, paid(name, { customer: null, customer_details: { email: emailOf(name) } }));
  return (await saleOf(world, `cs_${name}`))?.attribution;
};

describe.each(policies)(
  'a lead that a server sends for a click that has a lead from a browser, while the program’s lead_auth is %s,',
  (policy) => {
    beforeEach(() => leadAuth(policy));

    it('replaces the customer key and the e-mail address that the browser sent', async () => {
      await corrected({ customer_key: own, email: emailOf(own) });
      const customer = await customerOf(world, claimed);
      expect(customer).toMatchObject({ customerKey: own, email: { masked: 'o***@customers.test' } });
      expect(customer).not.toHaveProperty('keyBoundBy');
      expect(await world.items(`KEY#${victim}`)).toEqual([]);
      expect(await sell(victim)).toMatchObject(UNATTRIBUTED);
      expect(await soldByAddress(victim)).toBeUndefined();
      await sold(brand, { transaction_id: `own_${own}`, customer_key: own });
      expect(await saleOf(world, `own_${own}`)).toMatchObject({ attribution: { clickId: claimed } });
      expect(await soldByAddress(own)).toMatchObject({ clickId: claimed });
      await expectNothingHalfWritten(world);
    });

    it.each([
      ['has no e-mail address', () => ({})],
      ['has an unverified e-mail address', () => ({ email: emailOf(own), email_verified: false })],
    ])('removes the browser’s e-mail address if the lead has another customer key and %s', async (_, more) => {
      await corrected({ customer_key: own, ...more() });
      expect(await customerOf(world, claimed)).toMatchObject({ customerKey: own });
      expect(await customerOf(world, claimed)).not.toHaveProperty('email');
      expect(await leadOf(world, claimed)).not.toHaveProperty('emailListedAt');
      expect(await soldByAddress(victim)).toBeUndefined();
      await leadAuth('browser_allowed');
      expect(await soldByAddress(victim)).toBeUndefined();
      await expectNothingHalfWritten(world);
    });

    it('keeps the browser’s e-mail address if the lead has the same customer key', async () => {
      await corrected({ customer_key: victim });
      expect(await leadOf(world, claimed)).toMatchObject({
        emailListedAt: expect.any(String),
        emailClaimedBy: 'browser',
      });
    });

    it('keeps the browser’s e-mail address if the browser sent no customer key', async () => {
      await leadAuth('browser_allowed');
      const keyless = await clicked(thief);
      await browserLead({ click_id: keyless, email: emailOf(own) });
      await leadAuth(policy);
      await corrected({ customer_key: own }, keyless);
      expect(await customerOf(world, keyless)).toMatchObject({ customerKey: own });
      expect(await leadOf(world, keyless)).toMatchObject({
        emailListedAt: expect.any(String),
        emailClaimedBy: 'browser',
      });
    });

    it('takes the customer key from another customer if only a browser had sent it there', async () => {
      await leadAuth('browser_allowed');
      const other = await clicked(brand);
      await browserLead({ click_id: other, customer_key: own });
      await leadAuth(policy);
      await corrected({ customer_key: own });
      expect(await customerOf(world, claimed)).toMatchObject({ customerKey: own });
      expect(await customerOf(world, other)).not.toHaveProperty('customerKey');
      expect(await world.items(`KEY#${own}`)).toMatchObject([{ clickId: claimed }]);
      expect(await world.items(`KEY#${victim}`)).toEqual([]);
      await expectNothingHalfWritten(world);
    });

    it('neither takes a customer key that a server gave another customer nor replaces one that a server gave this customer', async () => {
      const other = await clicked(brand);
      await settledLead(brand, { click_id: other, customer_key: own });
      await send(lead, { key: brand.key, body: { click_id: claimed, customer_key: own } });
      expect(await world.items(`KEY#${own}`)).toMatchObject([{ clickId: other }]);
      await corrected({ customer_key: `${own}b` });
      await corrected({ customer_key: `${own}c` });
      expect(await customerOf(world, claimed)).toMatchObject({ customerKey: `${own}b` });
      await expectNothingHalfWritten(world);
    });

    it('changes no sale that is already recorded', async () => {
      await leadAuth('browser_allowed');
      await sold(brand, { transaction_id: `before_${victim}`, customer_key: victim });
      await leadAuth(policy);
      const before = await world.items(`SALE#before_${victim}`);
      const body = { click_id: claimed, customer_key: own };
      expect(await send(lead, { key: brand.key, body })).toMatchObject({
        body: platformError(400, 'Customer status cannot be updated to lead. Current status: conversion'),
      });
      expect(await world.items(`SALE#before_${victim}`)).toEqual(before);
      expect(await customerOf(world, claimed)).toMatchObject({ customerKey: own, status: 'conversion' });
      expect(await sell(victim)).toMatchObject(UNATTRIBUTED);
      await expectNothingHalfWritten(world);
    });

    it('sets the customer key even if a sale with the same click is recorded between the lead’s reads and its write', async () => {
      const byClick = () => sold(brand, { transaction_id: `click_${own}`, click_id: claimed });
      await failing('write', overtakenBy(byClick), () =>
        send(lead, { key: brand.key, body: { click_id: claimed, customer_key: own } }),
      );
      expect(await customerOf(world, claimed)).toMatchObject({ customerKey: own, status: 'conversion' });
      expect(await world.items(`KEY#${victim}`)).toEqual([]);
      await expectNothingHalfWritten(world);
    });
  },
);
