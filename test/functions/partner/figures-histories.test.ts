import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findOpenMark } from '#lib/service/earnings/payouts/payouts-items.ts';
import { invoiceOf, type Person as Coming, personOf, sessionOf } from '#test/support/payments/clicked-and-coded.ts';
import { codeEvent, discountOf } from '#test/support/payments/coded-payments.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { saleOf } from '#test/support/payments/payers.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { type Dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { anotherPartner, clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, send, statusesOf } from '#test/support/callers/request.ts';
import { deliverAt, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { counted } from '#test/support/table/stream.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();

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
      /** The partner whose link or code a customer without a sign-up uses. */
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
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reopen'), sale: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant'), partner, deduction: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('line'),
      line: which,
      status: fc.constantFrom('sent', 'paid', 'failed', 'void'),
    }),
  },
  /** A sale with one partner's code for a visitor of the other partner's link. */
  { weight: 3, arbitrary: fc.record({ do: fc.constant('invoice'), partner }) },
  /** A checkout event that names the click, alone or together with another change of the sale. */
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('checkout'),
      customer: which,
      beside: fc.constantFrom('nothing', 'approve', 'reject', 'reopen', 'refund', 'pay'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('terms') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('details'), partner, isInterrupted: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.constantFrom(0.3, 1, 5, 12) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
type Settings = typeof anySettings extends fc.Arbitrary<infer T> ? T : never;
type Row = Record<string, unknown>;
type Amounts = Record<string, number>;

const anySettings = fc.record({
  code_precedence: fc.constantFrom('link_first', 'code_first'),
  lead_commission_cents: fc.constantFrom(0, 500),
  auto_approve: fc.boolean(),
  hold_period_days: fc.constantFrom(0, 0, 15),
});

/** A program with two partners, each with a link, a code and an account; every call is real. */
async function program(settings: object) {
  const own = await ownedBrand(world);
  const { owner, path } = own;
  await directEndpoint(world, own);
  await owner.patch(path, settings);
  const partners = await Promise.all(
    ['Bea', 'Cem'].map(async (name, n) => {
      const brand = { ...own, ...(await anotherPartner(world, own, `${name}-${own.program.id}`)) };
      const email = newAddress(name.toLowerCase());
      await owner.patch(`${path}/partners/${brand.partner.id}`, { email });
      const code = `${name}${own.program.id}_${n}`;
      await givenCode(world, brand, { code });
      const person = await signedInAs(world, email);
      await accepted(person, path);
      return { brand, email, code, user: portal(person.token) };
    }),
  );
  const customers: string[] = [];
  const sales: { readonly id: string; readonly commission?: number; readonly cents: number }[] = [];
  const coded: Coming[] = [];
  let versions = 0;
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

  /** A subscription invoice with one partner's code, whose visitor came through the other's link. */
  async function invoice(who: number): Promise<void> {
    const person = await personOf(partners[1 - who]!.brand, at());
    const { id } = person;
    const events = [
      codeEvent(`promo_${id}`, partners[who]!.code),
      discountOf(id),
      invoiceOf(person, { paidAt: its.now() }),
    ];
    for (const event of events) await deliverAt(its.now(), own, event);
    const transactionId = `in_${id}`;
    coded.push(person);
    const commission = (await saleOf(world, transactionId))?.commissionId as number | undefined;
    sales.push({ id: transactionId, commission, cents: 4_900 });
  }

  async function checkout({ customer, beside }: Extract<Step, { do: 'checkout' }>): Promise<void> {
    const person = coded[customer % Math.max(1, coded.length)];
    if (!person) return;
    const sold = sales.findIndex(({ id }) => id === `in_${person.id}`);
    const others: Record<typeof beside, () => unknown> = {
      nothing: () => undefined,
      approve: () => decide('approve', sold),
      reject: () => decide('reject', sold),
      reopen: () => decide('reopen', sold),
      refund: () => giveBack(sold, 50),
      pay: () => owner.post(`${path}/payouts`, {}, at()),
    };
    await Promise.all([deliverAt(its.now(), own, sessionOf(person)), others[beside]()]);
  }

  /** Lines of all payouts are numbered together. */
  async function changeLine({ line, status }: { readonly line: number; readonly status: string }): Promise<void> {
    const rows = (await owner.get(`${path}/payouts`, at())).body.data as { id: number; items: Row[] }[];
    const ids = rows.flatMap(({ id, items }) =>
      items.map((item) => [id, `${String(item.partner_id)}-${String(item.currency)}`] as const),
    );
    const [id, name] = ids[line % Math.max(1, ids.length)] ?? [];
    if (name) await owner.post(`${path}/payouts/${id}/lines`, { ids: [name], status, reason: 'Came back' }, at());
  }

  async function decide(decision: string, sold: number): Promise<void> {
    const { commission } = sales[sold]!;
    if (commission === undefined) return;
    await owner.post(`${path}/commissions/${commission}/${decision}`, { reason: 'Drawn' }, at());
  }

  async function giveBack(sold: number, percent: number, reason?: string): Promise<void> {
    const { id, cents } = sales[sold]!;
    const refund = { transaction_id: id, refund_amount_cents: Math.ceil((cents * percent) / 100), reason };
    await refunded(own, refund, its.now());
  }

  /** Publishes new terms, which all partners accept at once, some of them twice, during a payout. */
  async function acceptTerms(): Promise<void> {
    versions += 1;
    await owner.patch(path, { partner_terms: `Terms ${versions}` }, at());
    const accept = ({ user }: { user: ReturnType<typeof portal> }) =>
      user.post(`${path}/terms`, { version: versions }, at());
    const replies = await Promise.all([...partners, ...partners].map(accept));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 200]);
  }

  /** A person who has just signed in changes payout details. The second change and later ones hold payouts. */
  async function changeDetails({ partner: who, isInterrupted }: Extract<Step, { do: 'details' }>): Promise<void> {
    const { token } = await signedInAs(world, partners[who]!.email, its.now());
    const put = () => portal(token).put('/payout-details', { method: 'paypal', email: `p${now}@people.test` }, at());
    const isFirst = (await portal(token).get('/payout-details', at())).body.data === null;
    await (isInterrupted && !isFirst ? failing('second write', refused('InternalServerError'), put) : put());
  }

  async function step(action: Step): Promise<void> {
    now += 1000;
    if (action.do === 'invoice') return invoice(action.partner);
    if (action.do === 'checkout') return checkout(action);
    if (action.do === 'terms') return acceptTerms();
    if (action.do === 'details') return changeDetails(action);
    if (action.do === 'wait') return void (now += action.days * DAY_MS);
    if (action.do === 'line') return changeLine(action);
    if (action.do === 'pay') return void (await owner.post(`${path}/payouts`, {}, at()));
    if (action.do === 'click') return void (await clicked(partners[action.partner]!.brand, at()));
    if (action.do === 'sale') return sell(action);
    if (action.do === 'grant') {
      const { id } = partners[action.partner]!.brand.partner;
      const { deduction } = action;
      const grant = { amount_cents: 700, currency: 'USD', reason: 'Thanks', deduction };
      return void (await owner.post(`${path}/partners/${id}/commissions`, grant, at()));
    }
    if (action.do === 'signUp') {
      const key = `key ${own.program.id} ${customers.length}`;
      await signedUp(partners[action.partner]!.brand, key, at());
      return void customers.push(key);
    }
    if (sales.length === 0) return;
    const sold = action.sale % sales.length;
    await (action.do === 'refund' ? giveBack(sold, action.percent, action.reason) : decide(action.do, sold));
  }

  const its = { own, partners, coded, step, at, now: () => new Date(now) };
  return its;
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
const reasons = ['rejection_reason', 'by_hand', 'reversal_reason', 'payout_status'] as const;

