import { describe, expect, it } from 'vitest';
import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { anotherPartner, changeProgram, soldTo } from '#test/support/payments/lives/journeys.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { pageReply, dataReply } from '#test/support/callers/replies.ts';
import { recordedLines } from '#test/support/programs/recorded-payout.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const LATER = new Date('2026-12-20T10:00:00.000Z');
const pay = async (own: OwnedBrand, body: object = {}, at = LATER) =>
  (await own.owner.post(`${own.path}/payouts`, body, { at })).body.data;
const soldAs = async (own: OwnedBrand, name: string, body: object = {}, at = NOW): Promise<number> =>
  (await soldTo(own, name, { transaction_id: `${name} ${own.program.id}`, ...body }, { at })).commission_id;
const notFound = refusal(404, 'Payout not found');

describe('GET payouts', () => {
  it('lists payouts newest first, without their commissions', async () => {
    const own = await ownedBrand(world);
    const made: Record<string, unknown>[] = [];
    for (const minute of [0, 1, 2]) {
      await earned(own, 1);
      made.unshift(await pay(own, {}, new Date(LATER.getTime() + minute * 60_000)));
    }
    const rows = made.map(({ items, ...payout }) => ({
      ...payout,
      items: (items as Record<string, unknown>[]).map((item) => ({ ...item, commission_ids: undefined })),
    }));
    expect(await own.owner.get(`${own.path}/payouts`)).toEqual(pageReply(rows));
    const pages = await everyPage(own.owner, `${own.path}/payouts?limit=2`);
    expect(pages).toEqual([rows.slice(0, 2), rows.slice(2)]);
    expect(pages.flat().some(({ items }) => JSON.stringify(items).includes('commission_ids'))).toBe(false);
  });

  it(
    'ends a page early if its payouts are very large, and the next page continues after them',
    { tags: 'deep' },
    async () => {
      const own = await ownedBrand(world);
      const items = Array.from({ length: 1_000 }, (_, n) => ({
        partnerId: n + 1,
        currency: 'USD',
        amountCents: 1,
        commissions: 1,
      }));
      const ids = Array.from({ length: 12 }, (_, n) => own.program.id * 1000 + n);
      for (const id of ids) {
        const createdAt = new Date(NOW.getTime() + id).toISOString();
        const made = { status: 'made', steps: 1, createdAt, createdBy: 'account:1' };
        const payout = { id, programId: own.program.id, items, ...made };
        await world
          .deps()
          .table.put(keys.payout(id), { ...payout, ...indexKeys.payout(own.program.id, createdAt, id) });
      }
      const pages = await everyPage(own.owner, `${own.path}/payouts?limit=12`);
      expect(pages.map((page) => page.length)).toEqual([10, 2]);
      expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed());
    },
  );
});

describe('GET payouts/{payout_id}', () => {
  it('shows a payout to owners and members exactly as it was returned when it was created', async () => {
    const own = await ownedBrand(world);
    await earned(own, 2);
    const made = await pay(own);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    for (const user of [own.owner, member]) {
      expect(await user.get(`${own.path}/payouts/${made.id}`)).toMatchObject({ status: 200, body: { data: made } });
    }
  });

  it('answers 404 for an unknown payout', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    await earned(other, 1);
    const { id } = await pay(other);
    for (const one of [id, 999_999, 0, 'x', '1.5', `${id}.csv`]) {
      expect(await own.owner.get(`${own.path}/payouts/${one}`)).toMatchObject(notFound);
    }
  });
});

