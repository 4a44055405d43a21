import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { givenCode } from '#test/support/codes.ts';
import { ownedBrand, refunded } from '#test/support/commissions.ts';
import { type Dashboard, everyPage } from '#test/support/dashboard.ts';
import { anotherPartner, clicked, signedUp } from '#test/support/journeys.ts';
import { newAddress, signedInAs } from '#test/support/people.ts';
import { portal } from '#test/support/portal.ts';
import { NOW, send } from '#test/support/request.ts';
import { counted } from '#test/support/stream.ts';
import { openWorld, type World } from '#test/support/world.ts';
import { handler as sale } from '#functions/track/sale.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const DAY_MS = 86_400_000;
const which = fc.nat(9);
const partner = fc.nat(1);

const anyStep = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('click'), partner }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('signUp'), partner }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('sale'),
      /** Of the one who comes by click or code where nobody has signed up. */
      partner,
      by: fc.constantFrom('key', 'key', 'click', 'code', 'keyAndCode'),
      customer: which,
      euros: fc.boolean(),
      renewal: fc.boolean(),
      cents: fc.integer({ min: 1, max: 9_999 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund'),
      sale: which,
      percent: fc.constantFrom(10, 50, 100),
      reason: fc.constantFrom('refund', 'chargeback'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('approve'), sale: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reject'), sale: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant'), partner }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.integer({ min: 1, max: 12 }) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
type Row = Record<string, unknown>;

const anySettings = fc.record({
  code_precedence: fc.constantFrom('link_first', 'code_first'),
  lead_commission_cents: fc.constantFrom(0, 500),
  auto_approve: fc.boolean(),
});

/** A program with two partners, each with a link, a code and an account; every call is the real one. */
async function program(settings: object) {
  const own = await ownedBrand(world);
  const { owner, path } = own;
  await owner.patch(path, settings);
  const partners = await Promise.all(
    ['Bea', 'Cem'].map(async (name, n) => {
      const brand = { ...own, ...(await anotherPartner(world, own, `${name}-${own.program.id}`)) };
      const email = newAddress(name.toLowerCase());
      await owner.patch(`${path}/partners/${brand.partner.id}`, { email });
      const code = `${name}${own.program.id}_${n}`;
      await givenCode(world, brand, { code });
      return { brand, email, code, user: portal((await signedInAs(world, email)).token) };
    }),
  );
  const customers: string[] = [];
  const sales: { readonly id: string; readonly commission?: number; readonly cents: number }[] = [];
  let now = NOW.getTime();
  const at = () => ({ at: new Date(now) });

  async function sell({ partner: who, by, customer, euros, renewal, cents }: Extract<Step, { do: 'sale' }>) {
    const { brand, code } = partners[who]!;
    const id = `txn ${own.program.id} ${sales.length}`;
    const key = customers[customer % Math.max(1, customers.length)] ?? `unknown ${id}`;
    const body = {
      transaction_id: id,
      amount_cents: cents,
      currency: euros ? 'EUR' : 'USD',
      is_recurring: renewal,
      ...(by.startsWith('key') && { customer_key: key }),
      ...(by === 'click' && { click_id: await clicked(brand, at()) }),
      ...(by !== 'click' && by !== 'key' && { coupon_code: code }),
    };
    const reply = await send(sale, { key: own.key, body, ...at() });
    if (reply.status === 200) sales.push({ id, commission: reply.body.commission_id, cents });
  }

  async function step(action: Step): Promise<void> {
    now += 1000;
    if (action.do === 'wait') return void (now += action.days * DAY_MS);
    if (action.do === 'pay') return void (await owner.post(`${path}/payouts`, {}, at()));
    if (action.do === 'click') return void (await clicked(partners[action.partner]!.brand, at()));
    if (action.do === 'sale') return sell(action);
    if (action.do === 'grant') {
      const { id } = partners[action.partner]!.brand.partner;
      const grant = { amount_cents: 700, currency: 'USD', reason: 'Thanks' };
      return void (await owner.post(`${path}/partners/${id}/commissions`, grant, at()));
    }
    if (action.do === 'signUp') {
      const key = `key ${own.program.id} ${customers.length}`;
      await signedUp(partners[action.partner]!.brand, key, at());
      return void customers.push(key);
    }
    const sold = sales[action.sale % Math.max(1, sales.length)];
    if (!sold) return;
    if (action.do === 'refund') {
      const cents = Math.ceil((sold.cents * action.percent) / 100);
      const body = { transaction_id: sold.id, refund_amount_cents: cents, reason: action.reason };
      return void (await refunded(own, body, new Date(now)));
    }
    if (sold.commission === undefined) return;
    await owner.post(`${path}/commissions/${sold.commission}/${action.do}`, { reason: 'Drawn' }, at());
  }
  return { own, partners, step, at, now: () => new Date(now) };
}

type Program = Awaited<ReturnType<typeof program>>;
type Partner = Program['partners'][number];

/** Every row of a list. */
const rowsOf = async ({ at }: Program, user: Pick<Dashboard, 'get'>, url: string): Promise<Row[]> => {
  const asked = { get: (page: string) => user.get(page, at()) } as Dashboard;
  return (await everyPage(asked, `${url}${url.includes('?') ? '&' : '?'}limit=7`)).flat();
};

const pick = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]));
const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
const shared = ['id', 'kind', 'status', 'amount_cents', 'deducted_cents', 'payable_cents', 'currency'] as const;
const times = ['base_amount_cents', 'occurred_at', 'hold_until', 'approved_at', 'paid_at', 'payout_id'] as const;
const reasons = ['rejection_reason', 'reversal_reason'] as const;

