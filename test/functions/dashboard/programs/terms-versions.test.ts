import { expect, it, describe } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { NOW } from '#test/support/callers/request.ts';
import { newAddress } from '#test/support/programs/people.ts';

const world = openedWorld();

const explained = async (own: Awaited<ReturnType<typeof ownedBrand>>, transactionId: string) => {
  const { sale, commission } = (await own.owner.get(`${own.path}/sales/${transactionId}`)).body.data;
  return { sale: sale.terms, commission: commission?.terms, rate: commission?.commission_rate };
};

it('every change of a program’s terms creates a version, and each sale keeps the version in force at the sale', async () => {
  const own = await ownedBrand(world);
  const version = (number: number) => ({ version: number, from: 'program', name: own.program.name });
  const soldNow = async (id: string) => {
    await soldTo(own, id, { transaction_id: id });
    return explained(own, id);
  };
  expect(await soldNow('v1')).toEqual({ sale: version(1), commission: version(1), rate: 20 });
  await own.owner.patch(own.path, { commission_rate: 30 });
  expect(await soldNow('v2')).toEqual({ sale: version(2), commission: version(2), rate: 30 });
  await own.owner.patch(own.path, { lead_commission_cents: 500, hold_period_days: 3 });
  expect(await soldNow('v3')).toEqual({ sale: version(3), commission: version(3), rate: 30 });
  // These changes create no version: a new name, and values that are already stored.
  await own.owner.patch(own.path, { name: 'Renamed', commission_rate: 30, duration_months: 0 });
  expect(await soldNow('v4')).toMatchObject({ sale: { ...version(3), name: 'Renamed' } });
  expect(await explained(own, 'v1')).toEqual({ sale: version(1), commission: version(1), rate: 20 });

  const kept = (number: number) => world.items(keys.termsVersion(own.program.id, number).pk);
  const versions = (await kept(1)).filter(({ sk }) => String(sk).startsWith('TERMS#'));
  const now = NOW.toISOString();
  const terms = { pk: `PROGRAM#${own.program.id}`, commissionType: 'percent', holdPeriodDays: 15, effectiveAt: now };
  const by = { name: expect.any(String), accountId: Number(own.actor.split(':')[1]) };
  expect(versions).toEqual([
    { ...terms, ...version(1), sk: 'TERMS#000001', commissionRate: 20, endedAt: now },
    { ...terms, ...version(2), sk: 'TERMS#000002', commissionRate: 30, by, endedAt: now },
    {
      ...terms,
      ...version(3),
      sk: 'TERMS#000003',
      commissionRate: 30,
      holdPeriodDays: 3,
      leadCommissionCents: 500,
      by,
    },
  ]);
});

it('the explanation of a renewal that earns no commission also shows the version of the terms', async () => {
  const own = await ownedBrand(world);
  await soldTo(own, 'payer', { transaction_id: 'first' });
  await sold(own, { transaction_id: 'later', customer_key: 'payer', is_recurring: true });
  const version = { version: 1, from: 'program', name: own.program.name };
  expect(await explained(own, 'later')).toEqual({ sale: version, commission: undefined, rate: undefined });
});

const termsItems = async (id: number) =>
  (await world.items(`PROGRAM#${id}`)).filter(({ sk }) => String(sk).startsWith('PARTNER_TERMS#'));

describe('the text partner_terms of a program, which partners accept,', () => {
  it('gets a new version for each change of the text', async () => {
    const { user, url, id } = await programOf(world);
    const change = async (fields: object) => {
      const { partner_terms, partner_terms_version } = (await user.patch(url, fields)).body.data;
      expect((await user.get(url)).body.data).toMatchObject({ partner_terms, partner_terms_version });
      return [partner_terms, partner_terms_version];
    };
    expect(await change({ partner_terms: 'One' })).toEqual(['One', 1]);
    expect(await change({ partner_terms: 'One' })).toEqual(['One', 1]);
    expect(await change({ name: 'Renamed' })).toEqual(['One', 1]);
    expect(await change({ partner_terms: 'Two' })).toEqual(['Two', 2]);
    expect(await change({ partner_terms: '' })).toEqual([null, null]);
    expect(await change({ partner_terms: 'Two' })).toEqual(['Two', 3]);
    expect(await termsItems(id)).toMatchObject([{ text: 'One' }, { text: 'Two' }, { text: 'Two' }]);
  });

  it('gets a separate version for each of several parallel changes', async () => {
    const { user, url, id } = await programOf(world);
    const texts = ['One', 'Two', 'Three'];
    const replies = await Promise.all(texts.map((partner_terms) => user.patch(url, { partner_terms })));
    const versions = replies.map(({ body }) => body.data.partner_terms_version);
    expect(new Set(versions)).toEqual(new Set([1, 2, 3]));
    const stored = (await termsItems(id)).map(({ text }) => text);
    expect(stored).toEqual([1, 2, 3].map((version) => texts[versions.indexOf(version)]));
  });

  it(
    'has a maximum length, so that a page of programs with the longest text stays below 5 MB',
    { tags: ['deep'] },
    async () => {
      const { user } = await programOf(world);
      const text = '\u0001'.repeat(20_000);
      const fields = { domain: 'long.test', commission_type: 'percent', commission_rate: 1, partner_terms: text };
      for (let n = 0; n < 40; n += 1) await user.post('/programs', { ...fields, name: `Long ${n}` });
      const pages = await everyPage(user, '/programs?limit=100');
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.flat()).toHaveLength(41);
      for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(5_000_000);
    },
  );
});

it('a partner whom the brand added is active, and shown as not having joined yet', async () => {
  const { id, add, item, row } = await programOf(world);
  const partnerId = await add(newAddress());
  const stored = await item(partnerId);
  expect(Object.keys(stored!).toSorted()).toEqual(
    ['createdAt', 'email', 'gsi1pk', 'gsi1sk', 'id', 'links', 'name', 'pk', 'programId', 'sk', 'status'].toSorted(),
  );
  expect(await row(partnerId)).toMatchObject({ status: 'active', joined_at: null });
  expect(id).toBe(stored!.programId);
});
