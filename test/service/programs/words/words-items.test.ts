import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { closeAccount } from '#lib/service/programs/closing/close-account.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { operated, operator } from '#test/support/callers/operator.ts';
import { NOW } from '#test/support/callers/request.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { storedItems } from '#test/support/table/invariants.ts';

// The entries by which a search finds partners, links and codes.

const world = openedWorld();

type Item = Record<string, unknown>;
const isWord = ({ pk }: Item) => /^\w+_WORDS#/.test(String(pk));

/** The words of a partner, in order. */
async function wordsOf(workspaceId: number, partnerId: number): Promise<string[]> {
  const place = keys.word('PARTNER', workspaceId, '', partnerId, String(partnerId)).sk;
  return (await storedItems(world))
    .filter(({ pk, sk }) => String(pk).startsWith(`PARTNER_WORDS#${workspaceId}#`) && String(sk).endsWith(place))
    .map(({ sk }) => String(sk).slice(0, -place.length))
    .toSorted();
}

const added = async (name = 'Jane Doe') => {
  const { program } = await world.brand();
  const email = `jane${program.id}@partners.test`;
  return { program, partner: await addPartner(world.deps(), program.id, { name, email }) };
};

describe('the search words of a partner', () => {
  it('are stored as items that contain only the word and the partner’s id', async () => {
    const { program, partner } = await added();
    const words = ['DOE', 'JANE', `JANE${program.id}`, 'PARTNERS', 'TEST'];
    expect(await wordsOf(program.workspaceId, partner.id)).toEqual(words);
    const items = await world.items(`PARTNER_WORDS#${program.workspaceId}#D`);
    expect(items).toEqual([keys.word('PARTNER', program.workspaceId, 'DOE', partner.id, String(partner.id))]);
  });

  it('change with the partner’s name and e-mail address', async () => {
    const { program, partner } = await added();
    await changePartner(world.deps(), program, partner.id, { name: 'Jane Roe', email: 'roe@new.test' });
    expect(await wordsOf(program.workspaceId, partner.id)).toEqual(['JANE', 'NEW', 'ROE', 'TEST']);
  });

  it('are those of the name that is stored after two parallel changes', async () => {
    const { program, partner } = await added();
    await Promise.all(['Ann One', 'Ben Two'].map((name) => changePartner(world.deps(), program, partner.id, { name })));
    const { name } = (await world.deps().table.get<{ name: string }>(keys.partner(program.id, partner.id)))!;
    const words = [...name.toUpperCase().split(' '), `JANE${program.id}`, 'PARTNERS', 'TEST'].toSorted();
    expect(await wordsOf(program.workspaceId, partner.id)).toEqual(words);
  });

  it('have one partition key per first letter or digit, and one for all words that begin with another character', async () => {
    const { program } = await added('7 Äpfel 王 Ω');
    for (const share of ['7', 'A', 'OTHER'])
      expect(await world.items(`PARTNER_WORDS#${program.workspaceId}#${share}`)).not.toEqual([]);
  });

  it('are at most eight words of the name, and the words of the e-mail address', async () => {
    const name = Array.from({ length: 60 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(' ');
    const { program, partner } = await added(name);
    expect(await wordsOf(program.workspaceId, partner.id)).toHaveLength(8 + 3);
    const other = name.replaceAll(/./gu, (one) => (one === ' ' ? ' ' : String.fromCodePoint(one.codePointAt(0)! + 99)));
    await changePartner(world.deps(), program, partner.id, { name: other });
    expect(await wordsOf(program.workspaceId, partner.id)).toHaveLength(8 + 3);
  });

  it('from the e-mail address are deleted when the person closes the account', async () => {
    const program = await programOf(world);
    const { account, partnerId } = await program.person();
    const { workspaceId } = program.brand.program;
    expect((await wordsOf(workspaceId, partnerId)).length).toBeGreaterThan(1);
    await closeAccount(world.deps(), account.id);
    expect(await wordsOf(workspaceId, partnerId)).toEqual(['BEN']);
  });
});

const sorted = (items: readonly Item[]) => items.map(({ pk, sk }) => `${String(pk)} ${String(sk)}`).toSorted();

describe('the operator’s command `search list-words`', () => {
  it('adds, once, the words for programs that an older version created', async () => {
    const own = await ownedBrand(world);
    await givenCode(world, own);
    const { table } = world.deps();
    const before = (await storedItems(world)).filter(isWord);
    for (const { pk, sk } of before) {
      await table.transact([{ name: 'lost', key: { pk: String(pk), sk: String(sk) }, remove: true }]);
    }
    const programs = (await storedItems(world)).filter(({ sk }) => sk === 'PROGRAM');
    for (const { id } of programs) await table.update(keys.program(id as number), { set: { listsWords: undefined } });
    const { program_ids: ids } = await operated(world, 'search list-words');
    expect(new Set(ids)).toEqual(new Set(programs.map(({ id }) => id)));
    expect(sorted((await storedItems(world)).filter(isWord))).toEqual(sorted(before));
    expect(await operated(world, 'search list-words')).toEqual({ program_ids: [] });
    expect((await operator(world, 'search list-words')).out).toEqual(['All are listed.']);
  });
});

it('the operator’s command `restore check` adds words that were lost', async () => {
  const own = await ownedBrand(world);
  await givenCode(world, own);
  const { table } = world.deps();
  const { id, workspaceId } = own.program;
  const [partner] = await world.items(`PARTNER_WORDS#${workspaceId}#A`);
  const link = (await storedItems(world)).find(({ pk }) => String(pk).startsWith(`LINK_WORDS#${id}#`));
  const code = (await storedItems(world)).find(({ pk }) => String(pk).startsWith(`CODE_WORDS#${id}#`));
  const lost = [partner, link, code].map((item) => item as { pk: string; sk: string });
  await table.transact(lost.map(({ pk, sk }) => ({ name: 'lost', key: { pk, sk }, remove: true as const })));
  const to = new Date(NOW.getTime() + 60_000);
  const check = () => operated(world, ['restore', 'check', '--to', to.toISOString(), '--former-table-lost'], to);
  expect((await check()).repaired).toEqual([
    `partner ${own.partner.id} of program ${id}: its words for the search`,
    `link ${own.shortLink} of program ${id}: its words for the search`,
    `code SAVE10 of program ${id}: its words for the search`,
  ]);
  for (const { pk, sk } of lost) expect(await world.items(pk)).toContainEqual({ pk, sk });
  expect((await check()).repaired).toEqual([]);
});
