import { describe, expect, it } from 'vitest';
import { grantCommission } from '#lib/service/earnings/commissions/grant-commission.ts';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { dataReply, pageReply } from '#test/support/callers/replies.ts';
import { NOW } from '#test/support/callers/request.ts';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { expectPayoutsToAgree } from '#test/support/payments/payouts-agree.ts';
import {
  commission,
  earned,
  HOLD_OVER,
  type OwnedBrand,
  ownedBrand,
  refunded,
} from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { failing, failingAt, overtakenBy, refused, replyLost } from '#test/support/table/faults.ts';

const world = openedWorld();

const LATER = new Date('2026-12-20T10:00:00.000Z');
const after = (seconds: number) => new Date(LATER.getTime() + seconds * 1_000);

const pay = (own: OwnedBrand, at = LATER) => own.owner.post(`${own.path}/payouts`, {}, { at });
const change = (own: OwnedBrand, id: number, body: object, at = after(60)) =>
  own.owner.post(`${own.path}/payouts/${id}/lines`, body, { at });
const linesOf = async (own: OwnedBrand, id: number, query = '') =>
  (await own.owner.get(`${own.path}/payouts/${id}/lines${query}`, { at: after(60) })).body.data;
const payoutOf = async (own: OwnedBrand, id: number) =>
  (await own.owner.get(`${own.path}/payouts/${id}`, { at: after(60) })).body.data;
const ownCommissions = async (own: OwnedBrand, at = after(60)) =>
  (await own.owner.get(`${own.path}/commissions`, { at })).body.data as { id: number }[];

/** A payout with a line of 9.80 euros and one of 19.60 dollars to Ana, and one of 9.80 dollars to Ben. */
async function threeLines() {
  const own = await ownedBrand(world);
  const ben = await anotherPartner(world, own, 'Ben');
  const [euro] = await earned(own, 1, { currency: 'EUR' });
  const dollars = await earned(own, 2);
  const { commission_id: ofBen } = await soldTo({ ...own, ...ben }, 'of ben', {
    transaction_id: `of ben ${own.program.id}`,
  });
  const { id } = (await pay(own)).body.data as { id: number };
  return { own, ben, id, euro: euro!, dollars, ofBen, ana: own.partner.id };
}

const line = (own: OwnedBrand, payoutId: number, fields: object, partner = own.partner) => ({
  payout_id: payoutId,
  partner_id: partner.id,
  partner_name: partner.name,
  partner_email: partner.email,
  commissions: 1,
  status: 'recorded',
  method: null,
  masked: null,
  reference: null,
  reason: null,
  returning: false,
  recorded_at: LATER.toISOString(),
  sent_at: null,
  paid_at: null,
  ended_at: null,
  ...fields,
});

describe('GET lines of a payout answers 200', () => {
  it('and lists them by partner and currency, in pages, and returns each by its id', async () => {
    const { own, ben, id, ana } = await threeLines();
    const rows = [
      line(own, id, { id: `${ana}-EUR`, number: `${id}-${ana}-EUR`, currency: 'EUR', amount_cents: 980 }),
      line(own, id, {
        id: `${ana}-USD`,
        number: `${id}-${ana}-USD`,
        currency: 'USD',
        amount_cents: 1960,
        commissions: 2,
      }),
      line(
        own,
        id,
        { id: `${ben.partner.id}-USD`, number: `${id}-${ben.partner.id}-USD`, currency: 'USD', amount_cents: 980 },
        ben.partner,
      ),
    ];
    const path = `${own.path}/payouts/${id}/lines`;
    expect(await own.owner.get(path)).toEqual(pageReply(rows));
    expect((await everyPage(own.owner, `${path}?limit=2`)).flat()).toEqual(rows);
    expect((await own.owner.get(`${path}/${ana}-USD`)).body).toEqual({ data: rows[1] });
  });

  it('and filters by status, currency, partner and method', async () => {
    const { own, ben, id, ana } = await threeLines();
    await change(own, id, { ids: [`${ana}-USD`], status: 'sent' });
    const ids = async (query: string) => (await linesOf(own, id, query)).map((one: { id: string }) => one.id);
    expect(await ids('?status=sent')).toEqual([`${ana}-USD`]);
    expect(await ids('?currency=EUR')).toEqual([`${ana}-EUR`]);
    expect(await ids(`?partner_id=${ben.partner.id}`)).toEqual([`${ben.partner.id}-USD`]);
    expect(await ids('?method=none&currency=USD')).toEqual([`${ana}-USD`, `${ben.partner.id}-USD`]);
    expect(await ids('?method=paypal')).toEqual([]);
  });

  it('and lists how much of each commission a line pays', async () => {
    const { own, id, dollars, ana } = await threeLines();
    const { data } = (await own.owner.get(`${own.path}/payouts/${id}/lines/${ana}-USD/commissions`)).body;
    const paid = {
      status: 'paid',
      paid_out_cents: 980,
      approved_at: HOLD_OVER.toISOString(),
      paid_at: LATER.toISOString(),
      payout_id: id,
      payout_status: 'recorded',
      version: 2,
      in_line_cents: 980,
    };
    expect(data).toEqual(dollars.toSorted((a, b) => b - a).map((one) => commission(own, { id: one, ...paid })));
  });
});

