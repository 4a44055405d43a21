import { expect } from 'vitest';
import { handler as forward } from '#functions/track/stripe.ts';
import { type DeliveryWay, deliveryWays } from '#lib/service/conversions/processors/delivered-event.ts';
import { lastDeliveryOf } from '#lib/service/conversions/processors/deliveries-items.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { type FactPump, storedFacts } from '#test/support/outbox/facts.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { directEndpoint, RECEIVED, sendDirect, type StripeEvent } from '#test/support/stripe/stripe.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// Plays the same history of payments in two programs. One receives Stripe's events directly; the other gets them from
// the brand's server, which forwards them.

/** One of the two programs, with a visitor who pays. */
export interface Side {
  readonly way: DeliveryWay;
  readonly brand: Brand;
  /** A text that is part of every id from Stripe or the brand. The ids of the other program contain another text. */
  readonly id: string;
  readonly clickId: string;
  /** The metadata in Stripe's objects that identifies the visitor. */
  readonly metadata: { readonly service_click_id: string };
  /** Delivers events one second apart. The service must accept each of them. */
  readonly tell: (...events: readonly StripeEvent[]) => Promise<void>;
  /** Delivers events at the given time. The service must accept each of them. */
  readonly sendAt: (at: Date, ...events: readonly StripeEvent[]) => Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * What the program's owner and its webhooks show at the end, without ids and names, which differ between the two
 * programs.
 */
export interface State {
  /** For each event, `processed` or the reason why it changed nothing. */
  readonly outcomes: readonly string[];
  readonly events: readonly Row[];
  /** Each sale with its explanation. */
  readonly sales: readonly Row[];
  readonly commissions: readonly Row[];
  /** Each customer with its history. */
  readonly customers: readonly Row[];
  readonly unsold: readonly Row[];
  readonly facts: readonly Row[];
}

/** Plays a history in one program. All ids and names in it must contain the program's `id`. */
export type History = (side: Side) => Promise<void>;

interface Scene {
  /** Settings of both programs. */
  readonly settings?: Parameters<World['brand']>[0];
  /** When the final state is read. Default: two months after the start, when every commission is due. */
  readonly seenAt?: Date;
}

const LATER = new Date(NOW.getTime() + 60 * 86_400_000);

let sides = 0;

/**
 * Plays a history in two new programs with equal settings.
 * @param pump turns the stream records of the world into facts
 * @example const { webhook, forwarded } = await playBothWays(world, pump, async ({ tell, id, metadata }) =>  
 * tell(paid(id, { metadata }), stripeEvent('charge.refunded', charge(id)))); expect(forwarded).toEqual(webhook);
 */
export async function playBothWays(
  world: World,
  pump: FactPump,
  history: History,
  { settings = {}, seenAt = LATER }: Scene = {},
): Promise<Readonly<Record<DeliveryWay, State>>> {
  const played = [];
  for (const way of deliveryWays) {
    const outcomes: string[] = [];
    const side = await openSide(world, way, settings, outcomes);
    await history(side);
    played.push({ side, outcomes });
  }
  await pump.run();
  const [webhook, forwarded] = [await stateOf(world, played[0]!, seenAt), await stateOf(world, played[1]!, seenAt)];
  return { webhook, forwarded };
}

async function openSide(
  world: World,
  way: DeliveryWay,
  settings: Scene['settings'],
  outcomes: string[],
): Promise<Side> {
  const brand = await world.brand(settings);
  if (way === 'webhook') await directEndpoint(world, brand);
  const clickId = await clicked(brand);
  sides += 1;
  const id = `both${String(sides).padStart(4, '0')}x`;
  const sendOne = way === 'webhook' ? signedTo : forwardedTo;
  const sendAt: Side['sendAt'] = async (at, ...events) => {
    for (const event of events) {
      const moment = new Date(at.getTime() + outcomes.length * 1_000);
      outcomes.push(await sendOne(world, brand, event, moment));
    }
  };
  const tell: Side['tell'] = (...events) => sendAt(NOW, ...events);
  return { way, brand, id, clickId, metadata: { service_click_id: clickId }, tell, sendAt };
}

/** Sends an event to the program's own endpoint. @returns the outcome that the owner sees */
async function signedTo(world: World, { program }: Brand, event: StripeEvent, at: Date): Promise<string> {
  expect(await sendDirect(program.id, event, { at })).toEqual(RECEIVED);
  return outcomeShown(world, program.id);
}

async function forwardedTo(world: World, { program, key }: Brand, event: StripeEvent, at: Date): Promise<string> {
  const { status, body } = await send(forward, { key, body: event, at });
  const { outcome } = body;
  expect([status, body]).toEqual([
    200,
    { success: true, event_id: event.id, outcome, message: 'Stripe event received' },
  ]);
  expect(await outcomeShown(world, program.id)).toBe(outcome);
  return outcome;
}

const outcomeShown = async (world: World, programId: number): Promise<string> =>
  (await lastDeliveryOf(world.deps().table, programId))!.outcome!;

async function stateOf(
  world: World,
  { side, outcomes }: { readonly side: Side; readonly outcomes: readonly string[] },
  seenAt: Date,
): Promise<State> {
  const { brand } = side;
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  const path = `/programs/${brand.program.id}`;
  const rows = async (list: string, more = '') => (await everyPage(owner, `${path}/${list}?limit=100${more}`)).flat();
  const one = async (row: string): Promise<Row> => (await owner.get(`${path}/${row}`, { at: seenAt })).body.data;

  const [events, commissions, customers] = [
    await rows('events', '&include_test=true'),
    await rows('commissions'),
    await rows('customers'),
  ];
  const transactions = events.flatMap(({ type, transaction_id: id }) => (type === 'sale' ? [String(id)] : []));
  const sales: Row[] = [];
  for (const id of transactions.toSorted()) sales.push(await one(`sales/${encodeURIComponent(id)}`));
  const known: Row[] = [];
  for (const customer of customers) known.push({ customer, ...(await one(`customers/${String(customer.click_id)}`)) });
  const facts = await factsOf(world, side);
  const unsold = await rows('processor/payments');
  return withoutIds(side, {
    outcomes,
    events: inOrder(side, events),
    sales,
    commissions,
    customers: known,
    unsold,
    facts,
  });
}

/** Reads the facts that were sent to other systems, by customer. Their order does not depend on ids. */
async function factsOf(world: World, side: Side): Promise<Row[]> {
  const facts = (await storedFacts(world, side.brand)).map(({ type, data }) => ({ type, data }));
  return inOrder(
    side,
    facts.filter(({ type }) => !/^(?:partner|link|code)\./.test(type)),
  );
}

/**
 * Sorts rows. Rows with equal times would otherwise be in the order of their ids, which differs between the programs.
 */
function inOrder(side: Side, rows: readonly Row[]): Row[] {
  const textOf = (row: Row): string => JSON.stringify(renamed(side, row, () => ''));
  return rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/**
 * Replaces each id by a number, in the order of first appearance. The comparison then only checks which ids are equal.
 */
function withoutIds(side: Side, state: State): State {
  const names = new Map<string, string>();
  return renamed(side, state, (id) => {
    names.set(id, names.get(id) ?? `id ${names.size + 1}`);
    return names.get(id)!;
  });
}

function renamed<T extends object>({ brand, id }: Side, state: T, nameOf: (id: string) => string): T {
  const { program, partner, shortLink } = brand;
  const text = (value: string): string =>
    value
      .replaceAll(id, 'ID')
      .replaceAll(shortLink, 'LINK')
      .replaceAll(program.domain, 'DOMAIN')
      .replaceAll(program.name, 'PROGRAM')
      .replaceAll(partner.name, 'PARTNER')
      .replaceAll(/\b(?:clk_[0-9a-z]{26}|evt_\d+)\b/g, nameOf);
  const numberNamed = (field: string, value: number): unknown => {
    if (field === 'program_id' && value === program.id) return 'PROGRAM';
    // Ids of partners and of events have separate sequences of numbers.
    if (field === 'partner_id') return value === partner.id ? 'PARTNER' : nameOf(`partner ${value}`);
    return /(?:^|_)ids?$/.test(field) ? nameOf(String(value)) : value;
  };
  const plain = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return numberNamed(field, value);
    if (Array.isArray(value)) return value.map((each) => plain(each, field));
    if (typeof value !== 'object' || value === null) return value;
    const fieldOf = (name: string): string => (name === 'id' && field === 'partner' ? 'partner_id' : name);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each, fieldOf(name))]));
  };
  return plain(state, '') as T;
}
