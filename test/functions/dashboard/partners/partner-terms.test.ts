import { describe, expect, it } from 'vitest';
import { programOf } from '#test/support/programs/candidates.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const termsItems = async (id: number) =>
  (await world.items(`PROGRAM#${id}`)).filter(({ sk }) => String(sk).startsWith('PARTNER_TERMS#'));

describe('partner_terms', () => {
  it('has a version for every change of the text, and keeps each', async () => {
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

  it('changed by several at once: every text has a version of its own', async () => {
    const { user, url, id } = await programOf(world);
    const texts = ['One', 'Two', 'Three'];
    const replies = await Promise.all(texts.map((partner_terms) => user.patch(url, { partner_terms })));
    const versions = replies.map(({ body }) => body.data.partner_terms_version);
    expect(new Set(versions)).toEqual(new Set([1, 2, 3]));
    const stored = (await termsItems(id)).map(({ text }) => text);
    expect(stored).toEqual([1, 2, 3].map((version) => texts[versions.indexOf(version)]));
  });

  it(
    'is the largest text of a program, and a page of programs with such texts is short',
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

it('a partner whom the brand added is one to it, who has not joined yet', async () => {
  const { id, add, item, row } = await programOf(world);
  const partnerId = await add(newAddress());
  const stored = await item(partnerId);
  expect(Object.keys(stored!).toSorted()).toEqual(
    ['createdAt', 'email', 'gsi1pk', 'gsi1sk', 'id', 'links', 'name', 'pk', 'programId', 'sk', 'status'].toSorted(),
  );
  expect(await row(partnerId)).toMatchObject({ status: 'active', joined_at: null });
  expect(id).toBe(stored!.programId);
});