async function expectSameCommissions(its: Program, { brand, user }: Partner): Promise<Row[]> {
  const { own } = its;
  const theirs = await rowsOf(its, own.owner, `${own.path}/commissions?partner_id=${brand.partner.id}`);
  const seen = await rowsOf(its, user, `${own.path}/commissions`);
  expect(seen).toEqual(theirs.map((row) => pick(row, [...shared, ...times, ...reasons])));
  const csv = (await user.get(`${own.path}/commissions.csv`, its.at())).body as string;
  expect(csv.split('\r\n').slice(1, -1)).toEqual(
    seen.map((row) =>
      Object.values(row)
        .map((cell) => (cell as string | number | null) ?? '')
        .join(','),
    ),
  );
  return theirs;
}

/** By currency, of what is in a reply; currencies with nothing but zeros left out. */
const withMoney = (amounts: Record<string, Row>): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(amounts).filter(([, row]) =>
      Object.values(row).some((cents) => typeof cents === 'number' && cents !== 0),
    ),
  );

async function expectSameBalance(its: Program, { brand, user }: Partner): Promise<void> {
  const { own, at } = its;
  const { id } = brand.partner;
  const owed = (await own.owner.get(`${own.path}/owed?partner_id=${id}`, at())).body.data as Record<string, Row>;
  const { amounts } = (await own.owner.get(`${own.path}/partners/${id}`, at())).body.data;
  const balance = (await user.get(`${own.path}/balance`, at())).body.data as Record<string, Row>;
  const expected = Object.fromEntries(
    [...new Set([...Object.keys(owed), ...Object.keys(amounts)])].map((currency) => [
      currency,
      {
        pending_cents: owed[currency]?.pending_cents ?? 0,
        approved_cents: owed[currency]?.approved_cents ?? 0,
        held_cents: 0,
        paid_cents: amounts[currency]?.paid_out_cents ?? 0,
      },
    ]),
  );
  const seen = Object.entries(balance).map(
    ([currency, row]) => [currency, without(row, 'next', 'withheld_cents')] as const,
  );
  expect(withMoney(Object.fromEntries(seen))).toEqual(withMoney(expected));
  for (const { pending_cents: pending, next } of Object.values(balance)) {
    const sum = (next as { amount_cents: number }[]).reduce((total, { amount_cents: cents }) => total + cents, 0);
    expect([pending, 0]).toContain(sum);
  }
}

/** As a partner sees them. */
const totals = ({ amounts, ...counts }: { amounts: Record<string, Row> }) => ({
  ...counts,
  amounts: Object.fromEntries(
    Object.entries(amounts).map(([currency, row]) => [currency, pick(row, ['revenue_cents', 'commission_cents'])]),
  ),
});

async function expectSamePerformance(its: Program, { brand, user }: Partner): Promise<void> {
  const { own, at } = its;
  const range = `from=2026-11-15&to=${its.now().toISOString().slice(0, 10)}`;
  const theirs = (await own.owner.get(`${own.path}/partners/${brand.partner.id}/performance?${range}`, at())).body.data;
  expect((await user.get(`${own.path}/performance?${range}`, at())).body.data).toEqual({
    ...theirs,
    days: theirs.days.map(totals),
    totals: totals(theirs.totals),
    previous: { ...theirs.previous, totals: totals(theirs.previous.totals) },
  });
}

