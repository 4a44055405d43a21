import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { anotherPartner, changeProgram, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const own = opened(() => ownedBrand(world));

const at = NOW.toISOString();
const flag = { rule: 'self_referral', at, evidence: "The customer's address is the partner's own" };
let customers = 0;

/** Makes a sale to a customer who signed up with an address. @returns the sale */
async function soldToAddress(email: string, brand = own) {
  const key = `self_${++customers}`;
  const clickId = await clicked(brand);
  await settledLead(brand, { click_id: clickId, customer_key: key, email });
  await sold(brand, { customer_key: key, transaction_id: key });
  return { clickId, key, commission: (await saleItems(world, key)).commission! };
}

describe('the rule self_referral, which compares the customer’s e-mail address with the partner’s,', () => {
  it.each(['ana@partners.test', ' Ana@Partners.TEST ', 'ana+shop@partners.test'])(
    'flags the sale of a customer with the e-mail address %s',
    async (email) => {
      const { clickId, key, commission } = await soldToAddress(email);
      expect(commission).toMatchObject({ status: 'pending', flags: [flag] });
      const traits = { mailDomain: 'partners.test', compared: { partnerId: own.partner.id, address: true } };
      const { table } = world.deps();
      expect(await table.get(keys.customer(clickId))).toMatchObject({ traits });
      expect(await table.get(keys.customerKey(key, own.program.id))).toMatchObject({ traits });
    },
  );

  it.each(['bob@partners.test', 'a.na@partners.test', 'ana@other.test'])(
    'does not flag the sale of a customer with the e-mail address %s',
    async (email) => {
      const { commission } = await soldToAddress(email);
      expect(commission).not.toHaveProperty('flags');
    },
  );

  it('holds the commissions of the sale and of the lead if the program has set the rule to hold', async () => {
    const brand = await ownedBrand(world, { leadCommissionCents: 300 });
    await changeProgram(world, brand, { rules: { self_referral: 'hold' } });
    const { clickId, commission } = await soldToAddress('ana@partners.test', brand);
    const held = { status: 'held', heldAt: at, flags: [flag] };
    expect(commission).toMatchObject(held);
    expect(await world.deps().table.get(keys.leadCommission(clickId))).toMatchObject(held);
  });

  it('flags nothing if it is off', async () => {
    const brand = await ownedBrand(world);
    await changeProgram(world, brand, { rules: { self_referral: 'off' } });
    expect((await soldToAddress('ana@partners.test', brand)).commission).not.toHaveProperty('flags');
  });

  it('uses the e-mail address of the new partner after a customer was moved to another partner', async () => {
    const brand = await ownedBrand(world);
    const other = await anotherPartner(world, brand, 'Eve');
    const { key, clickId } = await soldToAddress('eve@partners.test', brand);
    const moved = { set: { partnerId: other.partner.id, code: 'EVE' } };
    await world.deps().table.update(keys.customer(clickId), moved);
    await world.deps().table.update(keys.customerKey(key, brand.program.id), moved);
    await sold(brand, { customer_key: key, transaction_id: `${key}_2` });
    expect((await saleItems(world, `${key}_2`)).commission).toMatchObject({
      partnerId: other.partner.id,
      flags: [flag],
    });
  });
});
