import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { cleoWithCode, givenCode } from '#test/support/programs/codes.ts';
import { HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { anotherPartner, clicked, settledLead, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let own: OwnedBrand;
let ana: ReturnType<typeof portal>;
let path: string;
beforeAll(async () => {});
beforeEach(async () => {
  own = await ownedBrand(world);
  const { token } = await signedInAs(world, 'ana@partners.test');
  ana = portal(token);
  ({ path } = own);
});

const ok = (body: object) => ({ status: 200, headers: expect.anything(), body });
const read = async (url: string, at = NOW) => (await ana.get(`${path}${url}`, { at })).body.data;
const name = (text: string) => `${text} of ${own.program.id}`;
const day = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

const linkOf = ({ link }: { readonly link: string | null }) => link;
const linksOf = async (query: string) => (await read(`/customers${query}`)).map(linkOf);

/** A commission of 980 for a new sale of 4900. */
const commission = (id: number, changes: object = {}) => ({
  id,
  kind: 'sale',
  status: 'pending',
  amount_cents: 980,
  deducted_cents: 0,
  payable_cents: 980,
  currency: 'USD',
  base_amount_cents: 4900,
  occurred_at: NOW.toISOString(),
  hold_until: HOLD_OVER.toISOString(),
  approved_at: null,
  paid_at: null,
  payout_id: null,
  rejection_reason: null,
  by_hand: false,
  reversal_reason: null,
  payout_status: null,
  ...changes,
});

async function sale(text: string, at = NOW, body: object = {}): Promise<number> {
  await signedUp(own, name(text), { at });
  const { commission_id: id } = await sold(
    own,
    { transaction_id: name(text), customer_key: name(text), ...body },
    { at },
  );
  return id;
}

async function paid(at: Date): Promise<number> {
  return (await own.owner.post(`${path}/payouts`, {}, { at })).body.data.id;
}

describe('GET /performance', () => {
  it('shows the daily figures of this partner', async () => {
    const ben = { ...own, ...(await anotherPartner(world, own, `Ben${own.program.id}`)) };
    await sale('one');
    await clicked(ben);
    await counted(world);
    const amounts = {
      USD: { revenue_cents: 4900, refunded_cents: 0, commission_cents: 980, rejected_cents: 0 },
    };
    const totals = { clicks: 1, leads: 1, sales: 1, amounts };
    const none = { clicks: 0, leads: 0, sales: 0, amounts: {} };
    expect(await ana.get(`${path}/performance?from=2026-11-19&to=2026-11-20`)).toEqual(
      dataReply({
        from: '2026-11-19',
        to: '2026-11-20',
        days: [
          { date: '2026-11-19', ...none },
          { date: '2026-11-20', ...totals },
        ],
        totals,
        previous: { from: '2026-11-17', to: '2026-11-18', totals: none },
      }),
    );
    expect((await ana.get(`${path}/performance?from=x`)).body).toEqual(
      platformError(400, 'from must be a date (YYYY-MM-DD)'),
    );
  });
});

describe('GET /balance', () => {
  it('shows the pending, approved and paid amounts, and the days when pending amounts become due', async () => {
    expect(await read('/balance')).toEqual({});
    await sale('one');
    await sale('two', day(1));
    await sale('three', day(1), { currency: 'EUR' });
    const amounts = {
      in_review_cents: 0,
      approved_cents: 0,
      restored_cents: 0,
      paid_cents: 0,
      on_the_way_cents: 0,
      held_cents: 0,
      withheld_cents: 0,
      next_payout: null,
    };
    expect(await read('/balance', day(2))).toEqual({
      EUR: { ...amounts, pending_cents: 980, next: [{ on: '2026-12-06', amount_cents: 980 }] },
      USD: {
        ...amounts,
        pending_cents: 1960,
        next: [
          { on: '2026-12-05', amount_cents: 980 },
          { on: '2026-12-06', amount_cents: 980 },
        ],
      },
    });
    await refunded(own, { transaction_id: name('one'), refund_amount_cents: 2450 }, day(2));
    expect((await read('/balance', day(15))).USD).toMatchObject({
      pending_cents: 980,
      approved_cents: 490,
      next: [{ on: '2026-12-06', amount_cents: 980 }],
    });
    await paid(day(15));
    await counted(world);
    expect((await read('/balance', day(15))).USD).toMatchObject({
      approved_cents: 0,
      paid_cents: 490,
      on_the_way_cents: 490,
    });
  });

  it('shows how much the next payouts withhold because paid commissions were refunded', async () => {
    await sale('one');
    await paid(day(15));
    await sale('two', day(15));
    await refunded(own, { transaction_id: name('one'), refund_amount_cents: 2450 }, day(16));
    expect((await read('/balance', day(31))).USD).toMatchObject({ approved_cents: 980, withheld_cents: 490 });
    await paid(day(31));
    await counted(world);
    expect((await read('/balance', day(31))).USD).toMatchObject({ approved_cents: 0, withheld_cents: 0 });
  });

  it('shows no due day if the program approves commissions only by hand', async () => {
    await own.owner.patch(path, { auto_approve: false });
    await sale('one');
    expect((await read('/balance', day(20))).USD).toMatchObject({ pending_cents: 980, next: [] });
  });
});

describe('GET /codes', () => {
  it('lists the coupon codes of this partner', async () => {
    await cleoWithCode(world, own);
    await givenCode(world, own, { code: 'ANA5' });
    expect(await read('/codes')).toEqual([
      {
        code: 'ANA5',
        partner_id: own.partner.id,
        partner_name: 'Ana',
        status: 'active',
        processor_code_id: null,
        discount: null,
        redemptions: 0,
        sales: 0,
        created_at: NOW.toISOString(),
      },
    ]);
  });
});

const customer = (changes: object = {}) => ({
  id: expect.stringMatching(/^cus_[\w-]{22}$/),
  first_click_at: NOW.toISOString(),
  signup_at: NOW.toISOString(),
  first_purchase_at: null,
  status: 'lead',
  link: own.shortLink,
  email_masked: null,
  amounts: {},
  ...changes,
});

describe('GET /customers', () => {
  it('lists customers who signed up or paid, newest first, without data that identify them', async () => {
    await clicked(own);
    const clickId = await clicked(own);
    await settledLead(own, { click_id: clickId, customer_key: name('key'), email: 'jo@example.com' });
    await sale('buyer', day(1));
    await counted(world);
    const found = await read('/customers');
    const at = day(1).toISOString();
    expect(found).toEqual([
      customer({
        first_click_at: at,
        signup_at: at,
        first_purchase_at: at,
        status: 'conversion',
        amounts: { USD: { revenue_cents: 4900, refunded_cents: 0, commission_cents: 980 } },
      }),
      customer(),
    ]);
    await world.deps().table.update(keys.program(own.program.id), { set: { shareCustomerEmails: true } });
    expect((await read('/customers'))[1]).toEqual({ ...found[1], email_masked: 'j***@example.com' });
    await sold(own, { transaction_id: name('direct'), click_id: await clicked(own) }, { at: day(2) });
    expect((await read('/customers'))[0]).toMatchObject({ status: 'conversion', signup_at: null, email_masked: null });
  });

  it('filters customers by the link that brought them, and a cursor continues only the same filter', async () => {
    const { shortLink: first } = own;
    const made = { partner_id: own.partner.id, short_link: `second-${own.program.id}` };
    const { data: second } = (await own.owner.post(`${path}/links`, made)).body;
    await sale('first');
    await sale('also first', day(1));
    await signedUp({ ...own, affiliateUrl: second.url }, name('second'), { at: day(2) });
    expect(await linksOf('')).toEqual([second.short_link, first, first]);
    expect(await linksOf(`?short_link=${second.short_link}`)).toEqual([second.short_link]);
    expect(await linksOf('?short_link=unknown')).toEqual([]);
    const { data, meta } = (await ana.get(`${path}/customers?short_link=${first}&limit=1`)).body;
    const rest = `short_link=${first}&cursor=${meta.next_cursor}`;
    expect([...data.map(linkOf), ...(await linksOf(`?${rest}`))]).toEqual([first, first]);
    expect((await ana.get(`${path}/customers?cursor=${meta.next_cursor}`)).status).toBe(400);
  });

  it('lists a customer whom a coupon code moved to this partner, with only what this partner earned', async () => {
    await own.owner.patch(path, { code_precedence: 'code_first', lead_commission_cents: 500 });
    const cleo = await cleoWithCode(world, own);
    await signedUp(own, name('moved'));
    await counted(world);
    const [before] = await read('/customers');
    expect(before.amounts).toEqual({ USD: { revenue_cents: 0, refunded_cents: 0, commission_cents: 500 } });
    await sold(own, { transaction_id: name('moved'), customer_key: name('moved'), coupon_code: 'SAVE10' });
    await counted(world);
    expect(await read('/customers')).toEqual([]);
    const cleos = portal((await signedInAs(world, cleo.partner.email)).token);
    const asCleo = await cleos.get(`${path}/customers`);
    // The former partner's link cannot be found by trying names.
    expect((await cleos.get(`${path}/customers?short_link=${before.link}`)).body.data).toEqual([]);
    expect(asCleo.body.data).toEqual([
      customer({
        first_purchase_at: NOW.toISOString(),
        status: 'conversion',
        link: null,
        amounts: { USD: { revenue_cents: 4900, refunded_cents: 0, commission_cents: 980 } },
      }),
    ]);
    expect(asCleo.body.data[0].id).not.toBe(before.id);
    // The commission for the lead is still listed.
    expect(await read('/commissions')).toMatchObject([{ kind: 'lead', amount_cents: 500 }]);
  });

  it('does not list to the former partner a customer who became a lead there and was then moved', async () => {
    await own.owner.patch(path, { code_precedence: 'code_first', lead_commission_cents: 500 });
    const cleo = await cleoWithCode(world, own);
    await signedUp(own, name('moved'));
    await sold(own, {
      transaction_id: name('euro'),
      customer_key: name('moved'),
      coupon_code: 'SAVE10',
      currency: 'EUR',
    });
    await counted(world);
    const asCleo = await portal((await signedInAs(world, cleo.partner.email)).token).get(`${path}/customers`);
    expect(asCleo.body.data[0].amounts).toEqual({
      EUR: { revenue_cents: 4900, refunded_cents: 0, commission_cents: 980 },
    });
  });
});

describe('GET /commissions', () => {
  it('lists pending and reversed commissions together, newest first, page by page', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) ids.push(await sale(`page${n}`, new Date(NOW.getTime() + n)));
    await refunded(own, { transaction_id: name('page1') }, day(1));
    await refunded(own, { transaction_id: name('page4') }, day(1));
    const pages: number[][] = [];
    let cursor = '';
    do {
      const { body } = await ana.get(`${path}/commissions?limit=2${cursor}`);
      pages.push(body.data.map(({ id }: { id: number }) => id));
      cursor = body.meta.next_cursor ? `&cursor=${body.meta.next_cursor}` : '';
    } while (cursor);
    expect(pages.flat()).toEqual(ids.toReversed());
    expect(pages.every((page) => page.length <= 2)).toBe(true);
    expect(await read('/commissions?limit=100')).toMatchObject(ids.toReversed().map((id) => ({ id })));
  });

  it('filters the commissions by their current status', async () => {
    const [first, second] = [await sale('first'), await sale('second', day(1))];
    await refunded(own, { transaction_id: name('second') }, day(2));
    expect(await read('/commissions?status=pending')).toEqual([commission(first)]);
    const approved = { status: 'approved', approved_at: HOLD_OVER.toISOString() };
    expect(await read('/commissions?status=approved', HOLD_OVER)).toEqual([commission(first, approved)]);
    expect(await read('/commissions?status=reversed')).toMatchObject([{ id: second, reversal_reason: 'refund' }]);
    expect(await ana.get(`${path}/commissions?status=none`)).toMatchObject({ status: 400 });
    expect(await read('/commissions?status=in_review')).toEqual([]);
    expect(await ana.get(`${path}/commissions?status=held`)).toMatchObject({ status: 400 });
  });
});