describe('GET lines of a payout answers 404', () => {
  it.each(['9-USD', '1-usd', 'x', '1', '01-USD'])('for the line %s', async (name) => {
    const { own, id } = await threeLines();
    const path = `${own.path}/payouts/${id}/lines/${name}`;
    expect(await own.owner.get(path)).toMatchObject(refusal(404, 'Payout line not found'));
    expect(await own.owner.get(`${path}/commissions`)).toMatchObject(refusal(404, 'Payout line not found'));
  });

  it('for another payout’s line', async () => {
    const { own, ana } = await threeLines();
    for (const path of ['lines', `lines/${ana}-USD`, `lines/${ana}-USD/commissions`]) {
      expect(await own.owner.get(`${own.path}/payouts/999999/${path}`)).toMatchObject(refusal(404, 'Payout not found'));
    }
    expect(await change(own, 999_999, { ids: ['1-USD'], status: 'sent' })).toMatchObject(
      refusal(404, 'Payout not found'),
    );
  });
});

describe('POST lines of a payout answers 400', () => {
  it.each([
    [{ status: 'sent' }, 'ids must be a list of 1 to 100 line ids'],
    [{ ids: [], status: 'sent' }, 'ids must be a list of 1 to 100 line ids'],
    [{ ids: ['1-USD', '1-USD'], status: 'sent' }, 'ids must be a list of 1 to 100 line ids'],
    [{ ids: [1], status: 'sent' }, 'ids must be a list of 1 to 100 line ids'],
    [
      { ids: Array.from({ length: 101 }, (_, n) => `${n}-USD`), status: 'sent' },
      'ids must be a list of 1 to 100 line ids',
    ],
    [{ ids: ['1-USD'], status: 'lost' }, 'Invalid status: lost. Valid: recorded, sent, paid, failed, void'],
    [{ ids: ['1-USD'], status: 'void' }, 'reason is required'],
    [{ ids: ['1-USD'], status: 'failed', reason: ' ' }, 'reason is required'],
    [{ ids: ['1-USD'], status: 'failed', reason: 'x'.repeat(501) }, 'reason is required'],
    [{ ids: ['1-USD'], status: 'sent', reference: '' }, 'reference must be a string of 1 to 200 characters'],
  ])('to the body %j', async (body, message) => {
    const { own, id } = await threeLines();
    expect(await change(own, id, body)).toMatchObject(refusal(400, message));
  });
});

it('POST lines answers 403 to members and, for the status failed, to owners whose sign-in is too long ago', async () => {
  const { own, id, ana } = await threeLines();
  const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
  const body = { ids: [`${ana}-USD`], status: 'sent' };
  expect((await member.post(`${own.path}/payouts/${id}/lines`, body)).status).toBe(403);
  const path = `${own.path}/payouts/${id}/lines`;
  expect((await change(own, id, body)).status).toBe(200);
  const late = (status: string) =>
    own.owner.post(path, { ...body, status, reason: 'Failed' }, { at: after(60 + 16 * 60), isLeftAlone: true });
  expect(await late('failed')).toMatchObject(refusal(403, 'Sign in again for this'));
  expect((await late('paid')).body.data).toEqual([{ id: `${ana}-USD`, status: 'paid', error: null }]);
});

