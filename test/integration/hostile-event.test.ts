import { beforeAll, describe, expect, it } from 'vitest';
import { handler as forward } from '#functions/track/stripe.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { invoiced, paid } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { discountedBy, discountOf, codeEvent } from '#test/support/payments/coded-payments.ts';
import { intentPaid, invoicePaymentPaid } from '#test/support/payments/single-payments.ts';
import { charge, dispute, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// A brand's server may forward events that Stripe did not sign, so any field may contain anything.

let world: World;
let brand: Brand;
let metadata = { service_click_id: '' };
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  metadata = { service_click_id: await clicked(brand) };
});

/** One event of each kind, for payments with this text in their ids. */
const eventsOf = (id: string): Readonly<Record<string, StripeEvent>> => ({
  checkout: paid(id, { metadata, ...discountedBy(id), client_reference_id: metadata.service_click_id }),
  invoice: invoiced(id, { metadata, discounts: [`di_${id}`], total: 4900, total_taxes: [{ amount: 100 }] }),
  'payment intent': intentPaid(id, metadata),
  'test payment': { ...paid(id, { metadata }), livemode: false },
  'invoice payment': invoicePaymentPaid(id),
  refund: stripeEvent('charge.refunded', charge(id)),
  dispute: stripeEvent('charge.dispute.created', dispute(id)),
  'won dispute': stripeEvent('charge.dispute.closed', dispute(id, { status: 'won' })),
  'promotion code': codeEvent(`promo_${id}`),
  discount: discountOf(id),
});
const kinds = Object.keys(eventsOf('kinds'));

type Path = readonly string[];

/** Every place in a value, including the value itself. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, each]) => placesIn(each, [...at, name]))];
}

function spoilt(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === name ? spoilt(each, rest, by) : each));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: spoilt(object[name], rest, by) };
}

let moments = 0;
/** The next minute, because the limit counts by the minute. */
const nextMoment = () => new Date(Date.UTC(2026, 10, 20, 15, 0, Math.floor(++moments / 10)));

const hostile: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  '',
  'known',
  'a\u0000b',
  '\ud800',
  'x'.repeat(2_000),
  '日'.repeat(300_000),
  [],
  {},
  { id: 'known' },
  { id: { id: 1 } },
  [[['known']]],
  Array.from({ length: 2_000 }, (_, n) => ({ id: `many_${n}`, payment: { payment_intent: `pi_${n}` } })),
  253_402_300_800,
  -62_135_596_801,
  8_640_000_000_000,
];

let serial = 0;

/** Corrupts every place of an event, one at a time. @param each how many of the values each place gets, in turn */
async function failuresOf(kind: string, each: number): Promise<readonly string[]> {
  const failures: string[] = [];
  let turn = 0;
  for (const place of placesIn(eventsOf('places')[kind])) {
    for (let n = 0; n < each; n++) {
      const body = spoilt(eventsOf(`h${++serial}h`)[kind], place, hostile[turn++ % hostile.length]);
      const text = JSON.stringify(body) ?? 'null';
      const { status } = await send(forward, { key: brand.key, body: text, at: nextMoment() });
      if (![200, 400].includes(status)) failures.push(`${status} ${text.slice(0, 2_000)}`);
    }
  }
  return failures;
}

describe('Stripe events with a malformed or malicious value in any one field cause no failure', () => {
  it.each(kinds)('in some cases of the kind "%s"', async (kind) => {
    expect(await failuresOf(kind, 1)).toEqual([]);
  });
  it.each(kinds)('in every case of the kind "%s"', { tags: ['deep'], timeout: 120_000 }, async (kind) => {
    expect(await failuresOf(kind, hostile.length)).toEqual([]);
  });
});

it('lists of the dashboard can be read after malformed and malicious Stripe events were stored', async () => {
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  const path = `/programs/${brand.program.id}`;
  for (const list of ['events?include_test=true&', 'customers?', 'commissions?', 'processor/payments?']) {
    await everyPage(owner, `${path}/${list}limit=100`);
  }
  expect((await owner.get(`${path}/processor`)).status).toBe(200);
});
