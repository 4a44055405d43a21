import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { anotherPartner, browserLead, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { refusedReply, pageReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const minute = (n: number) => new Date(NOW.getTime() + n * 60_000);
const time = (n: number) => minute(n).toISOString();
const AFTERWARDS = { at: minute(60) };

const rows = async (own: OwnedBrand, query = '') =>
  (await own.owner.get(`${own.path}/events?${query}`, AFTERWARDS)).body.data as Record<string, unknown>[];

describe('GET events answers 200', () => {
  it('and lists the whole history of a customer, newest first', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Ben');
    const visit = { page_url: 'https://acme.test/p', referrer_url: 'https://blog.test/' };
    const first = await send(click, { body: { affiliate_url: own.affiliateUrl, ...visit } });
    const clickId = first.body.click_id;
    await send(click, { body: { affiliate_url: ben.affiliateUrl, existing_click_id: clickId }, at: minute(1) });
    const event = { event_name: 'signup', email: 'user@example.com' };
    await settledLead(own, { click_id: clickId, customer_key: 'u1', ...event }, { at: minute(2) });
    const sale = await sold(own, { transaction_id: 'whole way', customer_key: 'u1' }, { at: minute(3) });
    const refund = { transaction_id: 'whole way', refund_amount_cents: 2450, refund_reason: 'Too slow' };
    await refunded(own, refund, minute(4));
    await refunded(own, { ...refund, refund_amount_cents: 3000, reason: 'chargeback' }, minute(5));

    const common = {
      id: expect.any(Number),
      is_test: false,
      keyed: true,
      partner_id: own.partner.id,
      partner_name: 'Ana',
      click_id: clickId,
      customer_key: 'u1',
    };
    const ofSale = { sale_id: sale.sale_id, transaction_id: 'whole way', currency: 'USD' };
    const ofRefund = { ...common, type: 'refund', ...ofSale };
    expect(await own.owner.get(`${own.path}/events`, AFTERWARDS)).toEqual(
      pageReply(
        [
          {
            ...ofRefund,
            created_at: time(5),
            reason: 'chargeback',
            refund_reason: 'Too slow',
            amount_cents: 550,
            refunded_amount_cents: 3000,
            deduction_cents: 110,
          },
          {
            ...ofRefund,
            created_at: time(4),
            reason: 'refund',
            refund_reason: 'Too slow',
            amount_cents: 2450,
            refunded_amount_cents: 2450,
            deduction_cents: 490,
          },
          {
            ...common,
            id: sale.sale_id,
            type: 'sale',
            created_at: time(3),
            transaction_id: 'whole way',
            amount_cents: 4900,
            currency: 'USD',
            source: 'api',
            occurred_at: time(3),
            is_recurring: false,
            payment_status: 'disputed',
            refunded_amount_cents: 3000,
            commission_id: sale.commission_id,
            code: null,
            version: 3,
          },
          {
            ...common,
            type: 'lead',
            created_at: time(2),
            state: 'settled',
            mode: 'server',
            event_name: 'signup',
            email_masked: 'u***@example.com',
          },
          {
            ...common,
            type: 'click',
            keyed: false,
            created_at: time(1),
            partner_id: ben.partner.id,
            partner_name: 'Ben',
            short_link: ben.shortLink,
            page_url: null,
            referrer_url: null,
            first: false,
            quality: 'ok',
          },
          {
            ...common,
            type: 'click',
            keyed: false,
            created_at: time(0),
            short_link: own.shortLink,
            ...visit,
            first: true,
            quality: 'ok',
          },
        ],
        1,
        minute(60),
      ),
    );
  });

  it('and lists a provisional lead that was settled later as one event with the state settled', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    await browserLead({ click_id: clickId, customer_key: 'claimed' }, { at: minute(1) });
    const provisional = {
      created_at: time(1),
      state: 'provisional',
      mode: 'browser',
      keyed: false,
      customer_key: null,
    };
    expect(await rows(own, 'type=lead')).toMatchObject([provisional]);
    await settledLead(own, { click_id: clickId, customer_key: 'real' }, { at: minute(2) });
    expect(await rows(own, 'type=lead')).toMatchObject([
      { created_at: time(1), state: 'settled', mode: 'server', keyed: true, customer_key: 'real' },
    ]);
  });

  it('and lists test events, with and without the program key, and test sales only if include_test is sent', async () => {
    const own = await ownedBrand(world);
    const test = (more: object = {}) => ({ additional_data: { test_mode: true, program_id: own.program.id }, ...more });
    await send(click, { body: test({ affiliate_url: own.affiliateUrl, page_url: 'https://acme.test/t' }) });
    await send(lead, { body: test({ customer_key: 't1', event_name: 'trial' }), key: own.key, at: minute(1) });
    const { body } = await own.owner.get(`${own.path}/events`, AFTERWARDS);
    expect(body).toEqual({ data: [], meta: { next_cursor: null } });
    await sold(own, { transaction_id: 'test sale', customer_key: 't1', ...test() }, { at: minute(2) });

    const common = {
      id: expect.any(Number),
      is_test: true,
      keyed: true,
      partner_id: null,
      partner_name: null,
      click_id: null,
      customer_key: 't1',
    };
    const all = await rows(own, 'include_test=true');
    expect(all).toEqual([
      {
        ...common,
        type: 'sale',
        created_at: time(2),
        transaction_id: 'test sale',
        amount_cents: 4900,
        currency: 'USD',
        source: 'api',
        occurred_at: time(2),
        is_recurring: false,
        payment_status: 'paid',
        refunded_amount_cents: 0,
        commission_id: null,
        code: null,
        version: 1,
      },
      {
        ...common,
        type: 'lead',
        created_at: time(1),
        state: null,
        mode: 'server',
        event_name: 'trial',
        email_masked: null,
      },
      {
        ...common,
        type: 'click',
        keyed: false,
        customer_key: null,
        created_at: time(0),
        short_link: null,
        page_url: 'https://acme.test/t',
        referrer_url: null,
        first: false,
        quality: 'ok',
      },
    ]);
    expect(await rows(own, 'include_test=1&type=sale')).toEqual([all[0]]);
    expect(await rows(own, 'include_test=yes')).toEqual([]);
  });

  it('and filters by the day of recording; the first and the last day are inclusive', async () => {
    const own = await ownedBrand(world);
    const at = [
      '2026-11-19T23:59:59.999Z',
      '2026-11-20T00:00:00.000Z',
      '2026-11-20T23:59:59.999Z',
      '2026-11-21T00:00:00.000Z',
    ];
    for (const moment of at) await clicked(own, { at: new Date(moment) });
    const shown = async (query: string) => (await rows(own, query)).map((row) => row.created_at);
    expect(await shown('from=2026-11-20&to=2026-11-20')).toEqual([at[2], at[1]]);
    expect(await shown('from=2026-11-20')).toEqual([at[3], at[2], at[1]]);
    expect(await shown('to=2026-11-19')).toEqual([at[0]]);
    expect(await shown('from=2026-11-22&to=9999-12-31')).toEqual([]);
    const pages = await everyPage(own.owner, `${own.path}/events?from=2026-11-20&to=2026-11-20&limit=1`);
    expect(pages.flat().map((row) => row.created_at)).toEqual([at[2], at[1]]);
  });
});