describe('setting the status of payout lines', () => {
  it('stores the time and the reference, and the payout counts its lines by status', async () => {
    const { own, id, ana } = await threeLines();
    const ids = [`${ana}-USD`, 'x', `${ana}-EUR`];
    const reply = await change(own, id, { ids, status: 'sent', reference: 'Transfer 7', reason: 'ignored' });
    expect(reply).toEqual(
      dataReply(
        [
          { id: `${ana}-USD`, status: 'sent', error: null },
          { id: 'x', status: null, error: 'Payout line not found' },
          { id: `${ana}-EUR`, status: 'sent', error: null },
        ],
        1,
        after(60),
      ),
    );
    await change(own, id, { ids: [`${ana}-EUR`], status: 'paid' }, after(120));
    expect(await linesOf(own, id)).toMatchObject([
      {
        status: 'paid',
        sent_at: after(60).toISOString(),
        paid_at: after(120).toISOString(),
        reference: 'Transfer 7',
        reason: null,
      },
      { status: 'sent', sent_at: after(60).toISOString(), paid_at: null },
      { status: 'recorded', sent_at: null, paid_at: null },
    ]);
    const none = { lines: 0, totals: {} };
    expect((await payoutOf(own, id)).by_status).toEqual({
      recorded: { lines: 1, totals: { USD: 980 } },
      sent: { lines: 1, totals: { USD: 1960 } },
      paid: { lines: 1, totals: { EUR: 980 } },
      failed: none,
      void: none,
    });
    await change(own, id, { ids: [`${ana}-EUR`, `${ana}-USD`], status: 'recorded' }, after(180));
    expect(await linesOf(own, id)).toMatchObject([
      { status: 'recorded', sent_at: null, paid_at: null },
      { status: 'recorded', sent_at: null },
      { status: 'recorded' },
    ]);
    expect((await payoutOf(own, id)).by_status.recorded).toEqual({ lines: 3, totals: { EUR: 980, USD: 2940 } });
    await expectPayoutsToAgree(world);
  });

  it('to `paid` also sets the time of sending if it is missing; setting `paid` again keeps the former times', async () => {
    const { own, id, ana } = await threeLines();
    const ids = [`${ana}-USD`];
    await change(own, id, { ids, status: 'paid' });
    await change(own, id, { ids, status: 'paid', reference: 'Late' }, after(120));
    const at = after(60).toISOString();
    expect((await linesOf(own, id))[1]).toMatchObject({ sent_at: at, paid_at: at, reference: 'Late' });
  });

  it.each([
    ['recorded', 'failed'],
    ['sent', 'void'],
    ['paid', 'void'],
    ['void', 'recorded'],
    ['void', 'failed'],
    ['failed', 'sent'],
  ])('refuses to change a line from %s to %s', async (from, to) => {
    const { own, id, ana } = await threeLines();
    const ids = [`${ana}-USD`];
    if (from === 'failed') await change(own, id, { ids, status: 'sent' });
    if (from !== 'recorded') await change(own, id, { ids, status: from, reason: 'First' });
    const before = await world.items(`PAYOUT#${id}`);
    expect((await change(own, id, { ids, status: to, reason: 'Second' }, after(120))).body.data).toEqual([
      { id: ids[0], status: from, error: `Payout line status cannot be changed to ${to}. Current status: ${from}` },
    ]);
    expect(await world.items(`PAYOUT#${id}`)).toEqual(before);
    await expectPayoutsToAgree(world);
  });
});

