import { describe, expect, it } from 'vitest';
import { commission, earned, HOLD_OVER, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { pageReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => ownedBrand(world));

const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

describe('GET commissions answers 200', () => {
  it('and lists commissions, newest first', async () => {
    const [first] = await earned(brand, 1);
    const [second] = await earned(brand, 1, {}, minutesLater(1));
    const at = minutesLater(1).toISOString();
    expect(await brand.owner.get(`${brand.path}/commissions`)).toEqual(
      pageReply([
        commission(brand, {
          id: second,
          occurred_at: at,
          created_at: at,
          hold_until: '2026-12-05T15:01:00.000Z',
        }),
        commission(brand, { id: first }),
      ]),
    );
  });

  it('and finds each commission by an item that is stored in the same transaction as the sale', async () => {
    const own = await ownedBrand(world);
    const sale = await soldTo(own, 'named', { transaction_id: 'named' });
    expect(await world.items(`COMMISSION#${sale.commission_id}`)).toEqual([
      {
        pk: `COMMISSION#${sale.commission_id}`,
        sk: 'OF#named',
        gsi1pk: `PROGRAM#${own.program.id}#COMMISSIONS`,
        gsi1sk: `${NOW.toISOString()}#${sale.commission_id}`,
      },
    ]);
  });

  it('and lists each commission once over all pages, even if several have the same time', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 5);
    const pages = await everyPage(own.owner, `${own.path}/commissions?limit=2`);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('and shows a pending commission as approved from the millisecond at which its hold period ends', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    const listed = async (at: Date) => (await own.owner.get(`${own.path}/commissions`, { at })).body.data;
    expect(await listed(new Date(HOLD_OVER.getTime() - 1))).toEqual([commission(own)]);
    const approved = { status: 'approved', approved_at: HOLD_OVER.toISOString() };
    expect(await listed(HOLD_OVER)).toEqual([commission(own, approved)]);
    await own.owner.patch(own.path, { auto_approve: false });
    expect(await listed(HOLD_OVER)).toEqual([commission(own)]);
    await own.owner.patch(own.path, { auto_approve: true });
    expect(await listed(HOLD_OVER)).toEqual([commission(own, approved)]);
  });

  it('and filters by partner and by current status', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Ben');
    const [held, rejected, reversed] = await earned(own, 3);
    const transactionId = 'of_ben';
    const ofBen = await soldTo({ ...own, ...ben }, transactionId, { transaction_id: transactionId });
    await own.owner.post(`${own.path}/commissions/${rejected}/reject`, { reason: 'Fraud' });
    const row = (await own.owner.get(`${own.path}/commissions`)).body.data.find(
      ({ id }: { id: number }) => id === reversed,
    );
    await refunded(own, { transaction_id: row.transaction_id });

    const ids = async (query: string, at = NOW) =>
      (await own.owner.get(`${own.path}/commissions?${query}`, { at })).body.data.map(({ id }: { id: number }) => id);
    expect(await ids('status=pending')).toEqual([ofBen.commission_id, held]);
    expect(await ids('status=approved')).toEqual([]);
    expect(await ids('status=pending', HOLD_OVER)).toEqual([]);
    expect(await ids('status=approved', HOLD_OVER)).toEqual([ofBen.commission_id, held]);
    expect(await ids('status=rejected')).toEqual([rejected]);
    expect(await ids('status=reversed')).toEqual([reversed]);
    expect(await ids('status=paid')).toEqual([]);
    expect(await ids(`partner_id=${ben.partner.id}`)).toEqual([ofBen.commission_id]);
    expect(await ids(`partner_id=${own.partner.id}&status=pending`)).toEqual([held]);
    expect(await ids('partner_id=999')).toEqual([]);
    expect(await ids('partner_id=nobody')).toEqual([]);
  });
});

describe('GET commissions answers 400', () => {
  it.each([['status=open', 'Invalid status: open. Valid: held, pending, approved, paid, rejected, reversed']])(
    'to the query ?%s, with the message “%s”',
    async (query, message) => {
      expect(await brand.owner.get(`${brand.path}/commissions?${query}`)).toMatchObject(refusal(400, message));
    },
  );

  it('to a cursor from a list with another filter', async () => {
    const own = await ownedBrand(world);
    await earned(own, 2);
    const { body } = await own.owner.get(`${own.path}/commissions?limit=1`);
    const reply = await own.owner.get(`${own.path}/commissions?limit=1&status=pending&cursor=${body.meta.next_cursor}`);
    expect(reply).toMatchObject(refusal(400, 'Invalid cursor'));
  });
});
