import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { refusedReply, dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { type SentCall, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';

// The balance of one partner.

const world = openedWorld();

const amounts = (changes: object) => ({
  pending_cents: 0,
  approved_cents: 0,
  held_cents: 0,
  due_now_cents: 0,
  balance_cents: 0,
  by_date: [],
  ...changes,
});

const owedTo = async (own: OwnedBrand, partnerId: unknown, at = NOW) =>
  (await own.owner.get(`${own.path}/owed?partner_id=${String(partnerId)}`, { at })).body.data;

/** Ana has an approved and a waiting commission in dollars. Ben has a commission in dollars and another in euros. */
async function scene() {
  const own = await ownedBrand(world);
  const ben = await anotherPartner(world, own, 'Ben');
  const ofBen = { ...own, ...ben };
  const [approved] = (await earned(own, 2)) as [number];
  await own.owner.post(`${own.path}/commissions/${approved}/approve`);
  const name = (what: string) => `${what}-${own.program.id}`;
  const { commission_id: id } = await soldTo(ofBen, name('b1'), { transaction_id: name('b1'), amount_cents: 1000 });
  await soldTo(ofBen, name('b2'), { transaction_id: name('b2'), currency: 'EUR' });
  return { own, ana: own.partner.id, ben: ben.partner.id, ofBen: id };
}

const dec5 = (cents: number) => [{ on: '2026-12-05', amount_cents: cents }];

describe('a request for the balance of a partner gets 200', () => {
  it('with the partner’s share of what the program owes', async () => {
    const { own, ana, ben } = await scene();
    expect(await own.owner.get(`${own.path}/owed?partner_id=${ana}`, { at: new Date('2026-11-21') })).toEqual(
      dataReply(
        {
          USD: amounts({ pending_cents: 980, approved_cents: 980, due_now_cents: 980, by_date: dec5(980) }),
        },
        1,
        new Date('2026-11-21'),
      ),
    );
    expect(await owedTo(own, ben)).toEqual({
      EUR: amounts({ pending_cents: 980, by_date: dec5(980) }),
      USD: amounts({ pending_cents: 200, by_date: dec5(200) }),
    });
    expect((await own.owner.get(`${own.path}/owed`)).body.data).toEqual({
      EUR: amounts({ pending_cents: 980, by_date: dec5(980) }),
      USD: amounts({ pending_cents: 1180, approved_cents: 980, due_now_cents: 980, by_date: dec5(1180) }),
    });
    const { due_now_cents: due } = (await owedTo(own, ana, HOLD_OVER)).USD;
    const preview = await own.owner.post(`${own.path}/payouts/preview`, { partner_id: ana }, { at: HOLD_OVER });
    expect(preview.body.data.totals).toEqual({ USD: due });
  });

  it('with no amounts for a partner who has earned nothing', async () => {
    const { own } = await scene();
    const { data } = (await own.owner.post(`${own.path}/partners`, { name: 'Cid', email: newAddress() })).body;
    expect(await owedTo(own, data.id)).toEqual({});
  });

  it('with the amounts of a removed partner too', async () => {
    const { own, ana } = await scene();
    await own.owner.patch(`${own.path}/partners/${ana}`, { status: 'removed' });
    expect(await owedTo(own, ana)).toMatchObject({ USD: { due_now_cents: 980 } });
  });

  it('and an amount due now that includes only what a payout in progress will still pay to the partner', async () => {
    const { own, ana, ben } = await scene();
    const id = 1_000_000;
    const open = { id, programId: own.program.id, status: 'open', items: [], createdAt: NOW.toISOString(), steps: 1 };
    const { table } = world.deps();
    await table.put(keys.payout(id), { ...open, partnerId: ben });
    await table.put(keys.openPayout(own.program.id), { payoutId: id });
    expect((await owedTo(own, ana, HOLD_OVER)).USD).toEqual(amounts({ approved_cents: 1960 }));
    expect((await owedTo(own, ben, HOLD_OVER)).USD).toEqual(amounts({ approved_cents: 200, due_now_cents: 200 }));
  });

  it('without the amounts of rejected and paid commissions', async () => {
    const { own, ana, ben, ofBen } = await scene();
    await own.owner.post(`${own.path}/commissions/${ofBen}/reject`, { reason: 'Fraud' });
    await own.owner.post(`${own.path}/payouts`, { partner_id: ana });
    expect(await owedTo(own, ben)).toEqual({ EUR: amounts({ pending_cents: 980, by_date: dec5(980) }) });
    expect(await owedTo(own, ana)).toEqual({ USD: amounts({ pending_cents: 980, by_date: dec5(980) }) });
  });
});

describe('a request for the balance of a partner gets 404 “Partner not found”', () => {
  it.each(['999999', '0', '-1', '', 'x', 'ana@partners.test', '9'.repeat(30)])('for the partner id %j', async (id) => {
    const own = await ownedBrand(world);
    expect(await own.owner.get(`${own.path}/owed?partner_id=${id}`)).toEqual(refusedReply(404, 'Partner not found'));
  });

  it('for a partner of another program', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    await earned(other, 1);
    const reply = await own.owner.get(`${own.path}/owed?partner_id=${other.partner.id}`);
    expect(reply.body).toEqual(platformError(404, 'Partner not found'));
  });
});

// The balance is read from the index, whose keys contain it.

const itemsRead = (calls: readonly SentCall[]): number =>
  calls
    .flatMap(({ input }) => Object.values((input.RequestItems ?? {}) as Record<string, { Keys?: unknown[] }>))
    .reduce((sum, { Keys = [] }) => sum + Keys.length, 0);

const queriesOfIndex = (calls: readonly SentCall[]): number =>
  calls.filter(({ input }) => input.IndexName !== undefined).length;

it(
  'computing the balance of 5,000 unpaid commissions takes at most two index queries and reads no commission itself',
  { tags: 'deep' },
  async () => {
    const own = await ownedBrand(world);
    const { path, owner } = own;
    await manyCommissions(world, own.program.id, own.partner.id, 5_000, (n) => `many ${own.program.id} ${n}`);
    const USD = { due_now_cents: 500_000, approved_cents: 500_000, balance_cents: 0, by_date: [] };
    const preview = { totals: { USD: 500_000 } };
    const asked = [
      [() => owner.get(`${path}/owed`, { at: HOLD_OVER }), { USD }, 2],
      [() => owner.get(`${path}/owed?partner_id=${own.partner.id}`, { at: HOLD_OVER }), { USD }, 2],
      // The preview makes two more queries: for the program's last payout, and for the partner's last payout.
      [() => owner.post(`${path}/payouts/preview`, {}, { at: HOLD_OVER }), preview, 4],
    ] as const;
    for (const [ask, expected, queries] of asked) {
      const calls = await sentCalls(async () => expect((await ask()).body.data).toMatchObject(expected));
      expect(queriesOfIndex(calls)).toBeLessThanOrEqual(queries);
      // The request reads only the token, the account, the program and similar items.
      expect(itemsRead(calls)).toBeLessThan(10);
      // A read unit covers 32 rows.
      expect(unitsOf(calls).read).toBeLessThan(170);
    }
  },
);

it('the balance of one partner reads only that partner’s commissions', async () => {
  const { own, ben } = await scene();
  const calls = await sentCalls(() => own.owner.get(`${own.path}/owed?partner_id=${ben}`));
  const listed = calls.filter(({ input }) => input.IndexName !== undefined);
  expect(listed.map(({ input }) => [input.IndexName, input.ExpressionAttributeValues])).toEqual([
    ['gsi2', { ':list': `PARTNER#${own.program.id}#${ben}#OPEN_COMMISSIONS` }],
  ]);
});

const unitsWritten = async (run: () => Promise<unknown>): Promise<number> =>
  unitsOf((await sentCalls(run)).filter(({ name }) => name === 'TransactWriteCommand')).write;

const AUDIT = 2;

it('a change of an owed amount costs two write units in each of the two indexes that list the commission', async () => {
  const own = await ownedBrand(world);
  const [approved, rejected] = (await earned(own, 2)) as [number, number];
  const id = `units ${own.program.id}`;
  await soldTo(own, id, { transaction_id: id });
  const { owner, path } = own;
  const units = [
    await unitsWritten(() => owner.post(`${path}/commissions/${approved}/approve`)),
    await unitsWritten(() => owner.post(`${path}/commissions/${rejected}/reject`, { reason: 'Fraud' })),
    await unitsWritten(() => refunded(own, { transaction_id: id, refund_amount_cents: 100 })),
    await unitsWritten(() => refunded(own, { transaction_id: id })),
  ];
  // A settled commission leaves the program's index. A user's change also writes an audit row.
  expect(units).toEqual([6 + AUDIT, 5 + AUDIT, 11, 10]);
});

it('the next page of commissions starts after the previous page, even if that page’s last commission has since changed', async () => {
  const own: OwnedBrand = await ownedBrand(world);
  await own.owner.patch(own.path, { auto_approve: false });
  await earned(own, 6);
  const page = async (query: string) => {
    const { body } = await own.owner.get(`${own.path}/commissions?status=pending&${query}`);
    return { ids: body.data.map(({ id }: { id: number }) => id) as number[], next: String(body.meta.next_cursor) };
  };
  const { ids: all } = await page('limit=10');
  const { ids, next } = await page('limit=3');
  expect(ids).toEqual(all.slice(0, 3));
  await own.owner.post(`${own.path}/commissions/${ids[2]}/approve`);
  expect((await page(`limit=3&cursor=${next}`)).ids).toEqual(all.slice(3));
});
