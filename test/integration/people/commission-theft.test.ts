import { describe, expect, it } from 'vitest';
import { anotherPartner, browserLead, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { customerOf, invoiced, leadOf, paid, renewed, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// A partner clicks their own link and sends the data of another person without a key.

openProcessor();

const world = openedWorld();
const brand = opened(() => directBrand(world));

let people = 0;
const later = (seconds: number) => ({ at: new Date(NOW.getTime() + seconds * 1000) });

/** Creates a customer of the attacker who claims the victim's address and key, and the victim. */
async function claimed() {
  people += 1;
  const id = `v${people}x`;
  const victim = { email: `victim.${id}@customers.test`, key: `user_${id}` };
  const thief = await anotherPartner(world, brand, `Thief${people}`);
  const stolenClick = await clicked(thief);
  await browserLead({ click_id: stolenClick, email: victim.email, customer_key: victim.key });
  const payer = { customer: `cus_${id}`, customer_details: { email: victim.email }, customer_email: victim.email };
  return { id, victim, payer, stolenClick, told: { ...payer, metadata: { service_customer_key: victim.key } } };
}

/** The events of a subscriber's payments, in both orders of the first two payments, and a single payment. */
const orders = {
  'a single payment': (id: string, told: Record<string, unknown>) => [paid(id, told)],
  'a checkout, its invoice and a renewal': (id: string, told: Record<string, unknown>) => [
    subscribed(id, told),
    invoiced(id, told),
    renewed(id, told),
  ],
  'an invoice, its checkout and a renewal': (id: string, told: Record<string, unknown>) => [
    invoiced(id, told),
    subscribed(id, told),
    renewed(id, told),
  ],
};
const eachOrder = Object.entries(orders);
const transactionsOf = (id: string) => [`cs_${id}`, `in_${id}`, `in_${id}r`];
const salesOf = async (id: string) =>
  (await Promise.all(transactionsOf(id).map((each) => saleOf(world, each)))).filter((sale) => sale !== undefined);

describe('an anonymous lead that a thief sends with another person’s e-mail address and customer key', () => {
  it.each(eachOrder)('earns nothing if that person pays: %s', async (_, events) => {
    const { id, told, stolenClick } = await claimed();
    const before = [await customerOf(world, stolenClick), await leadOf(world, stolenClick)];
    await deliver(brand, ...events(id, told));
    expect(await salesOf(id)).toEqual([]);
    expect([await customerOf(world, stolenClick), await leadOf(world, stolenClick)]).toEqual(before);
    // The payer is stored as unattributed.
    const payer = `PAYER#${brand.program.id}#cus_${id}`;
    expect(await world.items(payer)).toEqual([{ pk: payer, sk: payer, firstUnsoldAt: expect.any(String) }]);
  });

  it.each(eachOrder)(
    'earns nothing if that person later signs up through another partner and pays: %s',
    async (_, events) => {
      const { id, victim, told } = await claimed();
      const clickId = await clicked(brand, later(1));
      await settledLead(brand, { click_id: clickId, customer_key: victim.key, email: victim.email }, later(2));
      await deliver(brand, ...events(id, told));
      const sales = await salesOf(id);
      expect(sales.length).toBe(events(id, told).length === 1 ? 1 : 2);
      for (const sale of sales) {
        const resolvedBy = sale.transactionId === `in_${id}r` ? 'processor_customer' : 'email';
        expect(sale).toMatchObject({ attribution: { clickId, partnerId: brand.partner.id, resolvedBy } });
      }
    },
  );

  it('earns nothing even if a server then sends the thief’s sign-up with the same click and no e-mail address', async () => {
    const { id, payer, stolenClick } = await claimed();
    await settledLead(brand, { click_id: stolenClick, customer_key: `thief_${id}` });
    await deliver(brand, paid(id, payer));
    expect(await salesOf(id)).toEqual([]);
  });

  it('earns nothing from that person after the thief pays with the same click', async () => {
    const { id, victim, told, stolenClick } = await claimed();
    await deliver(brand, paid(`${id}own`, { metadata: { service_click_id: stolenClick } }));
    expect(await leadOf(world, stolenClick)).toMatchObject({ state: 'settled', mode: 'processor' });
    expect(await customerOf(world, stolenClick)).not.toHaveProperty('customerKey');
    expect(await world.items(`KEY#${victim.key}`)).toEqual([]);
    await deliver(brand, paid(id, told));
    expect(await salesOf(id)).toEqual([]);
  });
});

it('a payment whose e-mail address is that of the click’s lead confirms that address for the customer', async () => {
  const clickId = await clicked(brand);
  const email = 'own@customers.test';
  await browserLead({ click_id: clickId, email });
  const told = { customer_details: { email } };
  await deliver(brand, paid('own', { ...told, metadata: { service_click_id: clickId } }), paid('own2', told));
  expect(await saleOf(world, 'cs_own2')).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
});
