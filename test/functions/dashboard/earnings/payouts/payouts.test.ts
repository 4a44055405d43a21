import { describe, expect, it } from 'vitest';
import {
  commission,
  earned,
  HOLD_OVER,
  type OwnedBrand,
  ownedBrand,
  refunded,
} from '#test/support/programs/commissions.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { recordedLines } from '#test/support/programs/recorded-payout.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const LATER = new Date('2026-12-20T10:00:00.000Z');
const nothing = refusal(409, 'No approved commissions to pay out');

/** Creates a payout when the holds of all commissions of `NOW` are over. */
const pay = (own: OwnedBrand, body: object = {}, at = LATER) => own.owner.post(`${own.path}/payouts`, body, { at });

const item = ({ partner }: Pick<Brand, 'partner'>, ids: number[], amountCents: number, currency = 'USD') => ({
  partner_id: partner.id,
  partner_name: partner.name,
  partner_email: partner.email,
  currency,
  amount_cents: amountCents,
  commission_ids: ids,
});

const listed = async (own: OwnedBrand, at = LATER) =>
  (await own.owner.get(`${own.path}/commissions`, { at })).body.data as Record<string, unknown>[];

/** A sale with its own id to a customer of the same name. */
const soldAs = async (own: Brand, name: string, body: object = {}, at = NOW): Promise<number> =>
  (await soldTo(own, name, { transaction_id: name, ...body }, { at })).commission_id;

describe('expected_totals in a payout request, the totals that the owner saw in the preview,', () => {
  const changed = refusal(409, 'What is due is no longer what was expected. Preview the payout again.');

  it('let the payout pay if they equal the amounts due', async () => {
    const own = await ownedBrand(world);
    await soldAs(own, 'expected in dollars');
    await soldAs(own, 'expected in euros', { currency: 'EUR' });
    const preview = (await own.owner.post(`${own.path}/payouts/preview`, {}, { at: LATER })).body.data;
    expect(preview.totals).toEqual({ USD: 980, EUR: 980 });
    const reply = await pay(own, { expected_totals: preview.totals });
    expect([reply.status, reply.body.data.totals]).toEqual([200, preview.totals]);
  });

  it.each([
    ['a lower amount', { USD: 979 }],
    ['a missing currency', {}],
    ['an extra currency', { USD: 980, EUR: 0 }],
    ['an unknown currency', { USD: 980, __proto__: 1, XXX: 1 }],
  ])('refuse the payout if they differ from the amounts due: %s', async (_, expected) => {
    const own = await ownedBrand(world);
    await soldAs(own, `expected ${JSON.stringify(expected)} ${own.program.id}`);
    const before = await listed(own);
    expect(await pay(own, { expected_totals: expected })).toMatchObject(changed);
    expect(await listed(own)).toEqual(before);
    expect((await own.owner.get(`${own.path}/payouts`)).body.data).toEqual([]);
    expect(await pay(own, { expected_totals: { USD: 980 } })).toMatchObject({ status: 200 });
  });

  it.each([[], 'USD', 980, { USD: '980' }, { USD: 9.8 }, { USD: null }])(
    'are refused with 400 in the form %j',
    async (expected) => {
      const own = await ownedBrand(world);
      expect(await pay(own, { expected_totals: expected })).toMatchObject(
        refusal(400, 'expected_totals must be amounts by currency, such as {"USD":980}'),
      );
    },
  );
});

