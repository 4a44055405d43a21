import { expect } from 'vitest';
import { withSigningSecret } from '#lib/service/programs/program/processor.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { explainedSaleReply } from '#lib/service/http/conversions/explained-sale-reply.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { explainSale, saleOf } from '#lib/service/reports/stories/explain-sale.ts';
import { seal } from '#lib/service/ground/effects/vault.ts';
import { browserLead, clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import {
  charge,
  checkoutSession,
  dispute,
  sendDirect,
  type StripeEvent,
  stripeEvent,
  subscriptionInvoice,
} from '#test/support/stripe/stripe.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

/** When all events are delivered, whenever they were created: a month and a day after the first payment. */
const DELIVERED_AT = new Date(NOW.getTime() + 31 * 86_400_000);
const RENEWED_AT = new Date(NOW.getTime() + 30 * 86_400_000);

let lives = 0;

/** A customer who signed up in a browser. Each life is in a separate program. */
export interface Life {
  /** A text that is unique to this life, and part of every name in it. */
  readonly name: string;
  readonly program: Program;
  readonly shortLink: string;
  readonly clickId: string;
  /** The metadata that the brand adds to its Stripe objects. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The first id of copied programs. The service's own ids never become so high. */
const FIRST_COPY = 1_000_000;

/**
 * Creates a program with a customer who has signed up.
 * @param brand its program, partner and link are copied, because creating hundreds of brands takes longer
 */
async function startLife(world: World, { program: model, partner, shortLink: first }: Brand): Promise<Life> {
  lives += 1;
  const name = `L${lives}L`;
  const [id, shortLink] = [FIRST_COPY + lives, `ana-${name}`];
  const deps = world.deps();
  const processor = withSigningSecret(undefined, await seal(deps, 'whsec_brand', { programId: id }), NOW);
  const program = { ...model, id, processor };
  await deps.table.transact([
    { name: 'program', key: keys.program(id), put: program },
    { name: 'partner', key: keys.partner(id, partner.id), put: { ...partner, programId: id } },
    {
      name: 'link',
      key: keys.link(shortLink),
      put: { ...(await deps.table.get<object>(keys.link(first))), shortLink, programId: id },
    },
  ]);
  const clickId = await clicked({ affiliateUrl: `https://${program.domain}/?aff=${shortLink}` });
  await browserLead({ click_id: clickId, customer_key: `user_${name}`, email: `jo.${name}@customers.test` });
  const metadata = { service_click_id: clickId, service_customer_key: `user_${name}`, program_id: String(id) };
  return { name, program, shortLink, clickId, metadata };
}

const subscribed = ({ name, metadata }: Life): StripeEvent =>
  stripeEvent(
    'checkout.session.completed',
    checkoutSession(name, {
      mode: 'subscription',
      payment_intent: null,
      invoice: `in_${name}`,
      subscription: `sub_${name}`,
      metadata,
    }),
  );

const invoiced = ({ name, metadata }: Life): StripeEvent =>
  stripeEvent('invoice.paid', subscriptionInvoice(name, name, { metadata, billing_reason: 'subscription_create' }));

const afterwards = { at: RENEWED_AT };

/**
 * The events of a subscription that is renewed. Half of the renewal is refunded. The first payment is disputed, and the
 * brand wins.
 */
export const renewedLife = (life: Life) => ({
  checkout: subscribed(life),
  invoice: invoiced(life),
  renewal: stripeEvent(
    'invoice.paid',
    subscriptionInvoice(`${life.name}r`, life.name, { metadata: life.metadata, paidAt: RENEWED_AT }),
    afterwards,
  ),
  refund: stripeEvent('charge.refunded', charge(`${life.name}r`, { amount_refunded: 2450 }), afterwards),
  disputed: stripeEvent('charge.dispute.created', dispute(life.name), afterwards),
  won: stripeEvent('charge.dispute.closed', dispute(life.name, { status: 'won' }), afterwards),
});

/** The events of a subscription whose first payment is refunded by half and then disputed in full; the brand wins. */
export const disputedLife = (life: Life) => ({
  checkout: subscribed(life),
  invoice: invoiced(life),
  refund: stripeEvent('charge.refunded', charge(life.name, { amount_refunded: 2450 }), afterwards),
  disputed: stripeEvent('charge.dispute.created', dispute(life.name), afterwards),
  won: stripeEvent('charge.dispute.closed', dispute(life.name, { status: 'won' }), afterwards),
});

/**
 * The events of a single payment that is refunded in two steps, until nothing is left, and disputed; the brand loses.
 */
export const lostLife = (life: Life) => ({
  checkout: stripeEvent('checkout.session.completed', checkoutSession(life.name, { metadata: life.metadata })),
  refund: stripeEvent('charge.refunded', charge(life.name, { amount_refunded: 2450 }), afterwards),
  rest: stripeEvent('charge.refunded', charge(life.name), afterwards),
  disputed: stripeEvent('charge.dispute.created', dispute(life.name), afterwards),
  lost: stripeEvent('charge.dispute.closed', dispute(life.name, { status: 'lost' }), afterwards),
});

/** Delivers events to the program's endpoint one after the other. The service must accept each of them. */
async function deliverAll({ program }: Life, events: readonly StripeEvent[]): Promise<void> {
  for (const event of events) {
    expect(await sendDirect(program.id, event, { at: DELIVERED_AT })).toMatchObject({
      status: 200,
      body: { received: true },
    });
  }
}

/** Fields whose values differ from life to life. */
const namesOfALife = new Set(['id', 'sale_id', 'commission_id', 'program_id', 'partner_id', 'click_id', 'identifier']);

const withoutNames = (value: unknown, { name, clickId }: Life): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, part: unknown) => (namesOfALife.has(key) ? undefined : part))
      .replaceAll(clickId, 'click')
      .replaceAll(name, '*'),
  );

