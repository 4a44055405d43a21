/** @module-tag deep */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { sold } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A month of a program in which all rules hold commissions: honest partners, and some who cheat. Each test continues
// the previous one.

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const START = Date.parse('2026-11-20T09:00:00.000Z');
const PAYOUT_AT = new Date('2027-01-08T10:00:00.000Z');
const AT_ONCE = 20;
const COMMISSION = 980;

/** @param second within that minute */
const at = (day: number, minute = 0, second = 0) => new Date(START + day * DAY_MS + (minute * 60 + second) * 1_000);

let own: OwnedBrand;

/** The expected figures of a partner, a link or a day. */
interface Figures {
  clicks: number;
  bot_clicks: number;
  repeat_clicks: number;
  leads: number;
  sales: number;
  commission: number;
}
const nothing: Figures = { clicks: 0, bot_clicks: 0, repeat_clicks: 0, leads: 0, sales: 0, commission: 0 };

interface Promoter {
  readonly id: number;
  readonly shortLink: string;
  readonly figures: Figures;
}
interface Expected {
  readonly promoter: Promoter;
  readonly rules: readonly string[];
  readonly evidence: string;
  readonly day: number;
}

const days = new Map<string, Figures>();
/** The expected holds, by commission. */
const heldOnes = new Map<number, Expected>();
const honestIds = new Set<number>();
const addresses = new Set<string>();

function note(promoted: Promoter, when: Date, figures: Partial<Figures>): void {
  const date = when.toISOString().slice(0, 10);
  if (!days.has(date)) days.set(date, { ...nothing });
  for (const sums of [promoted.figures, days.get(date)!]) {
    for (const [name, by] of Object.entries(figures)) sums[name as keyof Figures] += by;
  }
}

/** A new address of the IPv6 documentation range, each in a separate network. */
let networks = 0;
const network = () => `2001:db8:${(++networks).toString(16)}:7::5`;

async function newPromoter(name: string, email = `${name}@${name}-media.test`): Promise<Promoter> {
  const { id, links } = await addPartner(world.deps(), own.program.id, { name, email, wishedLink: name });
  return { id, shortLink: links[0]!, figures: { ...nothing } };
}

interface Visit {
  readonly when: Date;
  readonly ip?: string;
  readonly agent?: string;
  readonly query?: string;
  readonly referrer?: string;
  readonly existing?: string;
  readonly isRepeat?: boolean;
}

/** Makes a click. @returns its id */
async function visit(promoted: Promoter, { when, ip = network(), agent = BROWSER, ...more }: Visit): Promise<string> {
  addresses.add(ip);
  const { status, body } = await send(click, {
    at: when,
    ip,
    headers: { origin: `https://${own.program.domain}` },
    body: {
      affiliate_url: `https://${own.program.domain}/?aff=${promoted.shortLink}${more.query ?? ''}`,
      referrer_url: more.referrer,
      existing_click_id: more.existing,
      user_agent: agent,
    },
  });
  expect(status).toBe(200);
  note(promoted, when, agent === BOT ? { bot_clicks: 1 } : { clicks: 1, ...(more.isRepeat && { repeat_clicks: 1 }) });
  return body.click_id;
}

interface Signup {
  readonly when: Date;
  readonly email?: string;
  readonly ip?: string;
}
let customers = 0;

/** Signs up in the browser. @returns the customer's key */
async function signUp(promoted: Promoter, clickId: string, { when, email, ip = network() }: Signup): Promise<string> {
  addresses.add(ip);
  const customerKey = `customer_${++customers}`;
  const body = { click_id: clickId, customer_key: customerKey, email: email ?? `${customerKey}@gmail.com` };
  const headers = { origin: `https://${own.program.domain}` };
  expect(await send(lead, { at: when, ip, headers, body })).toMatchObject({ status: 200 });
  note(promoted, when, { leads: 1 });
  return customerKey;
}

let payments = 0;