describe('POST payouts answers 200', () => {
  it('and pays approved commissions, grouped by partner and currency, and marks them paid', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Ben');
    const first = await soldAs(own, 'first');
    const second = await soldAs(own, 'second', { amount_cents: 101 });
    const euros = await soldAs(own, 'euros', { currency: 'EUR' });
    const ofBen = await soldAs({ ...own, ...ben }, 'of ben');
    const reply = await pay(own);
    const { id } = reply.body.data;
    const items = [item(own, [euros], 980, 'EUR'), item(own, [first, second], 1000), item(ben, [ofBen], 980)];
    const createdAt = LATER.toISOString();
    expect(reply).toEqual(
      dataReply(
        {
          id: expect.any(Number),
          program_id: own.program.id,
          status: 'made',
          through: null,
          reference: null,
          created_by: own.actor,
          created_at: createdAt,
          items,
          totals: { USD: 1980, EUR: 980 },
          ...recordedLines(3, { USD: 1980, EUR: 980 }),
        },
        1,
        LATER,
      ),
    );
    const paid = commission(own, {
      id: first,
      status: 'paid',
      paid_out_cents: 980,
      approved_at: HOLD_OVER.toISOString(),
      paid_at: createdAt,
      payout_id: id,
      payout_status: 'recorded',
      version: 2,
    });
    expect((await listed(own)).find((row) => row.id === first)).toEqual(paid);
    const { commission: stored } = await saleItems(world, 'first');
    expect(stored).not.toHaveProperty('gsi1pk');
    expect(stored!.history).toEqual([
      expect.objectContaining({ action: 'created' }),
      {
        at: createdAt,
        actor: own.actor,
        action: 'paid',
        from: 'approved',
        to: 'paid',
        amountCents: 980,
        reason: `payout ${id}`,
      },
    ]);
    const claimed = (partnerId: number, currency: string, amountCents: number, commissionIds: unknown[]) => ({
      pk: `PAYOUT#${id}`,
      sk: `LINE#${String(partnerId).padStart(16, '0')}#${currency}`,
      gsi2pk: `PARTNER#${own.program.id}#${partnerId}#PAYOUTS`,
      gsi2sk: `${createdAt}#${id}#${currency}#000001`,
      payoutId: id,
      programId: own.program.id,
      createdAt,
      partnerId,
      currency,
      amountCents,
      commissions: commissionIds.length,
      status: 'recorded',
      firstClaim: { step: 1, amountCents, commissionIds },
    });
    expect(await world.items(`PAYOUT#${id}`)).toEqual([
      claimed(own.partner.id, 'EUR', 980, [euros]),
      claimed(own.partner.id, 'USD', 1000, [first, second]),
      claimed(ben.partner.id, 'USD', 980, [ofBen]),
      expect.objectContaining({ id, programId: own.program.id, status: 'made', createdAt, createdBy: own.actor }),
    ]);
    expect(await pay(own)).toMatchObject(nothing);
  });

  it('and pays commissions that a person approved, but not those that are still pending', async () => {
    const own = await ownedBrand(world);
    const [approved, waiting] = await earned(own, 2);
    await own.owner.post(`${own.path}/commissions/${approved}/approve`);
    expect((await pay(own, {}, NOW)).body.data.items).toEqual([item(own, [approved!], 980)]);
    expect((await listed(own, NOW)).map(({ id, status }) => [id, status])).toEqual([
      [waiting, 'pending'],
      [approved, 'paid'],
    ]);
  });

  it('and pays only one partner if the request names one', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Benno');
    const mine = await soldAs(own, 'of ana');
    const ofBen = await soldAs({ ...own, ...ben }, 'of benno');
    expect((await pay(own, { partner_id: ben.partner.id })).body.data.items).toEqual([item(ben, [ofBen], 980)]);
    expect((await pay(own, { partner_id: String(own.partner.id) })).body.data.items).toEqual([item(own, [mine], 980)]);
  });

  it('and with `through` pays only commissions of sales up to the end of that day', async () => {
    const own = await ownedBrand(world);
    const before = await soldAs(own, 'on the day', { occurred_at: '2026-11-18T23:59:59.999Z' });
    const after = await soldAs(own, 'the day after', { occurred_at: '2026-11-19T00:00:00.000Z' });
    const reply = await pay(own, { through: '2026-11-18' });
    expect(reply.body.data).toMatchObject({ through: '2026-11-18', items: [item(own, [before], 980)] });
    expect((await pay(own, { through: '2026-11-18' })).status).toBe(409);
    expect((await pay(own)).body.data.items).toEqual([item(own, [after], 980)]);
  });

  it('and pays what is left of a commission after a partial refund', async () => {
    const own = await ownedBrand(world);
    const id = await soldAs(own, 'reduced');
    await refunded(own, { transaction_id: 'reduced', refund_amount_cents: 2450 });
    expect((await pay(own)).body.data.items).toEqual([item(own, [id], 490)]);
    expect(await listed(own)).toMatchObject([{ status: 'paid', payable_cents: 490, paid_out_cents: 490 }]);
  });
});