type Explained = ReturnType<typeof explainedSaleReply>;

/** Reads how the dashboard explains a sale, with its history. Names are removed, and the order of refunds is fixed. */
export async function explained(world: World, life: Life, transactionId: string) {
  const deps = world.deps(DELIVERED_AT);
  const { program } = life;
  const reply = explainedSaleReply(await explainSale(deps, program, await saleOf(deps, program.id, transactionId)));
  const { sale, attribution, customer, lead, window, commission } = reply;
  const refunds = reply.refunds.toSorted((a, b) => a.amount_cents - b.amount_cents);
  return withoutNames({ sale, attribution, customer, lead, window, commission, refunds }, life) as Pick<
    Explained,
    'sale' | 'attribution' | 'customer' | 'lead' | 'window' | 'commission' | 'refunds'
  >;
}

/** Returns the counters of a life's program, partners and link. @param items all counters, from `counterItems` */
function countersOf(items: Readonly<Record<string, unknown>>, { program, shortLink }: Life): Record<string, unknown> {
  const nameOf = (id: string): string | undefined => {
    if (id === `PROGRAM#${program.id}`) return 'program';
    if (id === `LINK#${shortLink}`) return 'link';
    return id.startsWith(`PARTNER#${program.id}#`) ? 'partner' : undefined;
  };
  return Object.fromEntries(
    Object.entries(items).flatMap(([id, holds]) => {
      const name = nameOf(id);
      return name ? [[name, holds]] : [];
    }),
  );
}

export const permutations = <T>(things: readonly T[]): T[][] =>
  things.length === 0
    ? [[]]
    : things.flatMap((thing, at) => permutations(things.toSpliced(at, 1)).map((rest) => [thing, ...rest]));

/** All lists in which one of the things occurs a second time, at a later position. */
export const withRepetitions = <T>(things: readonly T[]): T[][] =>
  things.flatMap((thing, first) =>
    things.slice(first).map((_, later) => things.toSpliced(first + later + 1, 0, thing)),
  );

/** How many lives run in parallel. */
const AT_ONCE = 8;

interface Lived<Step extends string> {
  readonly order: readonly Step[];
  readonly life: Life;
  readonly counters: Readonly<Record<string, unknown>>;
}

/**
 * Plays one life for each order of its events, in which an event may occur twice. The events are counted when all lives
 * have ended.
 */
export async function live<Step extends string>(
  world: World,
  eventsOf: (life: Life) => Readonly<Record<Step, StripeEvent>>,
  orders: readonly (readonly Step[])[],
): Promise<Lived<Step>[]> {
  const brand = await world.brand({ commissionType: 'recurring_percent' });
  const lived: Omit<Lived<Step>, 'counters'>[] = [];
  const waiting = orders.values();
  const liveOneByOne = async () => {
    for (const order of waiting) {
      const life = await startLife(world, brand);
      const events = eventsOf(life);
      const delivered = order.map((step) => events[step]);
      await deliverAll(life, delivered);
      lived.push({ order, life });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, liveOneByOne));
  await counted(world);
  const items = await counterItems(world);
  return lived.map((each) => ({ ...each, counters: countersOf(items, each.life) }));
}