/** Makes a payment. @param held the expected hold, or undefined for an honest payment @returns the transaction */
async function pay(
  promoted: Promoter,
  customerKey: string,
  when: Date,
  held?: Pick<Expected, 'rules' | 'evidence'>,
  body: object = {},
): Promise<string> {
  const transactionId = `payment_${++payments}`;
  const request = { customer_key: customerKey, transaction_id: transactionId, ...body };
  const { commission_id: id } = await sold(own, request, { at: when });
  const day = Math.floor((when.getTime() - START) / DAY_MS);
  if (held) heldOnes.set(id, { ...held, promoter: promoted, day });
  else honestIds.add(id);
  note(promoted, when, { sales: 1, commission: held ? 0 : COMMISSION });
  return transactionId;
}

/** Makes a customer who clicks, signs up and pays. */
async function buy(
  promoted: Promoter,
  { email, held, ...how }: Visit & { readonly email?: string; readonly held?: Pick<Expected, 'rules' | 'evidence'> },
): Promise<{ readonly customerKey: string; readonly transactionId: string }> {
  const ip = how.ip ?? network();
  const clickId = await visit(promoted, { ...how, ip });
  const customerKey = await signUp(promoted, clickId, { when: new Date(how.when.getTime() + 120_000), email, ip });
  const paidAt = new Date(how.when.getTime() + DAY_MS);
  return { customerKey, transactionId: await pay(promoted, customerKey, paidAt, held) };
}

async function manyVisits(promoted: Promoter, count: number, how: (n: number) => Visit): Promise<string[]> {
  const clickIds: string[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const few = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => visit(promoted, how(from + n)));
    clickIds.push(...(await Promise.all(few)));
  }
  return clickIds;
}

const expected = (rule: string, evidence: string) => ({ rules: [rule], evidence });
const SELF = expected('self_referral', "The customer's address is the partner's own");
const bannedAs = (entry: string) => expected('banned_referrer', `The first click came from a banned site (${entry})`);
const DOMAIN = expected('same_domain', "The customer's address and the partner's have the same domain");
const DISPOSABLE = expected('disposable_email', "The customer's address is of a provider of disposable addresses");
const AD = expected(
  'paid_ad',
  'The first click came through an advertisement of a campaign that the program does not allow',
);
const burstAt = (when: Date) =>
  expected(
    'velocity',
    `The first click came on ${when.toISOString().slice(0, 10)} at ${when.toISOString().slice(11, 16)} UTC, ` +
      'when first clicks through its link came from more networks in a minute than the program expects',
  );

const promoters: Promoter[] = [];
const added = async (...args: Parameters<typeof newPromoter>): Promise<Promoter> => {
  const one = await newPromoter(...args);
  promoters.push(one);
  return one;
};

async function clickFarm(): Promise<void> {
  const farm = await added('farm');
  for (const [day, minute] of [
    [2, 10],
    [2, 11],
    [9, 300],
  ] as const) {
    await manyVisits(farm, 60, (n) => ({ when: at(day, minute, n % 60), agent: BOT }));
    const clickIds = await manyVisits(farm, 101, (n) => ({ when: at(day, minute, n % 60) }));
    const held = burstAt(at(day, minute));
    const customerKey = await signUp(farm, clickIds[50]!, { when: at(day, minute + 30) });
    await counted(world);
    await pay(farm, customerKey, at(day + 1), held);
  }
  // Clicks of bots alone are not a burst.
  await manyVisits(farm, 120, (n) => ({ when: at(12, 5, n % 60), agent: BOT }));
  await buy(farm, { when: at(12, 5, 30) });
}