describe('a commission that is reduced by a refund after it was paid', () => {
  it('lowers the next payout, even one limited to earlier days, by what was overpaid, and then no longer needs review', async () => {
    const own = await ownedBrand(world);
    const paid = await soldAs(own, 'paid');
    const firstPayout = (await pay(own)).body.data.id;
    await refunded(own, { transaction_id: 'paid', refund_amount_cents: 2450 }, LATER);
    expect(await listed(own)).toMatchObject([
      { status: 'paid', needs_review: true, paid_out_cents: 980, payable_cents: 490 },
    ]);
    expect(await pay(own)).toMatchObject(nothing);

    const next = await soldAs(own, 'next', { occurred_at: '2026-11-01T00:00:00.000Z' });
    const reply = await pay(own, { through: '2026-11-01' });
    expect(reply.body.data).toMatchObject({ items: [item(own, [paid, next], 490)], totals: { USD: 490 } });
    const row = (await listed(own)).find(({ id }) => id === paid);
    expect(row).toMatchObject({ status: 'paid', needs_review: false, paid_out_cents: 490, payout_id: firstPayout });
    expect((await saleItems(world, 'paid')).commission!.history).toMatchObject([
      { action: 'created' },
      { action: 'paid', amountCents: 980 },
      { action: 'deducted', amountCents: 490 },
      { action: 'adjusted', from: 'paid', to: 'paid', amountCents: -490, reason: `payout ${reply.body.data.id}` },
    ]);
  });

  it('leaves the partner’s other commissions in that currency unpaid while their sum does not exceed the deduction', async () => {
    const own = await ownedBrand(world);
    const reversed = await soldAs(own, 'reversed later');
    await pay(own);
    await refunded(own, { transaction_id: 'reversed later' }, LATER);
    const equal = await soldAs(own, 'as much');
    const before = await listed(own);
    expect(before).toMatchObject([
      { id: equal, status: 'approved' },
      { id: reversed, status: 'reversed', needs_review: true, payable_cents: 0, paid_out_cents: 980 },
    ]);
    expect(await pay(own)).toMatchObject(nothing);
    expect(await listed(own)).toEqual(before);

    const euros = await soldAs(own, 'other currency', { currency: 'EUR' });
    expect((await pay(own)).body.data.items).toEqual([item(own, [euros], 980, 'EUR')]);
    const more = await soldAs(own, 'one cent more', { amount_cents: 5 });
    expect((await pay(own)).body.data.items).toEqual([item(own, [reversed, equal, more], 1)]);
    expect((await listed(own)).find(({ id }) => id === reversed)).toMatchObject({
      status: 'reversed',
      needs_review: false,
      paid_out_cents: 0,
    });
  });
});

describe('POST payouts answers 404 or 403', () => {
  it.each([0, 999, 'abc', {}, 1.5])('for the unknown partner %j', async (partnerId) => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    expect(await pay(own, { partner_id: partnerId, through: 'x' })).toMatchObject(refusal(404, 'Partner not found'));
  });
});

describe('POST payouts answers 400 for an invalid last day', () => {
  it.each(['', '2026-11-31', '2026-1-1', '20261101', '2026-11-01T00:00:00Z', 20261101, []])(
    'such as %j',
    async (through) => {
      const own = await ownedBrand(world);
      expect(await pay(own, { through })).toMatchObject(refusal(400, 'through must be a date (YYYY-MM-DD)'));
    },
  );
});

it('POST payouts answers 409 if no partner has earned anything', async () => {
  expect(await pay(await ownedBrand(world))).toEqual({ ...nothing, headers: countedHeaders(300, 1, LATER) });
});