describe('GET payouts/{payout_id}.csv', () => {
  const HEADER =
    'payout_id,partner_id,partner_name,partner_email,currency,amount_cents,commissions,method,details,reference,new_since_last_payout,line_id,status,amount,account_holder,email,iban,bic,account_number,routing_number,country,instructions,billing_name,billing_address,billing_country,tax_id';

  const empty = ','.repeat(12);

  it('has one line for each partner and currency', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Bertha');
    await soldAs(own, 'usd');
    await soldAs(own, 'more');
    await soldAs(own, 'eur', { currency: 'EUR' });
    await soldAs({ ...own, ...ben }, 'of ben');
    const { id } = await pay(own);
    await own.owner.patch(`${own.path}/payouts/${id}`, { reference: '=SEPA, 17' });
    expect(await own.owner.get(`${own.path}/payouts/${id}.csv`)).toEqual({
      status: 200,
      headers: {
        ...countedHeaders(300, 2),
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="payout-${id}.csv"`,
      },
      body: [
        HEADER,
        `${id},${own.partner.id},Ana,ana@partners.test,EUR,980,1,,,"'=SEPA, 17",yes,${own.partner.id}-EUR,recorded,9.80${empty}`,
        `${id},${own.partner.id},Ana,ana@partners.test,USD,1960,2,,,"'=SEPA, 17",yes,${own.partner.id}-USD,recorded,19.60${empty}`,
        `${id},${ben.partner.id},Bertha,${ben.partner.email},USD,980,1,,,"'=SEPA, 17",yes,${ben.partner.id}-USD,recorded,9.80${empty}`,
        '',
      ].join('\r\n'),
    });
  });

  it('answers 403 to members, and 404 to anyone for an unknown payout', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    const { id } = await pay(own);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    expect(await member.get(`${own.path}/payouts/${id}.csv`)).toMatchObject(
      refusal(403, 'Only a workspace owner can do this'),
    );
    expect(await member.get(`${own.path}/payouts/999999.csv`)).toMatchObject(notFound);
  });
});

describe('PATCH payouts/{payout_id}', () => {
  it('stores the payment’s reference without surrounding spaces, and replaces it', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    const made = await pay(own);
    for (const reference of [' SEPA 17 ', 'x'.repeat(200)]) {
      const { body } = await own.owner.patch(`${own.path}/payouts/${made.id}`, { reference });
      expect(body.data).toEqual({ ...made, reference: reference.trim() });
    }
    expect((await own.owner.get(`${own.path}/payouts`)).body.data[0].reference).toBe('x'.repeat(200));
  });

  it.each([undefined, null, '', ' ', 17, [], 'x'.repeat(201)])('answers 400 for %j', async (reference) => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    const { id } = await pay(own);
    expect(await own.owner.patch(`${own.path}/payouts/${id}`, { reference })).toMatchObject(
      refusal(400, 'reference must be a string of 1 to 200 characters'),
    );
  });

  it('answers 404 for an unknown payout before it reads the body, and 403 to members', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    const { id } = await pay(own);
    expect(await own.owner.patch(`${own.path}/payouts/999999`, { reference: '' })).toMatchObject(notFound);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    expect((await member.patch(`${own.path}/payouts/${id}`, { reference: 'x' })).status).toBe(403);
  });
});

describe('POST payouts/preview', () => {
  it('shows owners and members exactly what a payout would pay, and writes nothing', async () => {
    const own = await ownedBrand(world);
    await soldAs(own, 'one');
    await soldAs(own, 'other', { currency: 'EUR' });
    const member = await memberOf(world, { id: own.program.workspaceId });
    const before = await world.items(`PROGRAM#${own.program.id}`);
    const preview = await dashboard(member.token).post(`${own.path}/payouts/preview`, {}, { at: LATER });
    expect(await world.items(`PROGRAM#${own.program.id}`)).toEqual(before);
    expect((await own.owner.get(`${own.path}/payouts`)).body.data).toEqual([]);
    const { id: _, status, created_by: by, lines, by_status: byStatus, progress, ...made } = await pay(own);
    expect([status, by]).toEqual(['made', own.actor]);
    expect({ lines, by_status: byStatus, progress }).toEqual(recordedLines(2, made.totals));
    expect(preview).toEqual(
      dataReply(
        {
          ...made,
          items: made.items.map((item: object) => ({
            ...item,
            payout: null,
            flagged: 0,
            new_since_last_payout: true,
            same_account: [],
          })),
          status: 'open',
          created_by: `account:${member.account.id}`,
          left_out: [],
          counts: { lines: 2, partners: 1, commissions: 2, left_out: 0 },
          changed_terms: [],
        },
        1,
        LATER,
      ),
    );
  });

  it('accepts the same fields as POST payouts', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Bea');
    await soldAs(own, 'of ana');
    const ofBen = await soldAs({ ...own, ...ben }, 'of ben', { occurred_at: '2026-11-18T23:59:59.999Z' });
    const previewed = async (body: object) =>
      (await own.owner.post(`${own.path}/payouts/preview`, body, { at: LATER })).body.data.items;
    expect(await previewed({ partner_id: ben.partner.id })).toMatchObject([{ commission_ids: [ofBen] }]);
    expect(await previewed({ through: '2026-11-18' })).toMatchObject([{ commission_ids: [ofBen] }]);
  });

  it('is empty if nothing is due', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    const { body } = await own.owner.post(`${own.path}/payouts/preview`);
    expect(body.data).toMatchObject({ items: [], totals: {} });
  });

  it('answers 404 for an unknown partner, even if the day is invalid too, and 400 if only the day is invalid', async () => {
    const own = await ownedBrand(world);
    const preview = (body: object) => own.owner.post(`${own.path}/payouts/preview`, body);
    expect((await preview({ partner_id: 999, through: 'x' })).body).toEqual(platformError(404, 'Partner not found'));
    expect((await preview({ through: 'x' })).body).toEqual(platformError(400, 'through must be a date (YYYY-MM-DD)'));
  });
});