async function expectSameCommissions(its: Program, { brand, user }: Partner): Promise<Row[]> {
  const { own } = its;
  const theirs = await rowsOf(its, own.owner, `${own.path}/commissions?partner_id=${brand.partner.id}`);
  const seen = await rowsOf(its, user, `${own.path}/commissions`);
  expect(seen).toEqual(theirs.map((row) => pick(row, [...shared, ...times, ...reasons])));
  const csv = (await user.get(`${own.path}/commissions.csv`, its.at())).body as string;
  const decimals = ['amount_cents', 'deducted_cents', 'payable_cents', 'base_amount_cents'] as const;
  const decimalsOf = (row: Row) =>
    decimals.map((name) => (typeof row[name] === 'number' ? (row[name] / 100).toFixed(2) : ''));
  expect(csv.split('\r\n').slice(1, -1)).toEqual(
    seen.map((row) =>
      [...Object.values(without(row, 'by_hand')), ...decimalsOf(row)]
        .map((cell) => (cell as string | number | null) ?? '')
        .join(','),
    ),
  );
  return theirs;
}

/** Amounts in a reply by currency, without zeros. */
const withMoney = (amounts: Record<string, Row>): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(amounts).filter(([, row]) =>
      Object.values(row).some((cents) => typeof cents === 'number' && cents !== 0),
    ),
  );