async function expectSameCustomers(its: Program, { brand, user }: Partner): Promise<void> {
  const { own } = its;
  const all = await rowsOf(its, own.owner, `${own.path}/commissions`);
  const theirs = await rowsOf(its, own.owner, `${own.path}/customers?partner_id=${brand.partner.id}`);
  const foreignLead = ({ click_id: clickId }: Row): number =>
    all
      .filter((one) => one.kind === 'lead' && one.click_id === clickId && one.partner_id !== brand.partner.id)
      .reduce((total, one) => total + Number(one.amount_cents), 0);
  const expected = theirs.map((row) => {
    const { USD, ...others } = row.amounts as Record<string, Row>;
    const commission = Number(USD?.commission_cents ?? 0) - foreignLead(row);
    return {
      ...pick(row, ['first_click_at', 'signup_at', 'first_purchase_at', 'status']),
      amounts: withMoney({ ...others, ...(USD && { USD: { ...USD, commission_cents: commission } }) }),
    };
  });
  const seen = await rowsOf(its, user, `${own.path}/customers`);
  expect(seen.map((row) => without(row, 'id', 'link', 'email_masked'))).toEqual(expected);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
}

async function expectSamePayouts(its: Program, { brand, user }: Partner): Promise<void> {
  const { own, at } = its;
  const theirs: Row[] = [];
  for (const { id } of await rowsOf(its, own.owner, `${own.path}/payouts`)) {
    const payout = (await own.owner.get(`${own.path}/payouts/${String(id)}`, at())).body.data;
    const items = (payout.items as Row[]).filter((item) => item.partner_id === brand.partner.id);
    for (const item of items) {
      theirs.push({
        ...pick(payout, ['id', 'created_at', 'reference']),
        ...pick(item, ['currency', 'amount_cents', 'commission_ids']),
      });
    }
  }
  const byIdAndCurrency = (a: Row, b: Row) =>
    Number(b.id) - Number(a.id) || (String(a.currency) < String(b.currency) ? 1 : -1);
  expect(await rowsOf(its, user, `${own.path}/payouts`)).toEqual(theirs.toSorted(byIdAndCurrency));
}

/** Nothing of the other partner, of a payment, or of a click. */
async function expectIsolation(its: Program, own: Partner, other: Partner, theirs: readonly Row[]): Promise<void> {
  const urls = ['', '/performance', '/balance', '/codes', '/customers', '/commissions', '/payouts'];
  const single = theirs.map(({ id }) => `/commissions/${String(id)}`);
  const texts = await Promise.all(
    [...urls, ...single].map(async (url) =>
      JSON.stringify((await own.user.get(`${its.own.path}${url}`, its.at())).body),
    ),
  );
  const { brand, email, code } = other;
  for (const secret of [
    brand.partner.name,
    email,
    code,
    brand.shortLink,
    'clk_',
    `txn ${its.own.program.id}`,
    'key ',
  ]) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
  const foreign = await rowsOf(its, its.own.owner, `${its.own.path}/commissions?partner_id=${brand.partner.id}`);
  const statuses = await Promise.all(
    foreign.map(async ({ id }) => (await own.user.get(`${its.own.path}/commissions/${String(id)}`, its.at())).status),
  );
  expect(new Set([404, ...statuses])).toEqual(new Set([404]));
}

const histories = fc.array(anyStep, { minLength: 8, maxLength: 30, size: 'max' });

const whatPartnersSeeIsWhatTheBrandSees = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(anySettings, histories, async (settings, steps) => {
      const its = await program(settings);
      for (const action of steps) await its.step(action);
      await counted(world);
      const [bea, cem] = its.partners as [Partner, Partner];
      for (const [own, other] of [
        [bea, cem],
        [cem, bea],
      ] as const) {
        const theirs = await expectSameCommissions(its, own);
        await expectSameBalance(its, own);
        await expectSamePerformance(its, own);
        await expectSameCustomers(its, own);
        await expectSamePayouts(its, own);
        await expectIsolation(its, own, other, theirs);
      }
    }),
    { numRuns },
  );

it('every figure a partner sees is the brand’s for that partner, whatever happened', async () => {
  await expect(whatPartnersSeeIsWhatTheBrandSees(4)).resolves.toBeUndefined();
}, 120_000);

it('the same, of many more histories', { tags: ['deep'], timeout: 900_000 }, async () => {
  await expect(whatPartnersSeeIsWhatTheBrandSees(40)).resolves.toBeUndefined();
});