const owed = async (own: OwnedBrand, at = NOW) => (await own.owner.get(`${own.path}/owed`, { at })).body;
const dueOn = (on: string, cents: number) => ({ on, amount_cents: cents });

describe('GET owed, the sum of what partners are owed,', () => {
  const nothing = {
    pending_cents: 0,
    approved_cents: 0,
    held_cents: 0,
    due_now_cents: 0,
    balance_cents: 0,
    by_date: [],
  };

  it('is empty if no partner has earned anything', async () => {
    const own = await ownedBrand(world);
    expect(await own.owner.get(`${own.path}/owed`)).toEqual(dataReply({}));
  });

  it('shows per currency the pending amount with its due day, and the amount due now', async () => {
    const own = await ownedBrand(world);
    const id = await soldAs(own, 'approved');
    await soldAs(own, 'waits');
    await soldAs(own, 'waits longer', {}, new Date('2026-11-21T15:00:00.000Z'));
    await soldAs(own, 'euros', { currency: 'EUR' });
    await own.owner.post(`${own.path}/commissions/${id}/approve`);
    await refunded(own, { transaction_id: `waits ${own.program.id}`, refund_amount_cents: 2450 });
    const euros = { ...nothing, pending_cents: 980, by_date: [dueOn('2026-12-05', 980)] };
    expect(await owed(own, new Date('2026-11-21T16:00:00.000Z'))).toEqual({
      data: {
        EUR: euros,
        USD: {
          pending_cents: 1470,
          approved_cents: 980,
          held_cents: 0,
          due_now_cents: 980,
          balance_cents: 0,
          by_date: [dueOn('2026-12-05', 490), dueOn('2026-12-06', 980)],
        },
      },
    });
    const over = (await owed(own, HOLD_OVER)).data;
    expect(over.USD).toEqual({
      ...nothing,
      pending_cents: 980,
      approved_cents: 1470,
      due_now_cents: 1470,
      by_date: [dueOn('2026-12-06', 980)],
    });
    expect(over.EUR).toEqual({ ...nothing, approved_cents: 980, due_now_cents: 980 });
  });

  it('shows nothing as due until approved amounts exceed what was paid out for sales refunded later', async () => {
    const own = await ownedBrand(world);
    await soldAs(own, 'paid');
    await pay(own);
    await refunded(own, { transaction_id: `paid ${own.program.id}` }, LATER);
    await soldAs(own, 'as much');
    expect(await owed(own, LATER)).toEqual({ data: { USD: { ...nothing, approved_cents: 980 } } });
    await soldAs(own, 'more', { amount_cents: 5 });
    expect((await owed(own, LATER)).data.USD).toMatchObject({ approved_cents: 981, due_now_cents: 1 });
  });

  it('shows no due days for programs without automatic approval', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    await changeProgram(world, own, { autoApprove: false });
    expect(await owed(own, LATER)).toEqual({ data: { USD: { ...nothing, pending_cents: 980 } } });
  });

  it('shows amounts that become due more than 90 days from now as due on the 90th day', async () => {
    const own = await ownedBrand(world, { holdPeriodDays: 90 });
    await soldAs(own, 'last day');
    await soldAs(own, 'later', {}, new Date('2026-11-22T15:00:00.000Z'));
    expect((await owed(own)).data.USD.by_date).toEqual([{ on: '2027-02-18', amount_cents: 1960 }]);
  });
});
