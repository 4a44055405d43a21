import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, damageTestLink, runChain, sendTestEvent } from '#test/support/programs/integration.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { changeProgram } from '#test/support/payments/lives/journeys.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of the synthetic verification chain.

const world = openedWorld();

const now = NOW.toISOString();
const attributed = { click: 'attributed', lead: 'attributed', sale: 'attributed' };

const stopped = (click: string) => ({ click, lead: 'pending', sale: 'pending' });

const chainOf = ({ program }: Pick<Brand, 'program'>, verdict: object = attributed) => ({
  type: 'chain',
  short_code: `afftest${program.id}`,
  customer_key: expect.stringMatching(new RegExp(`^aff_test_ck_${program.id}_${NOW.getTime()}_[0-9a-hjkmnp-tv-z]{6}$`)),
  verdict,
  attributed: 'sale' in verdict && verdict.sale === 'attributed',
});

const below = (items: Record<string, unknown>[], sk: string) => items.filter((item) => item.sk === sk);
const itemsOf = async ({ program }: Brand) =>
  (await allItems(world)).filter(({ programId }) => programId === program.id);

describe('a verification run (a test click, lead and sale) is answered 200 and its sale is attributed', () => {
  it('with the result of each step: click, lead and sale', async () => {
    const brand = await world.brand();
    expect(await runChain(brand.key)).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: { data: chainOf(brand) },
    });
  });

  it('even if the request also has an event_type, and ignores its program_id', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const body = { type: 'chain', event_type: 'click', program_id: other.program.id };
    expect((await sendTestEvent(brand.key, body)).body).toEqual({ data: chainOf(brand) });
    expect(await world.items(`LINK#afftest${other.program.id}`)).toEqual([]);
  });

  it('and stores only its test partner and items marked as tests: no commission, no fee and no real data', async () => {
    const brand = await world.brand();
    const { body } = await runChain(brand.key);
    const { customer_key: customerKey, short_code: shortLink } = body.data;
    const [testPartner] = below(await world.items(`PROGRAM#${brand.program.id}`), 'FIXTURE');
    const partnerId = testPartner?.partnerId as number;
    expect(partnerId).not.toBe(brand.partner.id);
    expect(await world.items(`LINK#${shortLink}`)).toEqual([
      {
        pk: `LINK#${shortLink}`,
        sk: `LINK#${shortLink}`,
        shortLink,
        programId: brand.program.id,
        partnerId,
        status: 'active',
        destinationUrl: 'https://invalid/',
        createdAt: now,
      },
    ]);

    const items = await itemsOf(brand);
    const [customer] = below(items, 'CUSTOMER');
    const clickId = customer?.clickId as string;
    expect(customer).toMatchObject({
      isTest: true,
      partnerId,
      shortLink,
      status: 'lead',
      leadState: 'settled',
      customerKey,
      gsi1pk: `PROGRAM#${brand.program.id}#TEST_EVENTS#click`,
    });
    expect(below(items, 'LEAD')).toMatchObject([
      { isTest: true, clickId, partnerId, state: 'settled', gsi1pk: `PROGRAM#${brand.program.id}#TEST_EVENTS#lead` },
    ]);
    expect(below(items, 'SALE')).toEqual([
      {
        pk: `SALE#test_chain_${customerKey}`,
        sk: 'SALE',
        gsi1pk: `PROGRAM#${brand.program.id}#TEST_EVENTS#sale`,
        gsi1sk: `${now}#${Number(below(items, 'SALE')[0]?.id)}`,
        id: expect.any(Number),
        programId: brand.program.id,
        transactionId: `test_chain_${customerKey}`,
        amountCents: 100,
        currency: 'USD',
        saleType: 'payment',
        isRecurring: false,
        source: 'api',
        isTest: true,
        occurredAt: now,
        createdAt: now,
        commissionState: 'test',
        termsVersion: { version: 1, from: 'program', name: brand.program.name },
        refundedCents: 0,
        attribution: expect.objectContaining({ clickId, customerKey, partnerId, shortLink }),
      },
    ]);
    expect(below(items, 'COMMISSION')).toEqual([]);
    expect(items.filter(({ keyed }) => keyed)).toEqual([]);
    expect(items.filter(({ gsi1pk }) => String(gsi1pk).startsWith(`PROGRAM#${brand.program.id}#EVENTS`))).toEqual([]);
    await expectNothingHalfWritten(world);
  });

  it('and uses the test partner of the previous run, with a new customer', async () => {
    const brand = await world.brand();
    const [first, second] = [await runChain(brand.key), await runChain(brand.key)];
    expect(second.body).toEqual({ data: chainOf(brand) });
    expect(second.body.data.customer_key).not.toBe(first.body.data.customer_key);
    const customers = below(await itemsOf(brand), 'CUSTOMER');
    expect(new Set(customers.map(({ partnerId }) => partnerId)).size).toBe(1);
    expect(customers).toHaveLength(2);
  });

  it.each(['recurring_percent', 'recurring_fixed', 'fixed', 'percent'] as const)(
    'for a program with %s terms',
    async (type) => {
      const brand = await world.brand({ commissionType: type, commissionRate: 0.0001, durationMonths: 1 });
      expect((await runChain(brand.key)).body).toEqual({ data: chainOf(brand) });
    },
  );

  it('for a program that is paused, accepts leads from browsers or has no partners left', async () => {
    const brand = await world.brand({ status: 'active', leadAuth: 'browser_allowed' });
    await changeProgram(world, brand, { status: 'paused', removedPartnerIds: [brand.partner.id] });
    expect((await runChain(brand.key)).body).toEqual({ data: chainOf(brand) });
  });

  it('from the dashboard, whether an owner or a member starts it', async () => {
    const brand = await world.brand();
    const owner = await ownerOfBrand(world, brand);
    const member = await memberOf(world, owner.workspace);
    for (const { token } of [owner, member]) {
      expect(await dashboard(token).post(`/programs/${brand.program.id}/verification`)).toMatchObject({
        status: 200,
        body: { data: chainOf(brand) },
      });
    }
    expect((await askReadiness(brand.key)).body.gates.live.test_chain).toEqual(attributed);
  });
});

