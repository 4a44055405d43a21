import { describe, expect, it } from 'vitest';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import {
  anotherPartner,
  browserLead,
  clicked,
  settledLead,
  sold,
  unlinkPartner,
} from '#test/support/payments/lives/journeys.ts';
import { paid, saleOf } from '#test/support/payments/payers.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { type SentCall, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { counted } from '#test/support/table/stream.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { pageReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();

const minute = (n: number) => new Date(NOW.getTime() + n * 60_000);
const time = (n: number) => minute(n).toISOString();
const at = (n: number) => ({ at: minute(n) });

const row = ({ partner, shortLink }: Pick<OwnedBrand, 'partner' | 'shortLink'>, fields: object) => ({
  customer_key: null,
  status: 'click',
  lead_state: null,
  email_masked: null,
  source: 'click',
  code: null,
  first_click_at: time(0),
  signup_at: null,
  first_purchase_at: null,
  partner_id: partner.id,
  partner_name: partner.name,
  short_link: shortLink,
  amounts: {},
  ...fields,
});

const listed = async ({ owner, path }: OwnedBrand, query = '') =>
  (await everyPage(owner, `${path}/customers${query}`)).flat().map((customer) => customer.click_id);

describe('GET /programs/{id}/customers answers 200', () => {
  it('and lists customers who signed up or paid, newest first', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Ben');
    await clicked(own);
    const [paying, leading] = [await clicked(own), await clicked(ben)];
    await sold(own, { transaction_id: 'c1', click_id: paying, customer_key: 'payer' }, at(1));
    await settledLead(own, { click_id: leading, customer_key: 'leader', email: 'lea@customers.test' }, at(2));
    await sold(own, { transaction_id: 'c2', customer_key: 'payer' }, at(3));
    const payer = row(own, {
      click_id: paying,
      customer_key: 'payer',
      status: 'conversion',
      first_purchase_at: time(1),
    });
    const leader = row(ben, {
      click_id: leading,
      customer_key: 'leader',
      status: 'lead',
      lead_state: 'settled',
      email_masked: 'l***@customers.test',
      signup_at: time(2),
    });
    const reply = (buyer: object, calls: number) => pageReply([leader, buyer], calls, minute(4));
    // Nothing is counted yet.
    expect(await own.owner.get(`${own.path}/customers`, at(4))).toEqual(reply(payer, 1));
    await counted(world);
    const amounts = { USD: { revenue_cents: 9800, refunded_cents: 0, commission_cents: 1960 } };
    expect(await own.owner.get(`${own.path}/customers`, at(4))).toEqual(reply({ ...payer, amounts }, 2));
    expect(await listed(own, '?status=lead')).toEqual([leading]);
    expect(await listed(own, '?status=conversion')).toEqual([paying]);
    expect(await listed(own, '?status=click')).toEqual([]);
    expect(await listed(own, `?partner_id=${own.partner.id}`)).toEqual([paying]);
    expect(await listed(own, `?partner_id=${ben.partner.id}&status=conversion`)).toEqual([]);
    expect(await listed(own, '?partner_id=nobody')).toEqual([]);
    const { token } = await memberOf(world, { id: own.program.workspaceId });
    expect(await listed({ ...own, owner: dashboard(token) })).toEqual([leading, paying]);
  });

  it('and lists each customer once, at the time of the lead or, without a lead, of the first sale', async () => {
    const own = await ownedBrand(world);
    const [first, second, third] = [await clicked(own), await clicked(own), await clicked(own)];
    await browserLead({ click_id: first, program_id: own.program.id }, at(1));
    await sold(own, { transaction_id: 'once1', click_id: second }, at(2));
    await sold(own, { transaction_id: 'once2', click_id: third }, at(3));
    expect(await listed(own)).toEqual([third, second, first]);
    await settledLead(own, { click_id: first, customer_key: 'once' }, at(4));
    await sold(own, { transaction_id: 'once3', customer_key: 'once' }, at(5));
    expect(await listed(own)).toEqual([third, second, first]);
    expect(await listed(own, '?limit=1')).toEqual([third, second, first]);
  });

  it('and lists customers who paid through Stripe and unlinked customers, but no tests', async () => {
    const own = await ownedBrand(world);
    await directEndpoint(world, own);
    const [paying, unlinked, taken] = [await clicked(own), await clicked(own), await clicked(own)];
    await sold(own, { transaction_id: 'test1', additional_data: { test_mode: true } });
    await settledLead(own, { click_id: unlinked, additional_data: { test_mode: true } });
    await settledLead(own, { click_id: taken, customer_key: 'taken' }, at(1));
    await unlinkPartner(world, own, taken, 'taken');
    await settledLead(own, { click_id: unlinked, customer_key: 'unlinked' }, at(2));
    await own.owner.post(`${own.path}/customers/${unlinked}/unlink`, { reason: 'Another person' });
    await deliver(own, paid('listed1', { customer: 'cus_listed', metadata: { service_click_id: paying } }));
    await deliver(own, paid('listed2', { customer: 'cus_listed' }));
    const all = await listed(own);
    expect(all).toHaveLength(3);
    expect(new Set(all)).toEqual(new Set([paying, unlinked, taken]));
    const { body } = await own.owner.get(`${own.path}/customers`);
    expect(body.data.find((one: { click_id: string }) => one.click_id === taken)).toMatchObject({
      partner_id: null,
      partner_name: null,
    });
  });

  it('and lists a customer once even if the commissions of the first sales could not be computed', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    const { table } = world.deps();
    await sold(own, { transaction_id: 'waited2', click_id: clickId }, at(2));
    const converting = await saleOf(world, 'waited2');
    const waiting = { ...converting, id: 1, transactionId: 'waited1', createdAt: time(1), occurredAt: time(1) };
    const place = indexKeys.event(own.program.id, 'sale', 'EVENTS', time(1), 1);
    await table.put(keys.sale('waited1'), { ...waiting, ...place });
    expect(await listed(own)).toEqual([clickId]);
  });

  it('and finds customers among many renewals page by page, with a bounded number of reads', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    await sold(own, { transaction_id: `first-${own.program.id}`, click_id: clickId });
    const first = await saleOf(world, `first-${own.program.id}`);
    const attribution = { ...(first?.attribution as object), window: undefined };
    const { table } = world.deps();
    const renewals = Array.from({ length: 600 }, (_, index) => 1_000 + index);
    await Promise.all(
      renewals.map((n) => {
        const transactionId = `renewal-${own.program.id}-${n}`;
        const place = indexKeys.event(own.program.id, 'sale', 'EVENTS', time(n), n);
        const renewal = { ...first, id: n, transactionId, attribution, createdAt: time(n), occurredAt: time(n) };
        return table.put(keys.sale(transactionId), { ...renewal, ...place });
      }),
    );
    let body;
    const calls = await sentCalls(async () => {
      ({ body } = await own.owner.get(`${own.path}/customers`));
    });
    expect(body).toEqual({ data: [], meta: { next_cursor: expect.any(String) } });
    expect(unitsOf(calls).read).toBeLessThan(500);
    expect(keysRead(calls, 'COUNTER#')).toEqual([]);
    expect(await everyPage(own.owner, `${own.path}/customers`)).toMatchObject([[], [{ click_id: clickId }]]);
  });
});