describe('a payout line whose status becomes `void` or `failed`', () => {
  it('makes its commissions due again if it is `void`, and the next payout pays them', async () => {
    const { own, id, ana, dollars } = await threeLines();
    const reply = await change(own, id, { ids: [`${ana}-USD`], status: 'void', reason: 'Wrong account' });
    expect(reply.body.data).toEqual([{ id: `${ana}-USD`, status: 'void', error: null }]);
    const returned = (await ownCommissions(own)).filter((one) => dollars.includes(one.id));
    expect(returned).toEqual(
      dollars
        .toSorted((a, b) => b - a)
        .map((one) =>
          commission(own, { id: one, status: 'approved', approved_at: HOLD_OVER.toISOString(), version: 3 }),
        ),
    );
    expect(await linesOf(own, id)).toMatchObject([
      { status: 'recorded' },
      { status: 'void', reason: 'Wrong account', ended_at: after(60).toISOString(), sent_at: null, returning: false },
      { status: 'recorded' },
    ]);
    const { totals, by_status: byStatus } = await payoutOf(own, id);
    expect(totals).toEqual({ EUR: 980, USD: 2940 });
    expect(byStatus.void).toEqual({ lines: 1, totals: { USD: 1960 } });
    const held = (await own.owner.get(`${own.path}/payouts/${id}/lines/${ana}-USD/commissions`)).body.data;
    expect(held.map((one: { in_line_cents: number }) => one.in_line_cents)).toEqual([980, 980]);
    const next = (await pay(own, after(120))).body.data;
    expect(next.items).toMatchObject([{ partner_id: ana, currency: 'USD', amount_cents: 1960 }]);
    expect((await ownCommissions(own, after(120))).find((one) => one.id === dollars[0])).toMatchObject({
      status: 'paid',
      payout_id: next.id,
      payout_status: 'recorded',
    });
    await expectPayoutsToAgree(world);
  });

  it('records the reason in the history of its commissions', async () => {
    const { own, id, ana, euro } = await threeLines();
    await change(own, id, { ids: [`${ana}-EUR`], status: 'void', reason: 'Wrong account' });
    const rows = (await own.owner.get(`${own.path}/payouts/${id}/lines/${ana}-EUR/commissions`)).body.data;
    const { data } = (await own.owner.get(`${own.path}/sales/${encodeURIComponent(rows[0].transaction_id)}`)).body;
    expect(rows[0].id).toBe(euro);
    expect(data.history.at(-1)).toEqual({
      at: after(60).toISOString(),
      actor: own.actor,
      action: 'unpaid',
      from: 'paid',
      to: 'approved',
      amount_cents: -980,
      reason: `payout ${id}: Wrong account`,
    });
  });

  it('also undoes, if it is `failed`, what a later payout deducted for a refund of one of its sales', async () => {
    const { own, id, ana, euro } = await threeLines();
    await change(own, id, { ids: [`${ana}-EUR`], status: 'sent' });
    const [row] = (await own.owner.get(`${own.path}/payouts/${id}/lines/${ana}-EUR/commissions`)).body.data;
    await refunded(own, { transaction_id: row.transaction_id, refund_amount_cents: 2450 }, after(60));
    await earned(own, 1, { currency: 'EUR' }, NOW);
    const next = (await pay(own, after(90))).body.data;
    expect(next.items).toMatchObject([{ currency: 'EUR', amount_cents: 490 }]);
    await change(own, id, { ids: [`${ana}-EUR`], status: 'failed', reason: 'Account closed' }, after(120));
    expect((await ownCommissions(own, after(120))).find((one) => one.id === euro)).toMatchObject({
      status: 'paid',
      paid_out_cents: -490,
      payable_cents: 490,
      payout_id: next.id,
    });
    const third = (await pay(own, after(180))).body.data;
    expect(third.items).toMatchObject([{ currency: 'EUR', amount_cents: 980 }]);
    await expectPayoutsToAgree(world);
  });

  it('makes its commissions due again in several transactions if one is too small, and the schedule completes them', async () => {
    const own = await ownedBrand(world);
    for (let n = 0; n < 200; n++) {
      await grantCommission(
        world.deps(),
        own.partner,
        { amountCents: 100 + n, currency: 'USD', reason: 'Bonus' },
        'account:1',
      );
    }
    const { id } = (await pay(own)).body.data;
    const ids = [`${own.partner.id}-USD`];
    const body = { ids, status: 'void', reason: 'Wrong' };
    const broken = await failing('second write', refused('InternalServerError'), () => change(own, id, body));
    expect(broken.body.data).toEqual([{ id: ids[0], status: 'void', error: null }]);
    expect(await linesOf(own, id)).toMatchObject([{ status: 'void', returning: true }]);
    await expectPayoutsToAgree(world, { mayReturn: true });
    await schedule({ time: after(90).toISOString() });
    expect(await linesOf(own, id)).toMatchObject([{ status: 'void', returning: false }]);
    await expectPayoutsToAgree(world);
    const total = Array.from({ length: 200 }, (_, n) => 100 + n).reduce((sum, cents) => sum + cents, 0);
    expect((await pay(own, after(120))).body.data.totals).toEqual({ USD: total });
  });
});

/** Partners with one commission each, near to the 400 KB of an item: 13 exceed the 4 MB of a transaction. */
async function withLongHistories(count: number) {
  const own = await ownedBrand(world);
  const amount = { amountCents: 500, currency: 'USD', reason: 'Bonus' };
  for (let n = 0; n < count; n++) {
    const { partner } = await anotherPartner(world, own, `P${n}`);
    const { id } = await grantCommission(world.deps(), partner, amount, 'account:1');
    const item = (await world.items(`COMMISSION#${id}`)).find(({ sk }) => sk === 'COMMISSION')!;
    const [row] = item['history'] as [object];
    const step = { ...row, action: 'reopened', reason: '€'.repeat(500) };
    await world.replace({ ...item, history: [row, ...Array.from({ length: 220 }, () => step)] });
  }
  return own;
}