async function expectSameBalance(its: Program, { brand, user }: Partner, theirs: readonly Row[]): Promise<void> {
  const { own, at } = its;
  const { id } = brand.partner;
  const owed = (await own.owner.get(`${own.path}/owed?partner_id=${id}`, at())).body.data as Record<string, Row>;
  const { amounts } = (await own.owner.get(`${own.path}/partners/${id}`, at())).body.data;
  const balance = (await user.get(`${own.path}/balance`, at())).body.data as Record<string, Row>;
  const centsOf = (currency: string, isWanted: (row: Row) => boolean): number =>
    theirs
      .filter((row) => row.currency === currency && isWanted(row))
      .reduce((total, { payable_cents: cents }) => total + Number(cents), 0);
  const isHeld = (currency: string) => [owed, balance].some((of) => Number(of[currency]?.held_cents ?? 0) !== 0);
  const deducted = (currency: string) =>
    centsOf(currency, ({ status, payable_cents: cents }) => status === 'approved' && Number(cents) < 0);
  const onTheWay: Record<string, number> = {};
  for (const { id: payoutId } of await rowsOf(its, own.owner, `${own.path}/payouts`)) {
    const lines = await rowsOf(its, own.owner, `${own.path}/payouts/${String(payoutId)}/lines?partner_id=${id}`);
    for (const { status, currency, amount_cents: cents } of lines) {
      const isOnTheWay = status === 'recorded' || status === 'sent';
      if (isOnTheWay) onTheWay[String(currency)] = (onTheWay[String(currency)] ?? 0) + Number(cents);
    }
  }
  const expected = Object.fromEntries(
    [...new Set([...Object.keys(owed), ...Object.keys(amounts)])].map((currency) => [
      currency,
      {
        pending_cents: owed[currency]?.pending_cents ?? 0,
        in_review_cents: centsOf(currency, ({ status }) => status === 'held'),
        // The brand's figure is net of deductions by hand, which a partner sees as withheld.
        approved_cents: Number(owed[currency]?.approved_cents ?? 0) - (isHeld(currency) ? 0 : deducted(currency)),
        held_cents: Number(owed[currency]?.held_cents ?? 0) - (isHeld(currency) ? deducted(currency) : 0),
        paid_cents: amounts[currency]?.paid_out_cents ?? 0,
        on_the_way_cents: onTheWay[currency] ?? 0,
      },
    ]),
  );
  const seen = Object.entries(balance).map(
    ([currency, row]) => [currency, without(row, 'next', 'next_payout', 'withheld_cents', 'restored_cents')] as const,
  );
  expect(withMoney(Object.fromEntries(seen))).toEqual(withMoney(expected));
  const open = await findOpenMark(world.deps().table, own.program.id);
  for (const [currency, row] of Object.entries(owed)) {
    const of = balance[currency] as Amounts;
    const { approved_cents: approved, restored_cents: restored, held_cents: held, withheld_cents: withheld } = of;
    const due = approved! + restored! + held! - withheld!;
    // While a payout is open, the brand's figures include its contents, so they differ.
    if (!open)
      expect(row).toMatchObject({ balance_cents: Math.min(0, due), due_now_cents: held ? 0 : Math.max(0, due) });
  }
  for (const [currency, { next }] of Object.entries(balance)) {
    const pending = centsOf(currency, ({ status, by_hand: isByHand }) => status === 'pending' && !isByHand);
    const sum = (next as { amount_cents: number }[]).reduce((total, { amount_cents: cents }) => total + cents, 0);
    expect([pending, 0]).toContain(sum);
  }
  if (!open) await expectNextPayout(its, { brand, user });
}

