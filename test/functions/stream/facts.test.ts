import { beforeEach, describe, expect, it } from 'vitest';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { runVerificationChain } from '#lib/service/reports/trial/run-verification-chain.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { nameClick, codedScene, sellByCode } from '#test/support/payments/clicked-and-coded.ts';
import { HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { dashboard, type Dashboard } from '#test/support/callers/dashboard.ts';
import { factPump } from '#test/support/outbox/facts.ts';
import { browserLead, changeProgram, clicked, settledLead, soldTo } from '#test/support/payments/lives/journeys.ts';
import { paid, visitor } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import {
  deliver,
  deliverAt,
  directEndpoint,
  dispute,
  openProcessor,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { sessionPaid, untaxedIntent, EXCLUDING_TAX } from '#test/support/payments/taxed-payments.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

openProcessor();

const world = openedWorld({ hasFacts: true });
let owner: Dashboard;
let path: string;
let programId: number;
const pump = opened(() => factPump(world));

const minute = (n: number) => new Date(NOW.getTime() + n * 60_000);
const time = (n: number) => minute(n).toISOString();

type Row = Record<string, unknown>;
interface Told {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Row;
}

let known = new Set<string>();
const facts = async (at: Date): Promise<Told[]> => (await owner.get(`${path}/facts?limit=100`, { at })).body.data;

/** The facts since the last call, by type and time. @param n minutes after `NOW` of the table's change */
async function told(n = 0): Promise<Told[]> {
  await pump.run(minute(n));
  const fresh = (await facts(minute(n))).filter(({ id }) => !known.has(id));
  known = new Set([...known, ...fresh.map(({ id }) => id)]);
  return fresh.toSorted((a, b) => (`${a.timestamp} ${a.type}` < `${b.timestamp} ${b.type}` ? -1 : 1));
}
const fact = (type: string, n: number, data: Row, isTest = false) => ({
  id: expect.stringMatching(/^evt_[0-9a-z]{9}[0-9a-f]{24}$/),
  type,
  timestamp: time(n),
  data: { program_id: programId, is_test: isTest, ...data },
});
const row = async (list: string, n: number): Promise<Row> => {
  const { data } = (await owner.get(`${path}/${list}`, { at: minute(n) })).body;
  return data[list.includes('sort') ? data.length - 1 : 0];
};
const event = (type: string, n: number) => row(`events?include_test=1&type=${type}`, n);

async function begin(own: Pick<OwnedBrand, 'program'> & { readonly owner: Dashboard }): Promise<void> {
  ({ owner } = own);
  programId = own.program.id;
  path = `/programs/${programId}`;
  known = new Set();
  await told();
}
let own: OwnedBrand;
beforeEach(async () => {
  own = await ownedBrand(world);
  await begin(own);
});

const namesClicks = () =>
  world.deps().table.put(factKeys.webhooks(programId), {
    version: 1,
    endpoints: [{ id: 1, url: 'https://x.test/', events: ['click.recorded'], status: 'paused', secrets: [] }],
  });

describe('facts (webhook events) about events', () => {
  it('include the first and the later clicks if a webhook endpoint lists clicks', async () => {
    await clicked(own);
    expect(await told()).toEqual([]);
    await namesClicks();
    const visit = { affiliate_url: own.affiliateUrl, page_url: 'https://acme.test/p' };
    const { body } = await send(click, { body: visit, at: minute(1) });
    const first = await event('click', 1);
    await send(click, { body: { ...visit, existing_click_id: body.click_id }, at: minute(2) });
    const second = await event('click', 2);
    expect(second).toMatchObject({ first: false });
    expect(await told(3)).toEqual([fact('click.recorded', 1, first), fact('click.recorded', 2, second)]);
  });

  it('include a provisional lead when a browser sends it, and the settled lead when a server sends it', async () => {
    await changeProgram(world, own, { leadMode: 'server_required' });
    const clickId = await clicked(own);
    await browserLead({ click_id: clickId, email: 'user@example.com' }, { at: minute(1) });
    const provisional = await event('lead', 1);
    expect(await told(1)).toEqual([fact('lead.recorded', 1, provisional)]);
    await settledLead(own, { click_id: clickId, customer_key: 'u1' }, { at: minute(2) });
    const settled = await event('lead', 2);
    expect(settled).toMatchObject({ state: 'settled' });
    expect(await told(2)).toEqual([fact('lead.settled', 2, settled)]);
  });

  it('include a sale, its commission, its refund and its dispute', async () => {
    await soldTo(own, 'u1', { transaction_id: 'told' });
    const [leadRow, saleRow, created] = [await event('lead', 0), await event('sale', 0), await row('commissions', 0)];
    expect(await told()).toEqual([
      fact('commission.created', 0, created),
      fact('lead.recorded', 0, leadRow),
      fact('lead.settled', 0, leadRow),
      fact('sale.recorded', 0, saleRow),
    ]);
    await refunded(own, { transaction_id: 'told', refund_amount_cents: 2450, refund_reason: 'Slow' }, minute(1));
    expect(await told(1)).toEqual([
      fact('commission.reduced', 1, await row('commissions', 1)),
      fact('sale.refunded', 1, await event('refund', 1)),
      fact('sale.updated', 1, await event('sale', 1)),
    ]);
    await refunded(own, { transaction_id: 'told', reason: 'chargeback' }, minute(2));
    expect(await told(2)).toEqual([
      fact('commission.reversed', 2, await row('commissions', 2)),
      fact('sale.disputed', 2, await event('refund', 2)),
      fact('sale.updated', 2, await event('sale', 2)),
    ]);
  });

  it('include a dispute that Stripe reports, and that the brand won the dispute', async () => {
    await directEndpoint(world, own);
    const clickId = await clicked(own);
    await deliver(own, paid('won', { metadata: { service_click_id: clickId } }));
    await told();
    const disputed = dispute('won');
    await deliverAt(minute(1), own, stripeEvent('charge.dispute.created', disputed));
    expect(await told(1)).toEqual([
      fact('commission.reversed', 1, await row('commissions', 1)),
      fact('sale.disputed', 1, await event('refund', 1)),
      fact('sale.updated', 1, await event('sale', 1)),
    ]);
    await deliverAt(minute(2), own, stripeEvent('charge.dispute.closed', { ...disputed, status: 'won' }));
    const wonStep = await event('refund', 2);
    expect(wonStep).toMatchObject({ reason: 'dispute_won' });
    expect(await told(2)).toEqual([
      fact('commission.restored', 2, await row('commissions', 2)),
      fact('sale.disputed', 2, wonStep),
      fact('sale.updated', 2, await event('sale', 2)),
    ]);
  });

  it('include test events, marked as tests, but nothing of a verification run', async () => {
    await namesClicks();
    const body = { additional_data: { test_mode: true } };
    await send(click, { key: own.key, body: { ...body, affiliate_url: own.affiliateUrl } });
    await send(lead, { key: own.key, body: { ...body, click_id: 'c', customer_key: 'k' }, at: minute(1) });
    await send(sale, {
      key: own.key,
      body: { ...body, amount_cents: 100, transaction_id: 'test told' },
      at: minute(2),
    });
    const [clickRow, leadRow, saleRow] = [await event('click', 2), await event('lead', 2), await event('sale', 2)];
    expect(await told(2)).toEqual([
      fact('click.recorded', 0, clickRow, true),
      fact('lead.recorded', 1, leadRow, true),
      fact('lead.settled', 1, leadRow, true),
      fact('sale.recorded', 2, saleRow, true),
    ]);
    await runVerificationChain(world.deps(minute(3)), programId);
    expect(await told(3)).toEqual([]);
  });
});

/** The time of a change that follows another change at the time NOW. */
const NEXT = new Date(NOW.getTime() + 1).toISOString();

describe('a sale that a later event of its payment moves to another customer', () => {
  it('is reported as sale.reattributed', async () => {
    const scene = await codedScene(world);
    await begin({ ...scene.brand, owner: dashboard((await ownerOfBrand(world, scene.brand)).token) });
    await sellByCode(scene.person);
    await told();
    await nameClick(scene.person);
    const [moved, ...others] = (await told(1)).filter(({ type }) => type.startsWith('sale'));
    expect(others).toEqual([]);
    expect(moved).toEqual({ ...fact('sale.reattributed', 1, await event('sale', 1)), timestamp: NEXT });
    expect(moved!.data.partner_id).toBe(scene.brand.partner.id);
  });

  it('leads to the fact commission.recalculated about its commission as well', async () => {
    const scene = await codedScene(world);
    await begin({ ...scene.brand, owner: dashboard((await ownerOfBrand(world, scene.brand)).token) });
    await sellByCode(scene.person);
    await told();
    await nameClick(scene.person);
    const ofCommission = (await told(1)).filter(({ type }) => type.startsWith('commission'));
    expect(ofCommission).toEqual([
      { ...fact('commission.recalculated', 0, await row('commissions', 1)), timestamp: NEXT },
    ]);
  });
});

const at = (n: number) => ({ at: minute(n) });
const commissionId = async () => Number((await row('commissions', 0)).id);

describe('facts (webhook events) about commissions', () => {
  it('include that a person approves a commission, and that a person rejects one', async () => {
    await changeProgram(world, own, { autoApprove: false });
    await soldTo(own, 'a', { transaction_id: 'approved' });
    await told();
    await owner.post(`${path}/commissions/${await commissionId()}/approve`, {}, at(1));
    expect(await told(1)).toEqual([fact('commission.approved', 1, await row('commissions', 1))]);
    await soldTo(own, 'b', { transaction_id: 'rejected' }, at(2));
    await told(2);
    await owner.post(`${path}/commissions/${await commissionId()}/reject`, { reason: 'Own purchase' }, at(3));
    expect(await told(3)).toEqual([fact('commission.rejected', 3, await row('commissions', 3))]);
  });

  it('include the commission of a lead and a bonus', async () => {
    await changeProgram(world, own, { leadCommissionCents: 500 });
    const clickId = await clicked(own);
    await settledLead(own, { click_id: clickId, customer_key: 'l' });
    const ofLead = await row('commissions', 0);
    expect(ofLead).toMatchObject({ kind: 'lead' });
    expect((await told()).filter(({ type }) => type.startsWith('commission'))).toEqual([
      fact('commission.created', 0, ofLead),
    ]);
    const grant = { amount_cents: 700, currency: 'USD', reason: 'Welcome' };
    await owner.post(`${path}/partners/${own.partner.id}/commissions`, grant, at(1));
    const granted = await row('commissions', 1);
    expect(granted).toMatchObject({ kind: 'manual' });
    expect(await told(1)).toEqual([fact('commission.approved', 1, granted), fact('commission.created', 1, granted)]);
  });

  it('include that a commission is computed again when the sale’s tax becomes known', async () => {
    const person = await visitor(world, EXCLUDING_TAX);
    await begin({ ...person.brand, owner: dashboard((await ownerOfBrand(world, person.brand)).token) });
    await deliver(person.brand, untaxedIntent(person));
    await told();
    await deliver(person.brand, sessionPaid(person));
    expect(await told(1)).toEqual([
      { ...fact('commission.recalculated', 0, await row('commissions', 1)), timestamp: NEXT },
    ]);
  });

  it('include that a commission is paid, and the payout that pays it', async () => {
    await soldTo(own, 'p', { transaction_id: 'paid' });
    await told();
    const made = await owner.post(`${path}/payouts`, {}, { at: HOLD_OVER });
    expect(made.status).toBe(200);
    const minutes = (HOLD_OVER.getTime() - NOW.getTime()) / 60_000;
    expect(await told(minutes)).toEqual([
      fact('commission.paid', minutes, await row('commissions', minutes)),
      fact('payout.created', minutes, await row('payouts', minutes)),
    ]);
  });
});

const HOLD = (HOLD_OVER.getTime() - NOW.getTime()) / 60_000;
const runAt = (n: number) => schedule({ time: time(n) });
const due = () => world.items('DUE_FACTS');

describe('the fact (webhook event) commission.approved, for a commission whose hold period ends,', () => {
  // Removes items left by other tests.
  beforeEach(() => runAt(100_000));

  it('is reported once, when the hold period ends', async () => {
    await soldTo(own, 'u', { transaction_id: 'held' });
    await told();
    await runAt(HOLD - 1);
    expect(await told(HOLD - 1)).toEqual([]);
    await Promise.all([runAt(HOLD), runAt(HOLD)]);
    const approved = await row('commissions', HOLD);
    expect(approved).toMatchObject({ status: 'approved', approved_at: time(HOLD) });
    expect(await told(HOLD)).toEqual([fact('commission.approved', HOLD, approved)]);
    expect(await due()).toEqual([]);
  });

  it('is not reported if the commission was approved, rejected or reversed before the hold period ended', async () => {
    await soldTo(own, 'u', { transaction_id: 'gone' });
    await refunded(own, { transaction_id: 'gone' }, minute(1));
    await told(1);
    await runAt(HOLD);
    expect(await told(HOLD)).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it('is reported even if a payout has paid the commission since', async () => {
    await soldTo(own, 'u', { transaction_id: 'paid at once' });
    await told();
    await owner.post(`${path}/payouts`, {}, { at: HOLD_OVER });
    await told(HOLD);
    await runAt(HOLD + 1);
    expect(await told(HOLD + 1)).toEqual([fact('commission.approved', HOLD, await row('commissions', HOLD + 1))]);
  });

  it('is reported once if the program switches to automatic approval afterwards, even if the setting changes again later', async () => {
    await owner.patch(path, { auto_approve: false });
    for (const name of ['one', 'two']) await soldTo(own, name, { transaction_id: `switched ${name}` });
    await told();
    await runAt(HOLD + 1);
    expect(await told(HOLD + 1)).toEqual([]);
    await owner.patch(path, { auto_approve: true }, { at: minute(HOLD + 2) });
    await told(HOLD + 2);
    await runAt(HOLD + 3);
    const { data } = (await owner.get(`${path}/commissions`, { at: minute(HOLD + 3) })).body;
    const approvals = await told(HOLD + 3);
    expect(approvals).toHaveLength(data.length);
    expect(approvals).toEqual(
      approvals.map(({ data: { id } }) =>
        fact(
          'commission.approved',
          HOLD + 2,
          data.find((one: Row) => one.id === id),
        ),
      ),
    );
    await owner.patch(path, { auto_approve: false }, { at: minute(HOLD + 4) });
    await told(HOLD + 4);
    await owner.patch(path, { auto_approve: true }, { at: minute(HOLD + 6) });
    await told(HOLD + 6);
    await runAt(HOLD + 7);
    expect(await told(HOLD + 7)).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it('is reported again if the program stops automatic approval and an owner then approves, but not a third time', async () => {
    await soldTo(own, 'anew', { transaction_id: 'approved anew' });
    await told();
    const id = await commissionId();
    await runAt(HOLD + 1);
    expect((await told(HOLD + 1)).map(({ type }) => type)).toEqual(['commission.approved']);
    await owner.patch(path, { auto_approve: false }, { at: minute(HOLD + 4) });
    await told(HOLD + 4);
    await owner.post(`${path}/commissions/${id}/approve`, {}, { at: minute(HOLD + 5) });
    expect(await told(HOLD + 5)).toEqual([fact('commission.approved', HOLD + 5, await row('commissions', HOLD + 5))]);
    await owner.patch(path, { auto_approve: true }, { at: minute(HOLD + 6) });
    await told(HOLD + 6);
    await runAt(HOLD + 7);
    expect(await told(HOLD + 7)).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it('is reported for a commission that is restored after its hold period, because the brand won a dispute', async () => {
    await directEndpoint(world, own);
    const clickId = await clicked(own);
    await deliver(own, paid('late', { metadata: { service_click_id: clickId } }));
    const disputed = dispute('late');
    await deliverAt(minute(1), own, stripeEvent('charge.dispute.created', disputed));
    await told(1);
    await runAt(HOLD + 1);
    expect(await told(HOLD + 1)).toEqual([]);
    await deliverAt(minute(HOLD + 2), own, stripeEvent('charge.dispute.closed', { ...disputed, status: 'won' }));
    await told(HOLD + 2);
    await runAt(HOLD + 3);
    expect(await told(HOLD + 3)).toEqual([fact('commission.approved', HOLD + 2, await row('commissions', HOLD + 3))]);
  });
});

const newest = async (n: number): Promise<Row> => {
  const { data } = (await owner.get(`${path}/partners`, { at: minute(n) })).body;
  return data.at(-1);
};

describe('facts (webhook events) about partners', () => {
  it('include adding, removing and restoring a partner, and the partner’s links and codes', async () => {
    const { body } = await owner.post(`${path}/partners`, { name: 'Ben', email: 'ben@told.test' }, { at: minute(1) });
    const ben = `${path}/partners/${body.data.id}`;
    expect(await told(1)).toEqual([
      fact('link.created', 1, (await owner.get(`${path}/links/${body.data.links[0]}`, { at: minute(1) })).body.data),
      fact('partner.added', 1, await newest(1)),
    ]);
    await owner.patch(ben, { status: 'removed' }, { at: minute(2) });
    expect(await told(2)).toEqual([fact('partner.removed', 2, await newest(2))]);
    await owner.patch(ben, { status: 'active' }, { at: minute(3) });
    expect(await told(3)).toEqual([fact('partner.added', 3, await newest(3))]);
    await owner.patch(ben, { name: 'Benno' }, { at: minute(4) });
    expect(await told(4)).toEqual([]);
    const made = { partner_id: body.data.id };
    const link = await owner.post(`${path}/links`, { ...made, short_link: `ben-${programId}` }, { at: minute(5) });
    const code = await owner.post(`${path}/codes`, { ...made, code: 'BEN10' }, { at: minute(6) });
    expect(await told(6)).toEqual([fact('link.created', 5, link.body.data), fact('code.created', 6, code.body.data)]);
    await owner.patch(`${path}/codes/BEN10`, { status: 'disabled' }, { at: minute(7) });
    await owner.patch(`${path}/links/ben-${programId}`, { status: 'inactive' }, { at: minute(7) });
    expect(await told(7)).toEqual([]);
  });

  it('include invitations, joining, applications, their acceptance, and leaving', async () => {
    const { id, url, user, person, applicant } = await programOf(world, { join: 'apply' });
    await begin({ program: { id } as OwnedBrand['program'], owner: user });
    const invited = await person({ invite: true });
    expect(await told()).toEqual([]);
    await portal(invited.token).post(`${url}/accept`, {}, { at: minute(2) });
    const firstLink = async (n: number) => {
      const [name] = (await newest(n)).links as string[];
      return (await owner.get(`${path}/links/${name}`, { at: minute(n) })).body.data;
    };
    expect(await told(2)).toEqual([
      fact('link.created', 2, await firstLink(2)),
      fact('partner.added', 2, await newest(2)),
    ]);
    await portal(invited.token).post(`${url}/leave`, {}, { at: minute(3) });
    expect(await told(3)).toEqual([fact('partner.removed', 3, await newest(3))]);
    const { partnerId } = await applicant();
    const candidate = await newest(3);
    expect(candidate).toMatchObject({ id: partnerId, status: 'applied' });
    expect(await told(3)).toEqual([fact('partner.applied', 0, candidate)]);
    await owner.post(`${path}/partners/${partnerId}/accept`, {}, { at: minute(5) });
    expect(await told(5)).toEqual([
      fact('link.created', 5, await firstLink(5)),
      fact('partner.added', 5, await newest(5)),
    ]);
  });
});

it('a fact (webhook event) reports that a program key is marked for rotation', async () => {
  await markKeyForRotation(world.deps(minute(1)), programId, new Date('2026-12-20T00:00:00.000Z'));
  const rotation = fact('key.rotation_due', 1, { rotate_by: '2026-12-20T00:00:00.000Z' });
  expect(await told(1)).toEqual([rotation]);
});