describe('the pages of a list with clicks, leads and sales', () => {
  it('show every event once and in one order, even if several events have the same time', async () => {
    const own = await ownedBrand(world);
    const test = { additional_data: { test_mode: true, program_id: own.program.id } };
    for (let n = 0; n < 4; n++) {
      const clickId = await clicked(own);
      await settledLead(own, { click_id: clickId, customer_key: `merged ${n}` });
      await sold(own, { transaction_id: `merged ${n}`, customer_key: `merged ${n}` });
      await refunded(own, { transaction_id: `merged ${n}` });
      await send(click, { body: test });
      await send(lead, { body: test, key: own.key });
    }
    const whole = await rows(own, 'include_test=1&limit=100');
    expect(whole).toHaveLength(24);
    for (const limit of [1, 2, 5, 7, 23, 24]) {
      const pages = await everyPage(own.owner, `${own.path}/events?include_test=1&limit=${limit}`);
      expect(pages.flat()).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(24 / limit));
    }
  });

  it('continue at the same event if new events are recorded between two pages', async () => {
    const own = await ownedBrand(world);
    for (let n = 0; n < 3; n++) await clicked(own, { at: minute(n) });
    const first = await own.owner.get(`${own.path}/events?limit=2`, AFTERWARDS);
    await clicked(own, { at: minute(9) });
    const rest = await rows(own, `limit=2&cursor=${first.body.meta.next_cursor}`);
    expect(rest.map((row) => row.created_at)).toEqual([time(0)]);
  });
});

describe('GET events answers 400', () => {
  it.each([
    ['type=view', 'Invalid type: view. Valid: click, lead, sale, refund'],
    ['type=view&from=x&limit=0', 'Invalid type: view. Valid: click, lead, sale, refund'],
  ])('to the query ?%s, with the message “%s”', async (query, message) => {
    const own = await ownedBrand(world);
    expect(await own.owner.get(`${own.path}/events?${query}`)).toEqual(refusedReply(400, message));
  });
});

const day = (n: number) => new Date(NOW.getTime() + n * 86_400_000);
const sent = (own: OwnedBrand, key: string | undefined, at: Date) =>
  send(click, { key, at, body: { additional_data: { test_mode: true, program_id: own.program.id } } });
const listed = async (own: OwnedBrand, query: string, at: Date) =>
  (await own.owner.get(`${own.path}/events?include_test=1${query}`, { at })).body;

describe('a test event that was sent without a valid program key', () => {
  it('is listed for 30 days; after that, it leaves no gap in the pages', async () => {
    const own = await ownedBrand(world);
    const oldest = await sent(own, own.key, day(0));
    for (let n = 1; n <= 3; n += 1) await sent(own, undefined, new Date(day(0).getTime() + n));
    const newest = await sent(own, own.key, day(1));
    const last = new Date(day(30).getTime() - 1_000);
    expect((await listed(own, '', last)).data).toHaveLength(5);
    const later = new Date(day(30).getTime() + 1_000);
    const left = [newest, oldest].map(({ body }) => expect.objectContaining({ id: body.data.eventId, keyed: true }));
    expect(await listed(own, '', later)).toEqual({ data: left, meta: { next_cursor: null } });
    expect(await listed(own, '&limit=2', later)).toEqual({ data: left, meta: { next_cursor: null } });
  });

  it('is not listed after its 30 days, whether DynamoDB has removed it or not', async () => {
    const own = await ownedBrand(world);
    const { body } = await sent(own, undefined, day(0));
    const key = keys.testEvent(body.data.eventId);
    expect(await world.deps(new Date(day(30).getTime() - 1)).table.get(key)).toMatchObject({ keyed: false });
    expect(await world.deps(day(30)).table.get(key)).toBeUndefined();
  });

  it('stays listed if a former version of the service stored it without an expiry', async () => {
    const own = await ownedBrand(world);
    const { body } = await sent(own, undefined, day(0));
    await world.deps().table.update(keys.testEvent(body.data.eventId), { set: { expires_at: undefined } });
    expect((await listed(own, '', day(31))).data).toMatchObject([{ id: body.data.eventId, keyed: false }]);
  });
});