const inPayout = async (payoutId: unknown, query = '') => read(`/commissions?payout_id=${String(payoutId)}${query}`);
const paidIn = (rows: readonly { id: number; paid_in_payout_cents: number }[]) =>
  rows.map(({ id, paid_in_payout_cents: cents }) => [id, cents]);

describe('GET /commissions?payout_id', () => {
  it('lists the commissions of a payout with the amounts that this payout paid', async () => {
    const [first, second] = [await sale('first'), await sale('second')];
    const early = await paid(day(16));
    await refunded(own, { transaction_id: name('first'), refund_amount_cents: 2450 }, day(17));
    const third = await sale('third', day(17));
    const late = await paid(day(40));
    const settled = { status: 'paid', approved_at: HOLD_OVER.toISOString(), paid_at: day(16).toISOString() };
    expect(await ana.get(`${path}/commissions?payout_id=${early}`)).toEqual(
      ok({
        data: [
          commission(second, { ...settled, payout_id: early, payout_status: 'recorded', paid_in_payout_cents: 980 }),
          commission(first, {
            ...settled,
            deducted_cents: 490,
            payable_cents: 490,
            payout_id: early,
            payout_status: 'recorded',
            paid_in_payout_cents: 980,
          }),
        ],
        meta: { next_cursor: null },
      }),
    );
    expect(paidIn(await inPayout(late))).toEqual([
      [third, 980],
      [first, -490],
    ]);
    expect(await inPayout(early, '&status=reversed')).toEqual([]);
    for (const [id, sum] of [
      [early, 1960],
      [late, 490],
    ]) {
      expect(await read(`/payouts?payout_id=${id}`)).toMatchObject([{ id, amount_cents: sum }]);
    }
  });

  it('lists all commissions of a large payout page by page, in every currency', async () => {
    const euros = await sale('euros', NOW, { currency: 'EUR' });
    const many = { status: 'approved', approvedAt: NOW.toISOString() } as const;
    await manyCommissions(world, own.program.id, own.partner.id, 150, (n) => `part ${own.program.id} ${n}`, many);
    const payoutId = await paid(day(16));
    const all: number[] = [];
    let cursor = '';
    do {
      const { body } = await ana.get(`${path}/commissions?payout_id=${payoutId}&limit=60${cursor}`);
      all.push(...body.data.map(({ id }: { id: number }) => id));
      cursor = body.meta.next_cursor ? `&cursor=${body.meta.next_cursor}` : '';
    } while (cursor);
    const parts = await read(`/payouts?payout_id=${payoutId}`);
    const ids: number[] = parts.flatMap(({ commission_ids: of }: { commission_ids: number[] }) => of);
    expect(ids).toHaveLength(151);
    expect(ids).toContain(euros);
    expect(all).toEqual(ids.toSorted((a, b) => b - a));
    const { body } = await ana.get(`${path}/payouts?payout_id=${payoutId}&limit=1`);
    expect(body.data).toEqual(parts.slice(0, 1));
    expect(await read(`/payouts?payout_id=${payoutId}&cursor=${body.meta.next_cursor}`)).toEqual(parts.slice(1));
  });

  it('is empty for a payout that does not pay this partner, belongs to another program or has an invalid id', async () => {
    const ben = { ...own, ...(await anotherPartner(world, own, `Ben${own.program.id}`)) };
    await signedUp(ben, name('ben'));
    await sold(ben, { transaction_id: name('ben'), customer_key: name('ben') });
    const ofBen = await paid(day(16));
    const other = await ownedBrand(world);
    await signedUp(other, name('other'));
    await sold(other, { transaction_id: name('other'), customer_key: name('other') });
    const { body } = await other.owner.post(`${other.path}/payouts`, {}, { at: day(16) });
    for (const id of [ofBen, body.data.id, 999_999_999, 0, 'x']) {
      expect(await inPayout(id)).toEqual([]);
      expect(await read(`/payouts?payout_id=${id}`)).toEqual([]);
    }
    expect(await ana.get(`${path}/commissions?payout_id=${ofBen}&cursor=x`)).toMatchObject({ status: 400 });
  });
});

