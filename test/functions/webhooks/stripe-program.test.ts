import { describe, expect, it } from 'vitest';
import { leftBehind } from '#test/support/table/invariants.ts';
import {
  customerOf,
  paid,
  saleOf,
  subscribed,
  type Visitor,
  visitor,
  visitorOf,
} from '#test/support/payments/payers.ts';
import {
  charge,
  connected,
  deliver,
  deliverToPlatform,
  directEndpoint,
  openProcessor,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of how an event's program is found.

openProcessor();

const world = openedWorld();

let accounts = 0;

/** An account with this many programs connected to it. */
async function account(programs: number) {
  accounts += 1;
  const name = `acct_${accounts}`;
  const brands: Brand[] = [];
  while (brands.length < programs) brands.push(await world.brand());
  if (programs > 0) await connected(world, name, brands);
  const send = (event: StripeEvent) => deliverToPlatform({ ...event, account: name });
  return { name, brands, send };
}

/** The items an event leaves in the table. */
const leftBy = (send: () => Promise<unknown>) => leftBehind(world, send);

const programOfSale = async ({ id }: Visitor) => (await saleOf(world, `cs_${id}`))?.programId;

describe('an event at the platform’s Stripe endpoint', () => {
  it('is ignored if it names no Stripe account, or one that is not connected', async () => {
    const { brands } = await account(1);
    const { id, metadata } = await visitorOf(brands[0]!);
    expect(await leftBy(() => deliverToPlatform(paid(id, { metadata })))).toEqual([]);
    for (const name of ['acct_unknown', '', '__proto__']) {
      expect(await leftBy(() => deliverToPlatform({ ...paid(id, { metadata }), account: name }))).toEqual([]);
    }
  });

  it.each([
    ['a string', (programId: number) => String(programId)],
    ['a number', (programId: number) => programId],
  ])('belongs to the program that its metadata name as %s', async (_, spelled) => {
    const { brands, send } = await account(2);
    const person = await visitorOf(brands[1]!);
    const { id, metadata } = person;
    const named = { ...metadata, program_id: spelled(brands[1]!.program.id) };
    await send(paid(id, { metadata: named }));
    expect(await programOfSale(person)).toBe(brands[1]!.program.id);
  });

  it('is ignored if its metadata name a program without a connection, even if the customer is known', async () => {
    const [ours, theirs] = [await account(1), await account(1)];
    const { id, metadata } = await visitorOf(ours.brands[0]!);
    const foreign = { ...metadata, program_id: theirs.brands[0]!.program.id };
    expect(await leftBy(() => ours.send(paid(id, { metadata: foreign })))).toEqual([]);
  });

  it.each([['garbage'], ['0'], ['-1'], ['1.5'], [0], [-1], [1.5], [true], [{}], [['1']], ['9'.repeat(40)]])(
    'is ignored if its metadata name %j as the program',
    async (programId) => {
      const { brands, send } = await account(1);
      const { id, metadata } = await visitorOf(brands[0]!);
      expect(await leftBy(() => send(paid(id, { metadata: { ...metadata, program_id: programId } })))).toEqual([]);
    },
  );

  it.each([[undefined], [null], ['']])(
    'belongs to the account’s only connected program if it names none (%j)',
    async (programId) => {
      const { brands, send } = await account(1);
      const person = await visitorOf(brands[0]!);
      await send(paid(person.id, { metadata: { ...person.metadata, program_id: programId } }));
      expect(await programOfSale(person)).toBe(brands[0]!.program.id);
    },
  );

  it('belongs to whichever connected program has the customer if it names no program', async () => {
    const { brands, send } = await account(2);
    for (const brand of brands) {
      const person = await visitorOf(brand);
      await send(paid(person.id, { metadata: person.metadata }));
      expect(await programOfSale(person)).toBe(brand.program.id);
    }
  });

  it('is ignored if it names no program and the customer is unknown', async () => {
    const { send } = await account(2);
    const { id, metadata } = await visitor(world);
    expect(await leftBy(() => send(paid(id, { metadata })))).toEqual([]);
    expect(await leftBy(() => send({ ...paid(id, { metadata }), livemode: false }))).toEqual([]);
  });

  it('does not find a customer of a program that is not connected', async () => {
    const { brands, send } = await account(1);
    const { id, metadata } = await visitor(world);
    expect(
      await leftBy(() => send(paid(id, { metadata: { ...metadata, program_id: brands[0]!.program.id } }))),
    ).toEqual([]);
  });

  it('refunds a sale in any of the account’s connected programs', async () => {
    const { brands, send } = await account(2);
    const { id, metadata } = await visitorOf(brands[1]!);
    await send(paid(id, { metadata }));
    await send(stripeEvent('charge.refunded', charge(id)));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 4900 });
  });

  it('never refunds a sale of another account’s program', async () => {
    const [ours, theirs] = [await account(1), await account(1)];
    const { id, metadata } = await visitorOf(ours.brands[0]!);
    await ours.send(paid(id, { metadata }));
    await theirs.send(stripeEvent('charge.refunded', charge(id)));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 0 });
  });
});

