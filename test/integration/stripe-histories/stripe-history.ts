import { expect } from 'vitest';
import type { NewProgram } from '#lib/service/programs/program/create-program.ts';
import { apiClient } from '#test/support/callers/api-client.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { type FactPump, storedFacts } from '#test/support/outbox/facts.ts';
import {
  anotherPartner,
  browserLead,
  clicked,
  removePartner,
  settledLead,
} from '#test/support/payments/lives/journeys.ts';
import { ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import {
  connected,
  directEndpoint,
  RECEIVED,
  sendDirect,
  sendPlatform,
  type StripeEvent,
} from '#test/support/stripe/stripe.ts';
import { counted } from '#test/support/table/stream.ts';
import type { World } from '#test/support/programs/world.ts';
import {
  addressOf,
  type ApiVersion,
  type Fields,
  onDay,
  type Stripe,
  stripeAt,
} from '#test/support/stripe/stripe-at.ts';

/** Events of a Stripe account, and their expected result in a program. */
export interface StripeHistory {
  readonly name: string;
  readonly version: ApiVersion;
  /** Settings that differ from a program that pays 20 percent of first payments. */
  readonly program?: Partial<NewProgram>;
  /** How the payer signed up after a click on Ana's link; `server` by default. */
  readonly signup?: 'server' | 'browser' | 'none';
  /** Gives a second partner, Cleo, the code SAVE10; `by id` also sets the code's Stripe id. */
  readonly code?: 'by text' | 'by id';
  /** Ana is removed after the click. */
  readonly isRemoved?: true;
  /** The metadata of the brand's payments; by default the click id and the customer key. */
  readonly metadata?: (named: Fields, programId: number) => Fields;
  readonly events: (stripe: Stripe, named: { readonly clickId: string }) => readonly StripeEvent[];
  /** The day of the check; by default the day after the last event. */
  readonly seenOnDay?: number;
  /** Expected lines: one per sale, other commission and unattributed payment, in any order; written by hand. */
  readonly money: readonly string[];
}

type Row = Record<string, unknown>;

/** How a program receives the events. */
export interface Way {
  readonly name: string;
  readonly tell: (own: OwnedBrand, event: StripeEvent, at: Date) => Promise<void>;
}

const isWhole = ({ data }: { data?: { object?: unknown } }): boolean => typeof data?.object === 'object';

export const webhook: Way = {
  name: 'webhook',
  tell: async ({ program }, event, at) => expect(await sendDirect(program.id, event, { at })).toEqual(RECEIVED),
};

/** Events come from the account that is connected to the program. */
export const platform: Way = {
  name: 'platform',
  tell: async ({ program }, event, at) =>
    expect(await sendPlatform({ ...event, account: accountOf(program) }, at)).toEqual(RECEIVED),
};
const accountOf = ({ id }: { readonly id: number }): string => `acct_${id}`;

export const forwarded: Way = {
  name: 'forwarded',
  tell: async ({ key }, event, at) =>
    expect(await apiClient('/api/v1/track', key).post('/stripe', event, { at })).toMatchObject(
      isWhole(event)
        ? {
            status: 200,
            body: { success: true, event_id: event.id, outcome: expect.any(String), message: 'Stripe event received' },
          }
        : {
            status: 400,
            body: { error: { message: 'Body must be a whole Stripe event with id, type, created and data.object' } },
          },
    ),
};

let told = 0;

/** Plays a history in a separate program. */
async function livedBy(world: World, history: StripeHistory, way: Way) {
  told += 1;
  const name = `h${told}h`;
  const own = await ownedBrand(world, history.program);
  await (way === platform ? connected(world, accountOf(own.program), [own]) : directEndpoint(world, own));
  const clickId = await clicked(own);
  const lead = { click_id: clickId, customer_key: `user_${name}`, email: addressOf(name) };
  if (history.signup === 'browser') await browserLead(lead);
  else if (history.signup !== 'none') await settledLead(own, lead);
  if (history.isRemoved) await removePartner(world, own);
  const named = { service_click_id: clickId, service_customer_key: lead.customer_key };
  const metadata = history.metadata?.(named, own.program.id) ?? named;
  const stripe = stripeAt(history.version, name, metadata);
  if (history.code) {
    const processorCodeId = history.code === 'by id' ? stripe.id('promo', 'ten') : undefined;
    await givenCode(world, await anotherPartner(world, own, 'Cleo'), { processorCodeId });
  }

  let at = onDay(0, 1);
  for (const event of history.events(stripe, { clickId })) {
    at = new Date(Math.max(at.getTime(), event.created * 1000 || 0));
    await way.tell(own, event, at);
  }
  const seenAt = history.seenOnDay === undefined ? new Date(at.getTime() + 86_400_000) : onDay(history.seenOnDay);
  return { name, own, clickId, seenAt };
}

/** Plays a history by each of these routes. @returns all that can be read afterwards */
export async function liveThrough(world: World, pump: FactPump, history: StripeHistory, by: readonly Way[]) {
  const lives = await Promise.all(by.map((way) => livedBy(world, history, way)));
  await pump.run(lives[0]!.seenAt);
  await counted(world);
  return Promise.all(lives.map(async (life) => withoutNames(await seenBy(world, life.own, life.seenAt), life)));
}

const inOrder = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** What the owner can read: lists with the reason for each sale, and webhooks. */
async function seenBy(world: World, own: OwnedBrand, at: Date) {
  const { workspace } = await ownerOfBrand(world, own);
  const owner = dashboard((await signedInAs(world, workspace.members[0]!.email, at)).token);
  const user: Dashboard = { ...owner, get: (url) => owner.get(url, { at, isLeftAlone: true }) };
  const rows = async (path: string) => (await everyPage(user, `${own.path}/${path}`)).flat();
  const [events, commissions, customers, unsold, codes, owed, facts] = await Promise.all([
    rows('events?include_test=true&limit=100'),
    rows('commissions?limit=100'),
    rows('customers?limit=100'),
    rows('processor/payments?limit=100'),
    rows('codes?limit=100'),
    user.get(`${own.path}/owed`),
    storedFacts(world, own),
  ]);
  const sales = events.filter(({ type }) => type === 'sale').map(({ transaction_id: id }) => String(id));
  return {
    events,
    commissions,
    customers,
    unsold,
    codes,
    explained: await Promise.all(
      sales.map(async (id) => (await user.get(`${own.path}/sales/${encodeURIComponent(id)}`)).body.data as Row),
    ),
    owed: owed.body.data as Row,
    facts: facts.map(({ type, data }) => ({ type, data })) as Row[],
  };
}

type Seen = Awaited<ReturnType<typeof seenBy>>;

/** Fields with ids, which are counted over the whole installation. */
const ids = new Set(['id', 'sale_id', 'commission_id', 'program_id', 'partner_id', 'lead_id', 'sk', 'version']);

/** Removes names, so that every program with the same history has the same result. */
function withoutNames(seen: Seen, { name, clickId, own }: { name: string; clickId: string; own: OwnedBrand }): Seen {
  const { program, shortLink } = own;
  const text = JSON.stringify(seen, (key, part: unknown) => (ids.has(key) ? undefined : part))
    // Replaces click ids first, because they are random and may contain the name.
    .replaceAll(clickId, 'click')
    .replaceAll(/clk_[0-9a-z]{26}/g, 'another')
    .replaceAll(program.domain, 'domain')
    .replaceAll(program.name, 'Program')
    .replaceAll(`cleo-${program.id}`, 'cleo')
    .replaceAll(shortLink, 'ana')
    .replaceAll(name, '*');
  const plain = JSON.parse(text) as Seen;
  const lists = Object.entries(plain).map(([list, rows]) => [list, Array.isArray(rows) ? inOrder(rows) : rows]);
  return Object.fromEntries(lists) as Seen;
}

/** Lines for each sale, other commission and unattributed payment. */
export function moneyOf({ explained, commissions, unsold }: Seen): string[] {
  const sales = explained.map(({ sale, commission }) => lineOf(sale as Row, commission as Row | null));
  const others = commissions.filter(({ kind }) => kind !== 'sale').map((row) => `${String(row.kind)}: ${paidTo(row)}`);
  const lost = unsold.map(
    ({ transaction_id: id, amount_cents: cents, currency, reason, detail }) =>
      `${plain(id)} ${String(cents)} ${String(currency)} lost: ${String(reason)}${detail ? ` (${plain(detail)})` : ''}`,
  );
  return [...sales, ...others, ...lost].toSorted();
}

const plain = (text: unknown): string => String(text).replaceAll('_*_', '_');

const lineOf = (sale: Row, commission: Row | null): string =>
  [
    plain(sale.transaction_id),
    sale.amount_cents,
    sale.currency,
    ...(sale.is_test ? ['test'] : []),
    ...(sale.is_recurring ? ['renewal'] : []),
    ...(Number(sale.refunded_amount_cents) > 0 ? [`back ${String(sale.refunded_amount_cents)}`] : []),
    ...(typeof sale.code === 'string' ? [`by ${sale.code}`] : []),
    '|',
    commission ? paidTo(commission) : 'nothing',
  ].join(' ');

const paidTo = (row: Row): string =>
  [
    row.partner_name,
    row.amount_cents,
    row.currency,
    row.status,
    ...(Number(row.deducted_cents) > 0 ? [`less ${String(row.deducted_cents)}`] : []),
  ].join(' ');