describe('GET /commissions/{commission_id}', () => {
  it('explains the commission in sentences that name neither the payment nor other people', async () => {
    const ben = { ...own, ...(await anotherPartner(world, own, `Ben${own.program.id}`)) };
    const clickId = await clicked(own);
    await clicked(ben, { at: day(1) });
    await settledLead(own, { click_id: clickId, customer_key: name('why') }, { at: day(3) });
    const bought = { transaction_id: name('why'), customer_key: name('why') };
    const { commission_id: id } = await sold(own, bought, { at: day(4) });
    await refunded(own, { transaction_id: name('why'), refund_amount_cents: 2450 }, day(5));
    const payoutId = await paid(day(19));
    const { why, ...row } = await read(`/commissions/${id}`, day(20));
    expect(row).toEqual(
      commission(id, {
        status: 'paid',
        deducted_cents: 490,
        payable_cents: 490,
        occurred_at: day(4).toISOString(),
        hold_until: day(19).toISOString(),
        approved_at: day(19).toISOString(),
        paid_at: day(19).toISOString(),
        payout_id: payoutId,
        payout_status: 'recorded',
      }),
    );
    expect(why).toEqual({
      terms: {
        version: 1,
        from: 'program',
        name: own.program.name,
        text: '20% of each sale, renewals excluded. Commissions wait 15 days for refunds.',
      },
      steps: [
        { at: NOW.toISOString(), kind: 'click', text: `First click through your link ${own.shortLink}` },
        { at: day(3).toISOString(), kind: 'signup', text: 'The visitor signed up' },
        { at: day(4).toISOString(), kind: 'payment', text: 'Payment of 49.00 USD' },
        { at: day(4).toISOString(), kind: 'commission', text: 'Commission of 9.80 USD' },
        { at: day(5).toISOString(), kind: 'change', text: 'Reduced by 4.90 USD: the payment was refunded' },
        { at: day(19).toISOString(), kind: 'change', text: 'Approved: the hold is over' },
        { at: day(19).toISOString(), kind: 'change', text: `Recorded in payout ${payoutId}: 4.90 USD` },
      ],
      window: 'The signup came 3 days after the first click: within the window of 60 days.',
    });
  });

  it('explains the commission of a sale by coupon code, of a lead and of a bonus', async () => {
    await own.owner.patch(path, { lead_commission_cents: 500 });
    await givenCode(world, own, { code: 'ANA5' });
    const coded = { transaction_id: name('coded'), coupon_code: 'ana5' };
    const { commission_id: byCode } = await sold(own, coded);
    expect((await read(`/commissions/${byCode}`)).why).toMatchObject({
      steps: [{ text: 'Payment of 49.00 USD with your code ANA5' }, { text: 'Commission of 9.80 USD' }],
      window: 'A coupon code brought the customer, so the attribution window does not apply.',
    });
    await signedUp(own, name('lead'));
    const [lead] = await read('/commissions?limit=1');
    expect(await read(`/commissions/${lead.id}`)).toMatchObject({
      kind: 'lead',
      base_amount_cents: null,
      why: {
        terms: { text: '$5.00 per signup. Commissions wait 15 days for refunds.' },
        steps: [
          { kind: 'click' },
          { kind: 'signup' },
          { kind: 'commission', text: 'Commission of 5.00 USD for the signup' },
        ],
        window: null,
      },
    });
    const grant = { amount_cents: 1000, currency: 'USD', reason: 'Thank you' };
    const granted = await own.owner.post(`${path}/partners/${own.partner.id}/commissions`, grant);
    expect((await read(`/commissions/${granted.body.data.id}`)).why).toEqual({
      terms: null,
      steps: [{ at: NOW.toISOString(), kind: 'commission', text: 'Granted by the program: 10.00 USD (Thank you)' }],
      window: null,
    });
  });

  it('answers 404 for an unknown commission', async () => {
    for (const one of [999_999_999, 'x']) {
      expect((await ana.get(`${path}/commissions/${one}`)).body).toEqual(platformError(404, 'Commission not found'));
    }
  });
});

