import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { handler as forward } from '#functions/track/stripe.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { storeLatestChain } from '#lib/service/reports/figures/integration-items.ts';
import { askReadiness, damageTestLink, runChain, sendTestEvent } from '#test/support/programs/integration.ts';
import { browserLead, changeProgram, clicked, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { paid } from '#test/support/payments/payers.ts';
import {
  attributed,
  chainPassed,
  type Difference,
  failedGate,
  notRun,
  now,
  receiving,
  s2s,
  unprovenBut,
} from '#test/support/programs/readiness.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { charge, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of gates, state, blocker and checklist after each event that changes them.

const world = openedWorld();

type Row = readonly [name: string, prepare: (brand: Brand) => Promise<unknown>, difference: Difference];

const set = (changes: Record<string, unknown>) => (brand: Brand) => changeProgram(world, brand, changes);
const single = (event_type: string) => (brand: Brand) => sendTestEvent(brand.key, { event_type });
const chain = (brand: Brand) => runChain(brand.key);
const inTestMode = { additional_data: { test_mode: true } };

async function readinessAfter(prepare: Row[1]) {
  const brand = await world.brand();
  await prepare(brand);
  return { brand, body: (await askReadiness(brand.key)).body };
}

describe('the gate “profile” of the readiness check', () => {
  const gates = { profile: failedGate('complete_program_profile') };
  it.each<Row>([
    ['without a name', set({ name: '' }), { state: 'draft', blocker: 'profile', gates }],
    ['whose name was deleted', set({ name: undefined }), { state: 'draft', blocker: 'profile', gates }],
    ['without a domain', set({ domain: '' }), { state: 'draft', blocker: 'profile', gates }],
    [
      'without a name and without a rate',
      set({ name: '', commissionRate: 0 }),
      { state: 'draft', blocker: 'profile', gates: { ...gates, economics: failedGate('set_commission_policy') } },
    ],
    [
      'without a name, although a real click was recorded',
      async (brand) => [await clicked(brand), await set({ name: '' })(brand)],
      {
        state: 'draft',
        blocker: 'profile',
        gates: { ...gates, tracking: receiving },
        checklist: { click: 'complete' },
        last_event_at: { click: now },
      },
    ],
  ])('fails a program %s', async (_, prepare, difference) => {
    const { brand, body } = await readinessAfter(prepare);
    expect(body).toEqual(unprovenBut(brand, difference));
  });
});

describe('the gate “economics” of the readiness check', () => {
  const failed = { blocker: 'economics', gates: { economics: failedGate('set_commission_policy') } };
  it.each<Row>([
    ['a rate of 0', set({ commissionRate: 0 }), failed],
    ['a negative rate', set({ commissionRate: -1 }), failed],
    ['an unknown type', set({ commissionType: 'barter' }), failed],
    [
      'a rate of 0 after a real sale',
      async (brand) => [
        await soldTo(brand, 'u', { transaction_id: 'before_the_rate_was_lost' }),
        await set({ commissionRate: 0 })(brand),
      ],
      {
        blocker: 'economics',
        gates: { ...failed.gates, payout: s2s, tracking: receiving, live: { status: 'pass', test_chain: notRun } },
        checklist: { click: 'complete', lead: 'complete', sale: 'complete' },
        last_event_at: { click: now, lead: now, sale: now },
      },
    ],
  ])('fails a program with %s', async (_, prepare, difference) => {
    const { brand, body } = await readinessAfter(prepare);
    expect(body).toEqual(unprovenBut(brand, difference));
  });
});

describe('the gate “tracking” of the readiness check', () => {
  const ready = { state: 'ready', blocker: 'live' };
  const clickCame = { ...ready, gates: { tracking: receiving }, checklist: { click: 'complete' } };
  const leadCame = { ...ready, gates: { tracking: receiving }, checklist: { lead: 'complete' } };
  const saleCame = { ...ready, gates: { tracking: receiving, payout: s2s }, checklist: { sale: 'complete' } };

  it.each<Row>([
    ['a CLI test click', single('click'), clickCame],
    ['a CLI test lead', single('lead'), leadCame],
    ['a CLI test sale', single('sale'), saleCame],
    ['a keyed test click', ({ key }) => send(click, { key, body: inTestMode }), clickCame],
    ['a keyed test lead', ({ key }) => send(lead, { key, body: inTestMode }), leadCame],
    ['a test sale', ({ key }) => send(sale, { key, body: { amount_cents: 1, ...inTestMode } }), saleCame],
    ['a real click', clicked, { ...clickCame, last_event_at: { click: now } }],
    [
      'a real provisional lead',
      async (brand) => browserLead({ click_id: await clicked(brand) }),
      {
        ...clickCame,
        checklist: { click: 'complete', lead: 'complete' },
        last_event_at: { click: now, lead: now },
      },
    ],
  ])('passes with %s', async (_, prepare, difference) => {
    const { brand, body } = await readinessAfter(prepare);
    expect(body).toEqual(unprovenBut(brand, difference));
  });

  it.each<Row>([
    [
      'a test click without a key',
      ({ program }) => send(click, { body: { additional_data: { test_mode: true, program_id: program.id } } }),
      {},
    ],
    [
      'a test click without a key through a link',
      ({ affiliateUrl }) => send(click, { body: { affiliate_url: affiliateUrl, ...inTestMode } }),
      {},
    ],
    ['a test lead without a key', ({ program }) => send(lead, { body: { program_id: program.id, ...inTestMode } }), {}],
    [
      'a test lead with an empty key',
      ({ program }) => send(lead, { key: '', body: { program_id: program.id, ...inTestMode } }),
      {},
    ],
    ['a test event of another program', async () => single('click')(await world.brand()), {}],
  ])('does not pass with %s', async (_, prepare, difference) => {
    const { brand, body } = await readinessAfter(prepare);
    expect(body).toEqual(unprovenBut(brand, difference));
  });
});

const told = ({ key }: Brand, body: StripeEvent, at = NOW) => send(forward, { key, body, at });

describe('the gate “payout” of the readiness check', () => {
  let count = 0;
  const payment = async (brand: Brand) =>
    paid(`gate${++count}`, { metadata: { service_click_id: await clicked(brand) } });
  const payout = async (prepare: Row[1]) => (await readinessAfter(prepare)).body.gates.payout;
  const early = new Date(NOW.getTime() - 1_000);

  it.each<[string, Row[1]]>([
    ['a forwarded payment', async (brand) => told(brand, await payment(brand))],
    ['a payment in Stripe’s test mode', async (brand) => told(brand, { ...(await payment(brand)), livemode: false })],
    [
      'a payment before other events',
      async (brand) => [
        await told(brand, await payment(brand)),
        await told(brand, stripeEvent('customer.created', {})),
      ],
    ],
    [
      'a payment recorded after a later event',
      async (brand) => [
        await told(brand, stripeEvent('customer.created', {})),
        await told(brand, await payment(brand), early),
      ],
    ],
  ])('passes with %s', async (_, prepare) => {
    expect(await payout(prepare)).toEqual(s2s);
  });

  it.each<[string, Row[1]]>([
    ['a forwarded payment without a customer', (brand) => told(brand, paid('of_nobody'))],
    ['a forwarded refund', (brand) => told(brand, stripeEvent('charge.refunded', charge('unknown')))],
  ])('does not pass with %s', async (_, prepare) => {
    expect(await payout(prepare)).toMatchObject({ status: 'unknown', mode: 'manual' });
  });
});

describe('the gate “live” of the readiness check', () => {
  const afterClick = { tracking: receiving };

  it.each<Row>([
    [
      'a verification chain alone, which also passes the tracking gate: integration_verified',
      chain,
      {
        state: 'integration_verified',
        integration_verified: true,
        blocker: null,
        gates: { ...afterClick, live: chainPassed },
      },
    ],
    [
      'a verification chain and a keyed test event: integration_verified',
      async (brand) => [await single('click')(brand), await chain(brand)],
      {
        state: 'integration_verified',
        integration_verified: true,
        blocker: null,
        gates: { ...afterClick, live: chainPassed },
        checklist: { click: 'complete' },
      },
    ],
    [
      'a verification chain and a real event: live_verified',
      async (brand) => [await clicked(brand), await chain(brand)],
      {
        state: 'live_verified',
        integration_verified: true,
        blocker: null,
        gates: { ...afterClick, live: chainPassed },
        checklist: { click: 'complete' },
        last_event_at: { click: now },
      },
    ],
    [
      'a real attributed sale: live_verified',
      async (brand) => sold(brand, { transaction_id: 'live', click_id: await clicked(brand) }),
      {
        state: 'live_verified',
        integration_verified: true,
        blocker: null,
        gates: { payout: s2s, tracking: receiving, live: { status: 'pass', test_chain: notRun } },
        checklist: { click: 'complete', sale: 'complete' },
        last_event_at: { click: now, sale: now },
      },
    ],
    [
      'a real sale, even after a failed verification chain',
      async (brand) => {
        await soldTo(brand, 'u', { transaction_id: 'before_a_failed_chain' });
        await chain(brand);
        await damageTestLink(world, brand, { status: 'inactive' });
        await chain(brand);
      },
      {
        state: 'live_verified',
        integration_verified: true,
        blocker: null,
        gates: {
          payout: s2s,
          tracking: receiving,
          live: { status: 'pass', test_chain: { click: 'unattributed', lead: 'pending', sale: 'pending' } },
        },
        checklist: { click: 'complete', lead: 'complete', sale: 'complete' },
        last_event_at: { click: now, lead: now, sale: now },
      },
    ],
  ])('passes with %s', async (_, prepare, difference) => {
    const { brand, body } = await readinessAfter(prepare);
    expect(body).toEqual(unprovenBut(brand, difference));
  });

  const live = failedGate('run_synthetic_sale_chain');
  it.each<Row>([
    [
      'single test events of all kinds',
      async (brand) => [await single('click')(brand), await single('lead')(brand), await single('sale')(brand)],
      {
        state: 'ready',
        blocker: 'live',
        gates: { payout: s2s, tracking: receiving },
        checklist: { click: 'complete', lead: 'complete', sale: 'complete' },
      },
    ],
    [
      'a verification chain whose sale could not be attributed',
      async (brand) => [
        await set({ commissionRate: 0 })(brand),
        await chain(brand),
        await set({ commissionRate: 20 })(brand),
      ],
      {
        state: 'ready',
        blocker: 'live',
        gates: { ...afterClick, live: { ...live, test_chain: { ...attributed, sale: 'unattributed' } } },
      },
    ],
    [
      'an attributed chain before the latest one',
      async (brand) => {
        await chain(brand);
        await damageTestLink(world, brand, { partnerId: 999_999 });
        await chain(brand);
      },
      {
        state: 'ready',
        blocker: 'live',
        gates: {
          ...afterClick,
          live: { ...live, test_chain: { click: 'wrong_partner', lead: 'pending', sale: 'pending' } },
        },
      },
    ],
    [
      'a chain with a refused click after one that left rows',
      async (brand) => {
        await chain(brand);
        await damageTestLink(world, brand, { status: 'inactive' });
        await chain(brand);
      },
      {
        state: 'ready',
        blocker: 'live',
        gates: {
          ...afterClick,
          live: { ...live, test_chain: { click: 'unattributed', lead: 'pending', sale: 'pending' } },
        },
      },
    ],
    [
      'a chain with a refused click that left no row',
      async (brand) => {
        const { table } = world.deps();
        const verdict = { click: 'unattributed', lead: 'pending', sale: 'pending' } as const;
        await storeLatestChain(table, brand.program.id, { at: '2026-11-20T15:00:00.000Z', verdict });
      },
      { gates: { live: { ...live, test_chain: { click: 'unattributed', lead: 'pending', sale: 'pending' } } } },
    ],
    [
      'an old chain in the former format',
      async (brand) => {
        const verdict = { ...attributed, sale: 'unattributed' };
        await world.deps().table.put(keys.chain(brand.program.id), { at: '2026-11-20T15:00:00.000Z', verdict });
      },
      {
        state: 'ready',
        blocker: 'live',
        gates: { ...afterClick, live: { ...live, test_chain: { ...attributed, sale: 'unattributed' } } },
      },
    ],
    ['a chain of another program', async () => chain(await world.brand()), {}],
  ])('does not pass with %s', async (_, prepare, difference) => {
    const { brand, body } = await readinessAfter(prepare);
    expect(body).toEqual(unprovenBut(brand, difference));
  });
});