/** Makes twelve signups on one day from one address. */
async function signupFarm(): Promise<void> {
  const farm = await added('signups');
  const customerKeys: string[] = [];
  for (let n = 0; n < 12; n++) {
    const clickId = await visit(farm, { when: at(5, 3 * n) });
    customerKeys.push(await signUp(farm, clickId, { when: at(5, 3 * n + 1), ip: '2001:db8:ffff:1::9' }));
  }
  const evidence = `The signup came on ${at(5).toISOString().slice(0, 10)}, when most signups, including this one, came from one network`;
  for (const customerKey of customerKeys.slice(0, 2)) {
    await pay(farm, customerKey, at(6), expected('velocity', evidence));
  }
}

async function selfReferrer(): Promise<void> {
  const self = await added('self', 'self.ish.one@gmail.com');
  const plain = await added('plain', 'pia@outlook.com');
  const ip = network();
  await buy(self, { when: at(3), ip, email: 'Selfish.One+shop@googlemail.com', held: SELF });
  await buy(self, { when: at(4), ip, email: 'selfishone@gmail.com', held: SELF });
  // This rule compares addresses, not networks.
  await buy(self, { when: at(7), ip, agent: PHONE, email: 'neighbour@gmail.com' });
  await buy(plain, { when: at(3), email: 'pia+me@outlook.com', held: SELF });
  // Dots are significant everywhere except at Gmail.
  await buy(plain, { when: at(5), email: 'p.ia@outlook.com' });
}

/** Makes sales to the partner's own people and to disposable addresses. */
async function colleagues(): Promise<void> {
  const agency = await added('agency', 'alex@agency.test');
  await buy(agency, { when: at(3), email: 'Boss@eu.Agency.test', held: DOMAIN });
  await buy(agency, { when: at(4), email: 'someone@mailinator.com', held: DISPOSABLE });
  // A domain that only ends with the agency's is another domain, and a public mail provider is shared by everyone.
  await buy(agency, { when: at(5), email: 'alex@notagency.test' });
  const freelancer = await added('freelancer', 'fay@outlook.com');
  await buy(freelancer, { when: at(5), email: 'client@outlook.com' });
}

async function couponLeaker(): Promise<void> {
  const leaker = await added('leaker');
  await buy(leaker, { when: at(6), referrer: 'https://Coupons.example/brand?x=1', held: bannedAs('coupons.example') });
  await buy(leaker, { when: at(8), referrer: 'https://www.deals.example/brand', held: bannedAs('*.deals.example') });
  // Similar sites are not banned: `*.deals.example` does not cover `deals.example`.
  for (const referrer of ['https://deals.example/', 'https://notcoupons.example/', 'https://blog.coupons.example/']) {
    await buy(leaker, { when: at(8), referrer });
  }
}

async function advertiser(): Promise<void> {
  const ads = await added('advertiser');
  const { customerKey } = await buy(ads, { when: at(10), query: '&gclid=abc&utm_campaign=brand', held: AD });
  await pay(ads, customerKey, at(20), AD);
  const unnamed = expected('paid_ad', 'The first click came through an advertisement that names no campaign');
  await buy(ads, { when: at(10), query: '&GCLID=abc', held: unnamed });
  await buy(ads, { when: at(11), query: '&gclid=abc&utm_campaign=summer' });
}

async function honestPartner(number: number): Promise<void> {
  const honest = await added(`honest${number}`);
  const day = number % 15;
  const { customerKey, transactionId } = await buy(honest, { when: at(day, number) });
  if (number % 4 === 1) {
    await pay(honest, customerKey, at(day + 14), undefined, { is_recurring: true, sale_type: 'subscription' });
  }
  if (number % 5 === 2) {
    const when = at(day + 3);
    expect(await refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 }, when)).toMatchObject({
      status: 200,
    });
    note(honest, when, { commission: -COMMISSION / 2 });
  }
  if (number % 5 === 3) {
    const when = at(day + 3);
    expect(await refunded(own, { transaction_id: transactionId, refund_amount_cents: 4900 }, when)).toMatchObject({
      status: 200,
    });
    note(honest, when, { commission: -COMMISSION });
  }
  await visit(honest, { when: at(day, 200), agent: BOT });
}