describe('GET /commissions.csv', () => {
  it('has the columns of GET /commissions in the same order', async () => {
    await own.owner.patch(path, { lead_commission_cents: 500 });
    await signedUp(own, name('lead'));
    const [lead] = await read('/commissions');
    await own.owner.patch(path, { lead_commission_cents: 0 });
    const id = await sale('csv', new Date(NOW.getTime() + 1));
    const { status, headers, body } = await ana.get(`${path}/commissions.csv`);
    expect([status, headers['Content-Disposition']]).toEqual([
      200,
      `attachment; filename="commissions-${own.program.id}.csv"`,
    ]);
    const rows = [{ ...(await read('/commissions?limit=1'))[0] }, lead];
    expect(rows[0].id).toBe(id);
    const columns = Object.keys(commission(id)).filter((field) => field !== 'by_hand');
    const lines = rows.map((row) => columns.map((field) => (row[field] as string | number | null) ?? ''));
    const decimals = ['amount', 'deducted', 'payable', 'base_amount'];
    const decimalsOf = (row: Record<string, unknown>) =>
      decimals.map((field) => {
        const cents = row[`${field}_cents`] as number | null;
        return cents === null ? '' : (cents / 100).toFixed(2);
      });
    const cellsOf = (row: Record<string, unknown>, index: number) => [...lines[index]!, ...decimalsOf(row)];
    const text = [[...columns, ...decimals], ...rows.map(cellsOf)].map((cells) => `${cells.join(',')}\r\n`);
    expect(body).toBe(text.join(''));
  });

  it('answers 400 for an invalid cursor', async () => {
    expect((await ana.get(`${path}/commissions.csv?cursor=x`)).body).toEqual(platformError(400, 'Invalid cursor'));
  });
});