/** The next payout has the amounts of the preview at the beginning of its day. */
async function expectNextPayout({ own, at }: Program, { brand, user }: Pick<Partner, 'brand' | 'user'>): Promise<void> {
  const tomorrow = new Date(at().at.getTime() + 86_400_000).getUTCDate();
  await own.owner.patch(own.path, { payout_days: [tomorrow > 28 ? 1 : tomorrow] }, at());
  const { next_payout_on: on } = (await user.get(own.path, at())).body.data;
  const balance = (await user.get(`${own.path}/balance`, at())).body.data as Record<string, { next_payout: Row }>;
  const body = { partner_id: brand.partner.id };
  const { data: preview } = (
    await own.owner.post(`${own.path}/payouts/preview`, body, { at: new Date(`${on}T00:00:00.000Z`) })
  ).body;
  const planned = Object.entries(balance).map(([currency, { next_payout: next }]) => ({ currency, ...next }));
  const items = preview.items as { currency: string; amount_cents: number }[];
  expect(planned).toEqual(
    Object.keys(balance).map((currency) => ({
      currency,
      on,
      amount_cents: items.find((item) => item.currency === currency)?.amount_cents ?? 0,
    })),
  );
}

/** The figures as the partner sees them. */
const totals = ({ amounts, ...counts }: { amounts: Record<string, Row> }) => ({
  ...without(counts, 'bot_clicks', 'repeat_clicks'),
  amounts: Object.fromEntries(
    Object.entries(amounts).map(([currency, row]) => [currency, without(row, 'platform_fee_cents')]),
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

const someOf = (sums: Iterable<readonly unknown[]>) => new Map([...sums].filter(([, cents]) => cents !== 0) as []);

/** Over all days, commissions less rejections are what the partner gets, and the overview has the same money. */
async function expectExactNet(its: Program, { user }: Partner, theirs: readonly Row[]): Promise<void> {
  const { own, at } = its;
  const to = its.now().toISOString().slice(0, 10);
  const { totals: all } = (await user.get(`${own.path}/performance?from=2026-09-01&to=${to}`, at())).body.data;
  const amounts = Object.entries(all.amounts as Record<string, Amounts>);
  const net = amounts.map(([currency, row]) => [currency, row.commission_cents! - row.rejected_cents!]);
  const gets: Amounts = {};
  for (const { status, currency, payable_cents: cents } of theirs) {
    if (status === 'rejected' || status === 'held') continue;
    gets[String(currency)] = (gets[String(currency)] ?? 0) + Number(cents);
  }
  expect(someOf(net)).toEqual(someOf(Object.entries(gets)));

  const month = to.slice(0, 7);
  const { totals: ofMonth } = (await user.get(`${own.path}/performance?from=${month}-01&to=${to}`, at())).body.data;
  const { data: overview } = (await user.get('/overview', at())).body;
  const [row] = overview.programs;
  expect(row).toMatchObject({ program_id: own.program.id, clicks: ofMonth.clicks, sales: ofMonth.sales });
  const balance = (await user.get(`${own.path}/balance`, at())).body.data as Record<string, Amounts>;
  const zeros = { pending: 0, in_review: 0, ready: 0, held_back: 0, paid: 0, on_the_way: 0 };
  const expected = [...new Set([...Object.keys(balance), ...Object.keys(ofMonth.amounts)])].map((currency) => {
    const { commission_cents: earned = 0, rejected_cents: lost = 0 } = ofMonth.amounts[currency] ?? {};
    const here = balance[currency];
    const left = (cents: number) => Math.max(0, cents - here!.withheld_cents!);
    const where = here
      ? {
          pending: here.pending_cents,
          in_review: here.in_review_cents,
          ready: left(here.approved_cents!),
          held_back: left(here.held_cents!),
          paid: here.paid_cents,
          on_the_way: here.on_the_way_cents,
        }
      : zeros;
    const named = Object.entries({ earned: earned - lost, ...where }).map(([name, cents]) => [`${name}_cents`, cents]);
    return [currency, Object.fromEntries(named)];
  });
  expect(row.amounts).toEqual(Object.fromEntries(expected));
  expect(overview).toMatchObject({ month, totals: row.amounts, complete: true });
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
      const name = `${String(item.partner_id)}-${String(item.currency)}`;
      const line = (await own.owner.get(`${own.path}/payouts/${String(id)}/lines/${name}`, at())).body.data as Row;
      theirs.push({
        ...pick(payout, ['id', 'created_at']),
        ...pick(item, ['currency', 'amount_cents', 'commission_ids']),
        ...pick(line, ['number', 'status', 'reason', 'sent_at', 'paid_at']),
        line_id: line.id,
        reference: line.reference ?? payout.reference,
      });
    }
  }
  const byIdAndCurrency = (a: Row, b: Row) =>
    Number(b.id) - Number(a.id) || (String(a.currency) < String(b.currency) ? 1 : -1);
  expect(await rowsOf(its, user, `${own.path}/payouts`)).toEqual(theirs.toSorted(byIdAndCurrency));
}

/** Expects that the partner sees their own payout details and terms. */
async function expectSamePerson(its: Program, { brand, user }: Partner): Promise<void> {
  const { own, at } = its;
  const theirs = (await own.owner.get(`${own.path}/partners/${brand.partner.id}`, at())).body.data;
  const { held_until: _, ...payout } = theirs.payout ?? {};
  expect({ ...(await user.get('/payout-details', at())).body.data }).toEqual(payout);
  const [seen] = (await user.get('/me', at())).body.data.programs;
  expect(seen).toMatchObject({ status: theirs.status, joined_at: theirs.joined_at, terms_to_accept: null });
}

/** Expects that the pages contain nothing of another partner, a payment or a click. */
async function expectIsolation(its: Program, own: Partner, other: Partner, theirs: readonly Row[]): Promise<void> {
  const urls = ['', '/performance', '/balance', '/codes', '/customers', '/commissions', '/payouts'];
  const single = theirs.map(({ id }) => `/commissions/${String(id)}`);
  const texts = await Promise.all(
    ['/overview', ...[...urls, ...single].map((url) => `${its.own.path}${url}`)].map(async (url) =>
      JSON.stringify((await own.user.get(url, its.at())).body),
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
    ...its.coded.map(({ id }) => `_${id}`),
  ]) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
  const foreign = await rowsOf(its, its.own.owner, `${its.own.path}/commissions?partner_id=${brand.partner.id}`);
  const statuses = await Promise.all(
    foreign.map(async ({ id }) => (await own.user.get(`${its.own.path}/commissions/${String(id)}`, its.at())).status),
  );
  expect(new Set([404, ...statuses])).toEqual(new Set([404]));
}

const histories = fc.array(anyStep, { minLength: 12, maxLength: 36, size: 'max' });

const soldBy = (who: number, cents: number) =>
  ({ do: 'sale', partner: who, by: 'click', customer: 0, euros: false, renewal: false, cents }) as const;

/** A history with rare states: a moved sale, a held partner, and a partner who was held at an older payout. */
const rare: [Settings, Step[]] = [
  { code_precedence: 'link_first', lead_commission_cents: 0, auto_approve: true, hold_period_days: 0 },
  [
    { do: 'details', partner: 0, isInterrupted: false },
    { do: 'details', partner: 1, isInterrupted: false },
    soldBy(0, 5_000),
    soldBy(0, 3_000),
    { do: 'pay' },
    { do: 'refund', sale: 0, percent: 50, reason: 'refund' },
    { do: 'invoice', partner: 1 },
    { do: 'checkout', customer: 0, beside: 'nothing' },
    soldBy(1, 4_000),
    soldBy(1, 2_000),
    { do: 'details', partner: 0, isInterrupted: false },
    { do: 'details', partner: 1, isInterrupted: true },
    { do: 'details', partner: 1, isInterrupted: false },
    { do: 'terms' },
  ],
];

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
        await expectSameBalance(its, own, theirs);
        await expectSamePerformance(its, own);
        await expectExactNet(its, own, theirs);
        await expectSameCustomers(its, own);
        await expectSamePayouts(its, own);
        await expectSamePerson(its, own);
        await expectIsolation(its, own, other, theirs);
      }
    }),
    { numRuns, examples: [rare] },
  );

it('after a generated history of events, each amount in a partner’s portal equals the brand’s amount for that partner', async () => {
  await expect(whatPartnersSeeIsWhatTheBrandSees(1)).resolves.toBeUndefined();
}, 120_000);

it(
  'after many more generated histories of events, each amount in a partner’s portal equals the brand’s amount for that partner',
  { tags: ['deep'], timeout: 900_000 },
  async () => {
    await expect(whatPartnersSeeIsWhatTheBrandSees(20)).resolves.toBeUndefined();
  },
);