/** Makes a customer who comes twice, once with the tracker's cookie and once without. */
async function twiceClicked(): Promise<void> {
  const honest = await added('twice');
  const ip = network();
  const first = await visit(honest, { when: at(1), ip });
  await visit(honest, { when: at(1, 10), ip, existing: first, isRepeat: true });
  const again = await visit(honest, { when: at(1, 20), ip, isRepeat: true });
  const customerKey = await signUp(honest, again, { when: at(1, 30), ip });
  await pay(honest, customerKey, at(2));
}

/** Makes as many first clicks in a minute as the program allows. */
async function newsletter(): Promise<void> {
  const honest = await added('newsletter');
  const clickIds = await manyVisits(honest, 100, (n) => ({ when: at(13, 0, n % 60), agent: n % 2 ? PHONE : BROWSER }));
  await counted(world);
  for (const [n, clickId] of clickIds.slice(0, 12).entries()) {
    const customerKey = await signUp(honest, clickId, { when: at(13, 5 + n) });
    await pay(honest, customerKey, at(14, n));
  }
}

const world = openedWorld();
beforeAll(async () => {
  own = await ownedBrand(world, { leadAuth: 'browser_allowed', commissionType: 'recurring_percent' });
  const names = ['self_referral', 'same_domain', 'disposable_email', 'paid_ad', 'banned_referrer', 'velocity'];
  const { status } = await own.owner.patch(own.path, {
    rules: Object.fromEntries(names.map((name) => [name, 'hold'])),
    banned_referrers: ['coupons.example', '*.deals.example'],
    paid_ad_allowed_campaigns: ['summer'],
    velocity_clicks: 100,
  });
  if (status !== 200) throw new Error(`Expected 200, got ${status}`);
  await clickFarm();
  await signupFarm();
  await selfReferrer();
  await colleagues();
  await couponLeaker();
  await advertiser();
  for (let number = 0; number < 20; number++) await honestPartner(number);
  await twiceClicked();
  await newsletter();
  await counted(world);
});

type Row = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- rows of several lists

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
const ids = (rows: Row[]): number[] => rows.map(({ id }) => id).toSorted((a, b) => a - b);

const commissionRows = async (query = ''): Promise<Row[]> =>
  (await everyPage(own.owner, `${own.path}/commissions?limit=100${query}`)).flat();

const figuresOf = ({ clicks, bot_clicks, repeat_clicks, leads, sales, amounts }: Row): Figures => ({
  clicks,
  bot_clicks,
  repeat_clicks,
  leads,
  sales,
  commission: amounts.USD?.commission_cents ?? 0,
});

async function expectFigures(): Promise<void> {
  await counted(world);
  const partners = (await everyPage(own.owner, `${own.path}/partners?limit=100`)).flat();
  const links = (await everyPage(own.owner, `${own.path}/links?limit=100`)).flat();
  const { body } = await own.owner.get(`${own.path}/performance?from=2026-11-01&to=2027-01-31`);
  const performance = body.data;
  for (const { id, shortLink, figures } of promoters) {
    const [partner, link] = [partners.find((one) => one.id === id), links.find((one) => one.short_link === shortLink)];
    expect([shortLink, figuresOf(partner!), figuresOf(link!)]).toEqual([shortLink, figures, figures]);
  }
  const total = { ...nothing };
  for (const day of performance.days as Row[]) {
    const wanted = days.get(day.date) ?? nothing;
    expect([day.date, figuresOf(day)]).toEqual([day.date, wanted]);
    for (const [name, by] of Object.entries(wanted)) total[name as keyof Figures] += by;
  }
  expect(figuresOf(performance.totals)).toEqual(total);
}

async function payOut(when = PAYOUT_AT): Promise<Map<number, number>> {
  const { status, body } = await own.owner.post(`${own.path}/payouts`, {}, { at: when });
  expect(status).toBe(200);
  return new Map(body.data.items.map((item: Row) => [item.partner_id, item.amount_cents]));
}