describe('commissions with histories so long that few fit into one transaction', () => {
  it('are paid in several steps, and all their lines can be set to `void` in one request', async () => {
    const own = await withLongHistories(13);
    const { id, totals, status } = (await pay(own)).body.data;
    expect({ totals, status }).toEqual({ totals: { USD: 6_500 }, status: 'made' });
    const ids = (await linesOf(own, id)).map((one: { id: string }) => one.id);
    const reply = await change(own, id, { ids, status: 'void', reason: 'Wrong' });
    expect(reply.body.data).toEqual(ids.map((one: string) => ({ id: one, status: 'void', error: null })));
    await expectPayoutsToAgree(world);
    expect((await pay(own, after(120))).body.data.totals).toEqual({ USD: 6_500 });
  });
});

describe('parallel or interrupted changes of a payout line’s status', () => {
  it('happen one after the other, and each is checked against the status that the one before left', async () => {
    const { own, id, ana } = await threeLines();
    const ids = [`${ana}-USD`];
    const replies = await Promise.all([
      change(own, id, { ids, status: 'void', reason: 'Twice' }),
      change(own, id, { ids, status: 'sent' }),
      change(own, id, { ids, status: 'paid' }),
      change(own, id, { ids, status: 'void', reason: 'Once' }),
    ]);
    const [{ status }] = (await linesOf(own, id, '?currency=USD')) as [{ status: string }];
    const errors = replies.flatMap(({ body }) => (body.data as [{ error: string | null }])[0].error ?? []);
    const refusedText = /^Payout line status cannot be changed to \w+\. Current status: \w+$/;
    for (const error of errors) expect(error).toMatch(refusedText);
    expect(['void', 'sent', 'paid']).toContain(status);
    await expectPayoutsToAgree(world);
  });

  it.each([
    ['a refund', async (own: OwnedBrand, name: string) => refunded(own, { transaction_id: name }, after(60))],
    ['the next payout', async (own: OwnedBrand) => pay(own, after(60))],
    [
      'the status `sent`',
      async (own: OwnedBrand, _: string, id: number) =>
        change(own, id, { ids: [`${own.partner.id}-EUR`], status: 'sent' }),
    ],
  ])('leave consistent amounts if %s is written just before the line becomes `void`', async (_, other) => {
    const { own, id, ana } = await threeLines();
    const [row] = (await own.owner.get(`${own.path}/payouts/${id}/lines/${ana}-EUR/commissions`)).body.data;
    const overtaking = overtakenBy(() => other(own, row.transaction_id, id));
    const body = { ids: [`${ana}-EUR`], status: 'void', reason: 'Wrong' };
    expect((await failing('write', overtaking, () => change(own, id, body))).status).toBe(200);
    await expectPayoutsToAgree(world);
  });

  it('are made completely or not at all if the request is interrupted at any call', { tags: 'deep' }, async () => {
    expect.hasAssertions();
    for (const fault of [refused('InternalServerError'), replyLost]) {
      let reached = 0;
      for (let at = 1; reached === 0; at += 1) {
        const { own, id, ana } = await threeLines();
        const body = { ids: [`${ana}-USD`], status: 'void', reason: 'Wrong' };
        const broken = await failingAt(at, fault, () => change(own, id, body)).catch(() => undefined);
        if (!broken) reached = at;
        await expectPayoutsToAgree(world);
        expect((await change(own, id, body)).body.data).toEqual([{ id: `${ana}-USD`, status: 'void', error: null }]);
        await expectPayoutsToAgree(world);
      }
      expect(reached).toBeGreaterThan(4);
    }
  });
});

it('the lines of a payout that is still being created cannot be changed', async () => {
  const { own, id, ana } = await threeLines();
  const header = (await world.items(`PAYOUT#${id}`)).find(({ sk }) => sk === `PAYOUT#${id}`)!;
  await world.replace({ ...header, status: 'open' });
  expect((await change(own, id, { ids: [`${ana}-USD`], status: 'sent' })).body).toEqual(
    platformError(409, `Payout ${id} is being recorded. Wait until it is made.`),
  );
  await world.replace(header);
});
