import { beforeEach, describe, expect, it } from 'vitest';
import { handler as init } from '#functions/cli/init.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { anotherPartner, changeProgram, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { paid, visitor } from '#test/support/payments/payers.ts';
import { ownerOf } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { counted } from '#test/support/table/stream.ts';
import { checkoutSession, deliver, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of an installation with its own currencies.

openProcessor();

const world = openedWorld();

/** Changes the installation's currencies, as a deployment does. */
function takes(currencies: string): void {
  process.env.CURRENCIES = currencies;
  discardContainer();
}
beforeEach(() => takes('KWD,jpy,ISK'));

const LATER = new Date('2026-12-20T10:00:00.000Z');
const required = { name: 'My SaaS', domain: 'example.com', commission_type: 'percent', commission_rate: 20 };
const valid = 'Valid: KWD, JPY, ISK';

let names = 0;
const newName = () => `c${++names}`;

describe('a sale', () => {
  it.each([
    ['KWD', 'KWD'],
    [' jpy', 'JPY'],
  ])('in %j is accepted', async (sent, currency) => {
    const brand = await world.brand();
    const name = newName();
    await soldTo(brand, name, { transaction_id: name, currency: sent });
    const { sale: stored, commission } = await saleItems(world, name);
    expect([stored?.currency, commission?.currency, commission?.platformFee]).toEqual([
      currency,
      currency,
      { amountCents: 172, reducedCents: 0, bps: 350, currency },
    ]);
  });

  it('that names no currency gets the program’s currency', async () => {
    const brand = await world.brand({ currency: 'JPY' });
    const name = newName();
    await soldTo(brand, name, { transaction_id: name });
    const { sale: stored, commission } = await saleItems(world, name);
    expect([stored?.currency, commission?.currency]).toEqual(['JPY', 'JPY']);
  });

  it.each([
    [{ currency: 'EUR' }, { currency: 'JPY' }, 'currency EUR is not supported'],
    // The installation no longer supports the program's currency.
    [{}, { currency: 'USD' }, 'currency USD is not supported'],
  ])(
    'with %j in a program with %j is refused, because the currency is not supported, and nothing is stored',
    async (body, own, message) => {
      const brand = await world.brand();
      await changeProgram(world, brand, own);
      const name = newName();
      await signedUp(brand, name);
      for (const mode of [{}, { additional_data: { test_mode: true } }]) {
        const sent = { transaction_id: name, customer_key: name, amount_cents: 4900, ...body, ...mode };
        expect(await send(sale, { key: brand.key, body: sent })).toMatchObject({
          status: 422,
          body: codedError(422, 'unsupported_currency', message),
        });
      }
      expect(await world.items(`SALE#${name}`)).toEqual([]);
    },
  );

  it.each([
    ['fixed', 'KWD', 1.0005, 1_001],
    ['recurring_fixed', 'JPY', 50.5, 51],
  ] as const)('earns a %s commission in the program’s currency %s', async (commissionType, currency, rate, cents) => {
    const brand = await world.brand({ commissionType, commissionRate: rate, currency });
    const name = newName();
    await soldTo(brand, name, { transaction_id: name, currency: 'ISK' });
    const { commission } = await saleItems(world, name);
    expect(commission).toMatchObject({ amountCents: cents, currency, platformFee: { currency: 'ISK' } });
  });
});

describe('a Stripe payment', () => {
  it('in a supported currency becomes a sale, with its amount in the currency’s smallest unit', async () => {
    const { brand, id, metadata } = await visitor(world);
    const session = checkoutSession(id, { metadata, currency: 'isk', amount_total: 490_000 });
    await deliver(brand, stripeEvent('checkout.session.completed', session));
    const { sale: stored } = await saleItems(world, `cs_${id}`);
    expect(stored).toMatchObject({ amountCents: 4_900, currency: 'ISK' });
  });

  it('in an unsupported currency is not recorded', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, paid(id, { metadata, currency: 'usd' }));
    expect(await world.items(`SALE#cs_${id}`)).toEqual([]);
  });
});

describe('a new program', () => {
  it('gets the currency that the request names, or else the installation’s first supported currency', async () => {
    const { user } = await signedIn();
    expect((await user.post('/programs', required)).body.data.currency).toBe('KWD');
    expect((await user.post('/programs', { ...required, currency: ' isk ' })).body.data.currency).toBe('ISK');
  });

  it('created by the CLI gets the installation’s first supported currency', async () => {
    const { user, token } = await signedIn();
    const { body } = await send(init, { key: token, body: required });
    expect((await user.get(`/programs/${body.data.program_id}`)).body.data.currency).toBe('KWD');
  });

  it.each([
    ['EUR', `Invalid currency: EUR. ${valid}`],
    [' eur', `Invalid currency: EUR. ${valid}`],
    [7, `Invalid currency: 7. ${valid}`],
    ['', `Invalid currency: . ${valid}`],
  ])('cannot have the currency %j', async (currency, message) => {
    const { user } = await signedIn();
    expect(await user.post('/programs', { ...required, currency })).toMatchObject({
      status: 400,
      body: platformError(400, message),
    });
    expect((await user.get('/programs')).body.data).toEqual([]);
  });
});

