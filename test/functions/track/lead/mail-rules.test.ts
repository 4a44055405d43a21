import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { ownedBrand, type OwnedBrand } from '#test/support/programs/commissions.ts';
import { changeProgram, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const at = NOW.toISOString();
const sameDomain = {
  rule: 'same_domain',
  at,
  evidence: "The customer's address and the partner's have the same domain",
};
const disposable = {
  rule: 'disposable_email',
  at,
  evidence: "The customer's address is of a provider of disposable addresses",
};
let customers = 0;

async function signedUpAs(email: string, brand: OwnedBrand) {
  const key = `mail_${++customers}`;
  const clickId = await clicked(brand);
  await settledLead(brand, { click_id: clickId, customer_key: key, email });
  return { key, clickId };
}

async function boughtBy(key: string, brand: OwnedBrand) {
  await sold(brand, { customer_key: key, transaction_id: key });
  return (await saleItems(world, key)).commission!;
}

describe('the rule same_domain, which compares a customer’s e-mail domain with the partner’s,', () => {
  it.each(['bob@partners.test', 'bob@shop.Partners.test'])(
    'flags the sale of a customer with the e-mail address %s, even if the rule was switched on after the lead',
    async (email) => {
      const brand = await ownedBrand(world);
      const { key, clickId } = await signedUpAs(email, brand);
      expect(await world.deps().table.get(keys.customer(clickId))).toMatchObject({
        traits: { compared: { partnerId: brand.partner.id, domain: true } },
      });
      await changeProgram(world, brand, { rules: { same_domain: 'flag' } });
      expect(await boughtBy(key, brand)).toMatchObject({ status: 'pending', flags: [sameDomain] });
    },
  );

  it('applies even if the rule self_referral is off, and also holds the lead commission', async () => {
    const brand = await ownedBrand(world, { leadCommissionCents: 300 });
    await changeProgram(world, brand, { rules: { self_referral: 'off', same_domain: 'hold' } });
    const { key, clickId } = await signedUpAs('bob@partners.test', brand);
    const held = { status: 'held', heldAt: at, flags: [sameDomain] };
    expect(await world.deps().table.get(keys.leadCommission(clickId))).toMatchObject(held);
    expect(await boughtBy(key, brand)).toMatchObject(held);
  });

  it('does not flag other domains, and flags nothing if it is off', async () => {
    const brand = await ownedBrand(world);
    const off = await signedUpAs('bob@partners.test', brand);
    expect(await boughtBy(off.key, brand)).not.toHaveProperty('flags');
    await changeProgram(world, brand, { rules: { same_domain: 'hold' } });
    const other = await signedUpAs('bob@others.test', brand);
    expect(await boughtBy(other.key, brand)).not.toHaveProperty('flags');
  });
});

describe('the rule disposable_email, which recognises addresses of throw-away mail services,', () => {
  it.each(['bob@mailinator.com', 'bob@in.Mailinator.com'])(
    'flags the sale of a customer with the e-mail address %s, even if the rule was switched on after the lead',
    async (email) => {
      const brand = await ownedBrand(world);
      const { key } = await signedUpAs(email, brand);
      await changeProgram(world, brand, { rules: { disposable_email: 'flag' } });
      expect(await boughtBy(key, brand)).toMatchObject({ status: 'pending', flags: [disposable] });
    },
  );

  it('holds the commissions of the sale and of the lead', async () => {
    const brand = await ownedBrand(world, { leadCommissionCents: 300 });
    await changeProgram(world, brand, { rules: { disposable_email: 'hold' } });
    const { key, clickId } = await signedUpAs('bob@mailinator.com', brand);
    const held = { status: 'held', heldAt: at, flags: [disposable] };
    expect(await world.deps().table.get(keys.leadCommission(clickId))).toMatchObject(held);
    expect(await boughtBy(key, brand)).toMatchObject(held);
  });

  it('does not flag other e-mail addresses, and flags nothing if it is off', async () => {
    const brand = await ownedBrand(world);
    const off = await signedUpAs('bob@mailinator.com', brand);
    expect(await boughtBy(off.key, brand)).not.toHaveProperty('flags');
    await changeProgram(world, brand, { rules: { disposable_email: 'hold' } });
    const other = await signedUpAs('bob@gmail.com', brand);
    expect(await boughtBy(other.key, brand)).not.toHaveProperty('flags');
  });
});