const payout = (id: number, at: Date, changes: object) => ({
  id,
  created_at: at.toISOString(),
  currency: 'USD',
  amount_cents: 980,
  reference: null,
  line_id: `${own.partner.id}-USD`,
  number: `${id}-${own.partner.id}-USD`,
  status: 'recorded',
  reason: null,
  sent_at: null,
  paid_at: null,
  ...changes,
});

describe('GET /payouts', () => {
  it('lists the partner’s amount per payout and currency, newest payout first, with the payment’s reference', async () => {
    const ben = { ...own, ...(await anotherPartner(world, own, `Ben${own.program.id}`)) };
    const [euros, dollars] = [await sale('euros', NOW, { currency: 'EUR' }), await sale('dollars')];
    await signedUp(ben, name('ben'));
    await sold(ben, { transaction_id: name('ben'), customer_key: name('ben') });
    const first = await paid(day(16));
    const later = await sale('later', day(16));
    const second = await paid(day(40));
    await own.owner.patch(`${path}/payouts/${first}`, { reference: 'SEPA 17' });
    const euroLine = { line_id: `${own.partner.id}-EUR`, number: `${first}-${own.partner.id}-EUR` };
    const rows = [
      payout(second, day(40), { commission_ids: [later] }),
      payout(first, day(16), { commission_ids: [dollars], reference: 'SEPA 17' }),
      payout(first, day(16), { commission_ids: [euros], reference: 'SEPA 17', currency: 'EUR', ...euroLine }),
    ];
    expect(await ana.get(`${path}/payouts`)).toEqual(ok({ data: rows, meta: { next_cursor: null } }));
    const { body } = await ana.get(`${path}/payouts?limit=2`);
    expect(body.data).toEqual(rows.slice(0, 2));
    expect(await read(`/payouts?cursor=${body.meta.next_cursor}`)).toEqual(rows.slice(2));
  });

  it('adds up the amounts of a payout that was created in several steps', { tags: 'deep' }, async () => {
    const before = await sale('before');
    const first = await paid(day(16));
    const ids = await manyCommissions(world, own.program.id, own.partner.id, 700, (n) => name(`many ${n}`));
    const second = await paid(day(17));
    const large = { id: second, amount_cents: 70_000, commission_ids: ids };
    expect(await read('/payouts')).toMatchObject([large, { id: first, commission_ids: [before] }]);
    const { body } = await ana.get(`${path}/payouts?limit=1`);
    expect(body.data).toMatchObject([large]);
    expect(await read(`/payouts?cursor=${body.meta.next_cursor}`)).toMatchObject([{ id: first }]);
  });
});