describe('an event at a program’s own Stripe endpoint', () => {
  it('belongs to the program in the path', async () => {
    const person = await visitor(world);
    const { brand, id, metadata } = person;
    await deliver(brand, paid(id, { metadata: { ...metadata, program_id: String(brand.program.id) } }));
    expect(await programOfSale(person)).toBe(brand.program.id);
  });

  it.each(['another', 'garbage'])('is ignored if its metadata name %s program', async (name) => {
    const { brand, id, metadata } = await visitor(world);
    const programId = name === 'another' ? (await world.brand()).program.id : name;
    expect(await leftBy(() => deliver(brand, paid(id, { metadata: { ...metadata, program_id: programId } })))).toEqual(
      [],
    );
  });

  it('is ignored if it reports a change of a Stripe account', async () => {
    const { brands, name } = await account(1);
    await directEndpoint(world, brands[0]!);
    for (const type of ['account.updated', 'account.application.deauthorized']) {
      const event = stripeEvent(type, { id: name, charges_enabled: false }, { account: name });
      expect(await leftBy(() => deliver(brands[0]!, event))).toEqual([]);
    }
  });
});

describe('an event that Stripe delivers to both endpoints, the platform’s and the program’s own,', () => {
  it('counts once, for a payment, a refund and a subscription’s checkout', async () => {
    const { brands, send } = await account(1);
    const [brand] = brands;
    await directEndpoint(world, brand!);
    const { id, metadata, clickId } = await visitorOf(brand!);
    const events = [
      paid(id, { metadata }),
      stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })),
      subscribed(`${id}s`, { metadata, customer: `cus_${id}` }),
    ];
    for (const event of events) {
      await Promise.all([send(event), deliver(brand!, event)]);
      await Promise.all([send(event), deliver(brand!, event)]);
    }
    expect((await world.items(`SALE#cs_${id}`)).map(({ sk }) => String(sk).split('#')[0])).toEqual([
      'COMMISSION',
      'REFUND',
      'SALE',
    ]);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 2450 });
    expect(await world.items(`SALE#in_${id}s`)).toHaveLength(2);
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion' });
  });

  it('does not keep another brand’s event with the same id from being recorded', async () => {
    const [one, other] = [await visitor(world), await visitor(world)];
    await deliver(one.brand, { ...paid(one.id, { metadata: one.metadata }), id: 'evt_same' });
    await deliver(other.brand, { ...paid(other.id, { metadata: other.metadata }), id: 'evt_same' });
    expect([await programOfSale(one), await programOfSale(other)]).toEqual([
      one.brand.program.id,
      other.brand.program.id,
    ]);
  });
});