/** The keys with this prefix that were read one by one. */
const keysRead = (calls: readonly SentCall[], prefix: string): string[] =>
  calls
    .flatMap(({ input }) => Object.values((input.RequestItems ?? {}) as Record<string, { Keys: { pk: string }[] }>))
    .flatMap(({ Keys }) => Keys.map(({ pk }) => pk).filter((pk) => pk.startsWith(prefix)));

it('GET /programs/{id}/customers reads only the counters of the customers on its page', async () => {
  const own = await ownedBrand(world);
  const clickIds: string[] = [];
  for (let n = 0; n < 30; n++) {
    clickIds.push(await clicked(own));
    await sold(own, { transaction_id: `page-${own.program.id}-${n}`, click_id: clickIds[n] }, at(n));
  }
  await counted(world);
  let rows: { click_id: string }[] = [];
  const calls = await sentCalls(async () => {
    rows = (await own.owner.get(`${own.path}/customers?limit=25`)).body.data;
  });
  expect(rows.map(({ click_id }) => click_id)).toEqual(clickIds.toReversed().slice(0, 25));
  const amounts = { USD: { revenue_cents: 4900, refunded_cents: 0, commission_cents: 980 } };
  expect(rows).toEqual(rows.map((one) => ({ ...one, amounts })));
  expect(keysRead(calls, 'COUNTER#')).toHaveLength(25);
  // One more customer and one more sale are read, to see whether there is a next page.
  expect([keysRead(calls, 'CUSTOMER#').length, keysRead(calls, 'SALE#').length]).toEqual([26, 26]);
  const others = 15;
  expect(unitsOf(calls).read).toBeLessThan(25 + 26 + 26 + others);
});

describe('GET /programs/{id}/customers/{click_id} answers 200', () => {
  it('and shows a customer who has only clicked', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    const { body } = await own.owner.get(`${own.path}/customers/${clickId}`);
    expect(body.data).toEqual({
      customer: row(own, { click_id: clickId }),
      clicks: [expect.objectContaining({ at: time(0), first: true })],
      lead: null,
      sales: [],
      refunds: [],
      commissions: [],
      timeline: [{ at: time(0), kind: 'click', text: `First click through link ${own.shortLink} (Ana)` }],
    });
  });
});

const from = (own: OwnedBrand, url: string) => own.owner.get(`${own.path}/customers${url}`);

describe('a request about customers that is refused', () => {
  it('answers 400 for an unknown status', async () => {
    const message = 'Invalid status: stranger. Valid: click, lead, conversion';
    expect(await from(await ownedBrand(world), '?status=stranger')).toMatchObject(refusal(400, message));
  });

  it('answers 404 for a customer that the program does not have', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    const unknown = ['clk_nobody', 'CUSTOMER%231', '%00', 'x'.repeat(10_000), await clicked(other)];
    for (const clickId of unknown) {
      const reply = await from(own, `/${clickId}`);
      expect([reply.status, reply.body]).toEqual([404, platformError(404, 'Customer not found')]);
    }
  });
});