describe('at the end of a month with honest and dishonest traffic', () => {
  it('all commissions from dishonest traffic are held for review with a reason, and none from honest traffic is', async () => {
    const rows = await commissionRows();
    const found = rows.filter(({ status }) => status === 'held');
    const flagged = found.map(({ id, partner_id: partnerId, flags }) => ({
      id,
      partnerId,
      rules: flags.map(({ rule }: Row) => rule),
      evidence: flags[0].evidence,
    }));
    const wanted = [...heldOnes].map(
      ([
        id,
        {
          promoter: { id: partnerId },
          rules,
          evidence,
        },
      ]) => ({
        id,
        partnerId,
        rules,
        evidence,
      }),
    );
    expect(flagged.toSorted(byId)).toEqual(wanted.toSorted(byId));
    const others = rows.filter(({ id }) => !heldOnes.has(id));
    expect(new Set(others.map(({ id }) => id))).toEqual(honestIds);
    for (const row of others) expect(row).toMatchObject({ flags: [], held_at: null });
    expect(ids(await commissionRows('&status=held'))).toEqual(ids(found));
    expect(ids(await commissionRows('&flagged=true'))).toEqual(ids(found));
  });

  it('the counters of partners, links and days equal the events', expectFigures);

  it('the table stores no IP address, and visitor data expires within days', async () => {
    const items = await allItems(world);
    const text = JSON.stringify(items);
    expect([...addresses].filter((address) => text.includes(address))).toEqual([]);
    // The text must not contain the network by which rate limits count, either.
    expect(text).not.toMatch(/2001:0?db8|ffff:1:/);
    const ofVisitors = items.filter(({ pk }) => /^(?:WINDOW|SIGNUPS|SALT)#/.test(String(pk)));
    expect(ofVisitors.length).toBeGreaterThan(0);
    for (const { pk, expires_at: ends } of ofVisitors) {
      const [, start = ''] = /#(\d{10}|\d{4}-\d{2}-\d{2})(?:#|$)/.exec(String(pk)) ?? [];
      const startsAt = start.includes('-') ? Date.parse(start) / 1_000 : Number(start);
      const seconds = Number(ends) - startsAt;
      expect({ pk, start, endsInTime: seconds > 0 && seconds <= (2 * DAY_MS) / 1_000 }).toMatchObject({
        start: expect.stringMatching(/^\d/),
        endsInTime: true,
      });
    }
    await expectNothingHalfWritten(world);
  });

  it('a payout contains only commissions from honest traffic', async () => {
    const paid = await payOut();
    const wanted = promoters.filter(({ figures }) => figures.commission > 0);
    expect(paid).toEqual(new Map(wanted.map(({ id, figures }) => [id, figures.commission])));
  });
});

describe('after the owner’s decisions on the commissions held for review', () => {
  it('balances and payouts follow the decisions', async () => {
    const [[released, { promoter: promoted, day }], ...others] = [...heldOnes] as [
      [number, Expected],
      ...[number, Expected][],
    ];
    const decide = (id: number, what: string, body: object = {}) =>
      own.owner.post(`${own.path}/commissions/${id}/${what}`, body, { at: PAYOUT_AT });
    expect(await decide(released, 'release')).toMatchObject({ status: 200 });
    for (const [id] of others) {
      expect(await decide(id, 'reject', { reason: 'Fraud' })).toMatchObject({ status: 200 });
    }
    note(promoted, at(day), { commission: COMMISSION });
    await expectFigures();
    expect(await payOut(new Date(PAYOUT_AT.getTime() + DAY_MS))).toEqual(new Map([[promoted.id, COMMISSION]]));
    expect(await commissionRows('&status=held')).toEqual([]);
    const rejected = await commissionRows('&status=rejected');
    expect(new Set(rejected.map(({ id }) => id))).toEqual(new Set(others.map(([id]) => id)));
    await expectFigures();
    await expectNothingHalfWritten(world);
  });
});
