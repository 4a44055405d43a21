import { expect, it } from 'vitest';
import { HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { anotherPartner, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { commissionOf, customerOf, invoiced, renewed, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, directEndpoint, openProcessor, type StripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Ben signs up with the address of a customer who came through Ana. Only the checkout names Ana's customer, and Stripe
// may report the invoice earlier.

openProcessor();

const world = openedWorld();

let people = 0;

/** Creates a victim, and a person who signs up with the victim's address. */
async function scene(settings: Parameters<typeof ownedBrand>[1] = { commissionType: 'recurring_percent' }) {
  const ana: OwnedBrand = await ownedBrand(world, settings);
  await directEndpoint(world, ana);
  const ben: Brand = { ...(await anotherPartner(world, ana, 'Ben')), key: ana.key };
  const id = `lc${++people}x`;
  const email = `${id}@customers.test`;
  const at = new Date(NOW.getTime() - 60_000);
  const bens = await clicked(ben, { at });
  await settledLead(ben, { click_id: bens, customer_key: `att_${id}`, email }, { at });
  const anas = await clicked(ana);
  await settledLead(ana, { click_id: anas, customer_key: `vk_${id}`, email });
  const told = { customer_details: { email }, customer_email: email };
  return {
    ana,
    ben,
    id,
    anas,
    bens,
    invoice: invoiced(id, told),
    renewal: renewed(id, told),
    checkout: (more: object) => subscribed(id, { ...told, ...more }),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const partnersOf = async ({ id }: Scene) =>
  Promise.all(
    [`in_${id}`, `in_${id}r`].map(async (one) => [
      ((await saleOf(world, one))?.attribution as { partnerId?: number } | undefined)?.partnerId,
      (await commissionOf(world, one))?.partnerId,
      (await commissionOf(world, one))?.status,
    ]),
  );

/**
 * Fields that depend on the order of events: numbers, index positions, versions, histories, and the previous partner.
 */
const isOfOrder = (field: string) =>
  /^(?:pk|sk|gsi.*|id|.*Id|version|history|changedAt|takenFrom|hash|termsVersion|terms|affiliateUrl)$/.test(field);
const namesOf = ({ id, anas, bens, ana, ben }: Scene): readonly (readonly [string, string])[] => [
  [anas, 'ana'],
  [bens, 'ben'],
  [id, 'name'],
  [ana.shortLink, 'link of ana'],
  [ben.shortLink, 'link of ben'],
];

async function endStateOf(one: Scene): Promise<unknown> {
  const { id, anas, bens, ana, ben } = one;
  const payers = await world.items(`PAYER#${ana.program.id}#cus_${id}`);
  const keyed = await Promise.all([`vk_${id}`, `att_${id}`].map((key) => world.items(`KEY#${key}`)));
  const left = {
    partners: (await partnersOf(one)).map((row) =>
      row.map((value) => (value === ana.partner.id ? 'ana' : value === ben.partner.id ? 'ben' : value)),
    ),
    payers: payers.map(({ clickId, boundByAddress }) => ({ by: clickId, boundByAddress })),
    sales: [await saleOf(world, `in_${id}`), await commissionOf(world, `in_${id}`)],
    customers: [await customerOf(world, anas), await customerOf(world, bens)],
    keyed,
    listed: await Promise.all(
      [anas, bens].map(async (clickId) =>
        (await world.items(`CUSTOMER#${clickId}`))
          .map(({ sk }) => String(sk).split('#')[0]!)
          // Only an invoice confirms that a subscription is paid.
          .filter((kind) => kind !== 'SUBSCRIPTION')
          .toSorted(),
      ),
    ),
  };
  const text = JSON.stringify(left, (field, value: unknown) => (isOfOrder(field) ? undefined : value));
  return JSON.parse(namesOf(one).reduce((all, [name, word]) => all.replaceAll(name, word), text));
}

const isAnas = {
  partners: Array.from({ length: 2 }, () => ['ana', 'ana', 'pending']),
  payers: [{ by: 'ana' }],
  customers: [{ status: 'conversion' }, { status: 'lead' }],
};
const isBens = (status: string, boundByAddress?: true) => ({
  partners: Array.from({ length: 2 }, () => ['ben', 'ben', status]),
  payers: [{ by: 'ben', ...(boundByAddress && { boundByAddress }) }],
  customers: [{ status: 'lead' }, { status: 'conversion' }],
});
const ended: Readonly<Record<string, object>> = {
  'the click': isAnas,
  'the click and the key': isAnas,
  'the key': {
    ...isBens('held', true),
    partners: [
      ['ben', 'ben', 'held'],
      ['ben', 'ben', 'pending'],
    ],
  },
  'the click in the checkout URL': {
    ...isBens('held', true),
    partners: [
      ['ben', 'ben', 'held'],
      ['ben', 'ben', 'pending'],
    ],
  },
  'the click of the customer with the e-mail address': isBens('pending'),
  'the key of the customer with the e-mail address': isBens('pending'),
  nothing: isBens('pending', true),
};

const namings: Readonly<Record<string, (one: Scene) => object>> = {
  'the click': ({ anas }) => ({ metadata: { service_click_id: anas } }),
  'the click and the key': ({ anas, id }) => ({
    metadata: { service_click_id: anas, service_customer_key: `vk_${id}` },
  }),
  'the key': ({ id }) => ({ metadata: { service_customer_key: `vk_${id}` } }),
  'the click in the checkout URL': ({ anas }) => ({ client_reference_id: anas }),
  'the click of the customer with the e-mail address': ({ bens }) => ({ metadata: { service_click_id: bens } }),
  'the key of the customer with the e-mail address': ({ id }) => ({ metadata: { service_customer_key: `att_${id}` } }),
  nothing: () => ({}),
};

it.each(Object.entries(namings))(
  'every order of events gives the same result if a checkout reported late names %s',
  async (name, naming) => {
    const orders: Readonly<Record<string, (one: Scene) => readonly StripeEvent[]>> = {
      'checkout, invoice, renewal': (one) => [one.checkout(naming(one)), one.invoice, one.renewal],
      'invoice, checkout, renewal': (one) => [one.invoice, one.checkout(naming(one)), one.renewal],
      'invoice, checkout twice, invoice, renewal': (one) => [
        one.invoice,
        one.checkout(naming(one)),
        one.checkout(naming(one)),
        one.invoice,
        one.renewal,
      ],
    };
    const ends: (readonly [string, unknown])[] = [];
    for (const [order, eventsOf] of Object.entries(orders)) {
      const one = await scene();
      for (const event of eventsOf(one)) await deliver(one.ana, event);
      ends.push([order, await endStateOf(one)]);
      await expectNothingHalfWritten(world);
    }
    const [, first] = ends[0]!;
    expect(first).toMatchObject(ended[name]!);
    for (const [order, end] of ends) expect([order, end]).toEqual([order, first]);
  },
);

it('when a late checkout names a click, a renewal dated before that checkout goes to the click’s partner as well', async () => {
  const one = await scene();
  await deliver(one.ana, one.invoice, one.renewal);
  expect(await partnersOf(one)).toEqual(
    Array.from({ length: 2 }, () => [one.ben.partner.id, one.ben.partner.id, 'pending']),
  );
  await deliver(one.ana, one.checkout(namings['the click']!(one)));
  expect(await partnersOf(one)).toEqual(
    Array.from({ length: 2 }, () => [one.ana.partner.id, one.ana.partner.id, 'pending']),
  );
  expect(await customerOf(world, one.bens)).toMatchObject({ status: 'lead' });
  await expectNothingHalfWritten(world);
});

it('a paid commission stays with its partner, and the explanation names the partner of the click that was reported late', async () => {
  const one = await scene();
  await deliver(one.ana, one.invoice);
  await one.ana.owner.post(`${one.ana.path}/payouts`, {}, { at: HOLD_OVER });
  await deliver(one.ana, one.checkout(namings['the click']!(one)));
  expect((await partnersOf(one))[0]).toEqual([one.ben.partner.id, one.ben.partner.id, 'paid']);
  const { attribution } = (await one.ana.owner.get(`${one.ana.path}/sales/in_${one.id}`)).body.data;
  expect(attribution.text).toMatch(/when the commission was paid or rejected already: the sale stayed\.$/);
  await expectNothingHalfWritten(world);
});

it('if one purchase goes to the partner of a late click, the customer’s other purchases stay with the first partner', async () => {
  const one = await scene();
  await deliver(one.ana, one.invoice);
  await sold(one.ana, { transaction_id: `api_${one.id}`, customer_key: `att_${one.id}` });
  await deliver(one.ana, one.checkout(namings['the click']!(one)));
  expect((await partnersOf(one))[0]).toEqual([one.ana.partner.id, one.ana.partner.id, 'pending']);
  expect(await saleOf(world, `api_${one.id}`)).toMatchObject({ attribution: { clickId: one.bens } });
  expect(await customerOf(world, one.bens)).toMatchObject({ status: 'conversion' });
  await expectNothingHalfWritten(world);
});

it('if a sale goes to the partner of a click that is reported late, the counters count it for that partner', async () => {
  const one = await scene();
  await counted(world);
  await deliver(one.ana, one.invoice);
  await counted(world);
  await deliver(one.ana, one.checkout(namings['the click']!(one)));
  await counted(world);
  const counters = await counterItems(world);
  const { id } = one.ana.program;
  expect(counters[`PARTNER#${id}#${one.ana.partner.id}`]).toMatchObject({ sales: 1, revenueUSD: 4900 });
  expect(counters[`PARTNER#${id}#${one.ben.partner.id}`]).not.toHaveProperty('sales');
  await operated(world, 'metrics rebuild-all');
  await counted(world);
  expect(await counterItems(world)).toEqual(counters);
});