describe('a program', () => {
  it('can get another currency from the dashboard or an agent; existing commissions keep their currency', async () => {
    const own = await ownedBrand(world, { commissionType: 'fixed', commissionRate: 5 });
    const assistant = agent(await agentKeyOf(world, own));
    const name = newName();
    await soldTo(own, name, { transaction_id: name, currency: 'KWD' });
    const { commission: before } = await saleItems(world, name);
    expect((await own.owner.patch(own.path, { currency: 'jpy' })).body.data.currency).toBe('JPY');
    expect((await own.owner.get(own.path)).body.data.currency).toBe('JPY');
    const later = newName();
    await sold(own, { transaction_id: later, customer_key: name, currency: 'KWD' });
    expect((await saleItems(world, later)).commission).toMatchObject({ amountCents: 5, currency: 'JPY' });
    expect((await assistant.update(own.program.id, { currency: 'ISK' })).body.data.currency).toBe('ISK');
    expect((await saleItems(world, name)).commission).toEqual(before);
  });

  it('keeps its currency if the change is refused', async () => {
    const own = await ownedBrand(world);
    const assistant = agent(await agentKeyOf(world, own));
    const refused = { status: 400, body: platformError(400, `Invalid currency: USD. ${valid}`) };
    expect(await own.owner.patch(own.path, { currency: 'usd', name: 'New' })).toMatchObject(refused);
    expect(await assistant.update(own.program.id, { currency: 'usd', name: 'New' })).toMatchObject(refused);
    expect((await own.owner.get(own.path)).body.data).toMatchObject({ currency: 'KWD', name: own.program.name });
  });

  it('ranks partners and links by the amounts in the program’s currency', async () => {
    const ana = await ownedBrand(world, { currency: 'JPY' });
    const ben: OwnedBrand = { ...ana, ...(await anotherPartner(world, ana, 'Ben')) };
    await soldTo(ana, newName(), { transaction_id: newName(), amount_cents: 9_000, currency: 'KWD' });
    await soldTo(ben, newName(), { transaction_id: newName(), amount_cents: 100, currency: 'JPY' });
    await counted(world);
    for (const sort of ['revenue', 'commission']) {
      const { body: partners } = await ana.owner.get(`${ana.path}/partners?sort=${sort}`);
      expect(partners.data.map(({ id }: { id: number }) => id)).toEqual([ben.partner.id, ana.partner.id]);
      const { body: links } = await ana.owner.get(`${ana.path}/links?sort=${sort}`);
      expect(links.data.map((each: { short_link: string }) => each.short_link)).toEqual([ben.shortLink, ana.shortLink]);
    }
  });
});

describe('commissions', () => {
  it.each(['commissions', 'commissions.csv'])(
    'in the list %s can be filtered by supported currencies only',
    async (list) => {
      const own = await ownedBrand(world);
      await soldTo(own, newName(), { transaction_id: newName(), currency: 'KWD' });
      expect((await own.owner.get(`${own.path}/${list}?currency=KWD`)).status).toBe(200);
      expect(await own.owner.get(`${own.path}/${list}?currency=EUR`)).toMatchObject({
        status: 400,
        body: platformError(400, `Invalid currency: EUR. ${valid}`),
      });
    },
  );

  it('in a currency that the installation no longer supports are still listed, owed, counted and paid out', async () => {
    const own = await ownedBrand(world, { currency: 'JPY' });
    const name = newName();
    const { commission_id: id } = await soldTo(own, name, { transaction_id: name, currency: 'KWD' });
    takes('JPY');
    await counted(world);
    const again = { transaction_id: newName(), customer_key: name, amount_cents: 100, currency: 'KWD' };
    expect((await send(sale, { key: own.key, body: again })).status).toBe(422);
    const { body: listed } = await own.owner.get(`${own.path}/commissions`, { at: LATER });
    expect(listed.data).toMatchObject([{ id, amount_cents: 980, currency: 'KWD', status: 'approved' }]);
    const { body: owed } = await own.owner.get(`${own.path}/owed`, { at: LATER });
    expect(owed.data).toMatchObject({ KWD: { approved_cents: 980, due_now_cents: 980 } });
    const { body: performance } = await own.owner.get(`${own.path}/performance`);
    expect(performance.data.totals.amounts).toMatchObject({ KWD: { revenue_cents: 4_900, commission_cents: 980 } });
    const { body: payout } = await own.owner.post(`${own.path}/payouts`, {}, { at: LATER });
    expect(payout.data.totals).toEqual({ KWD: 980 });
    const { body: after } = await own.owner.get(`${own.path}/commissions`, { at: LATER });
    expect(after.data).toMatchObject([{ id, currency: 'KWD', status: 'paid', paid_out_cents: 980 }]);
  });
});

async function signedIn() {
  const { token } = await ownerOf(world);
  return { user: dashboard(token), token };
}