describe('a verification run (a test click, lead and sale) is answered 200, but its sale is not attributed', () => {
  it.each([
    ['belongs to another partner', { partnerId: 999_999 }, stopped('wrong_partner')],
    ['is switched off', { status: 'inactive' }, stopped('unattributed')],
    ['belongs to a removed partner', { partnerRemoved: true }, stopped('unattributed')],
    ['has no partner', { partnerId: undefined }, stopped('unattributed')],
    ['has no program', { programId: undefined }, stopped('unattributed')],
  ])('when the test link %s: the click fails and the later steps are skipped', async (_, damage, verdict) => {
    const brand = await world.brand();
    await runChain(brand.key);
    const before = below(await itemsOf(brand), 'SALE').length;
    await damageTestLink(world, brand, damage);
    expect((await runChain(brand.key)).body).toEqual({ data: chainOf(brand, verdict) });
    expect(below(await itemsOf(brand), 'SALE')).toHaveLength(before);
    expect((await askReadiness(brand.key)).body.gates.live).toEqual({
      status: 'fail',
      next_action: 'run_synthetic_sale_chain',
      test_chain: verdict,
    });
  });

  it('when the program has no domain, which the test click needs for its landing page', async () => {
    const brand = await world.brand();
    await changeProgram(world, brand, { domain: '' });
    expect((await runChain(brand.key)).body).toEqual({ data: chainOf(brand, stopped('unattributed')) });
  });

  it.each([
    ['a rate of 0', { commissionRate: 0 }],
    ['an unknown type', { commissionType: 'barter' }],
  ])('when %s gives no commission: the sale is neither attributed nor stored', async (_, terms) => {
    const brand = await world.brand();
    await changeProgram(world, brand, terms);
    const verdict = { ...attributed, sale: 'unattributed' };
    expect((await runChain(brand.key)).body).toEqual({ data: chainOf(brand, verdict) });
    expect(below(await itemsOf(brand), 'SALE')).toEqual([]);
  });

  it('only until the cause is removed: the sale of the next run is attributed', async () => {
    const brand = await world.brand();
    await changeProgram(world, brand, { commissionRate: 0 });
    await runChain(brand.key);
    await changeProgram(world, brand, { commissionRate: 20 });
    expect((await runChain(brand.key)).body).toEqual({ data: chainOf(brand) });
  });
});

describe('concurrent verification runs (each a test click, lead and sale)', () => {
  it('share one test partner on the program’s first use, and all are attributed', async () => {
    const brand = await world.brand();
    const replies = await Promise.all(Array.from({ length: 8 }, () => runChain(brand.key)));
    for (const { body } of replies) expect(body).toEqual({ data: chainOf(brand) });
    const [testPartner] = below(await world.items(`PROGRAM#${brand.program.id}`), 'FIXTURE');
    expect(await world.items(`LINK#afftest${brand.program.id}`)).toMatchObject([{ partnerId: testPartner?.partnerId }]);
    const customers = below(await itemsOf(brand), 'CUSTOMER');
    expect(customers).toHaveLength(8);
    expect(new Set(customers.map(({ partnerId }) => partnerId))).toEqual(new Set([testPartner?.partnerId]));
  });
});
