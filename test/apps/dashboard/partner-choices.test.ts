import { expect, it } from 'vitest';
import type { Api } from '#lib/apps/web/api/api.ts';
import { partnerFinder } from '#lib/apps/dashboard/lists/partner-choices.ts';

const ana = { id: 1, name: 'Ana Müller', email: 'ana@partners.test' };
const ben = { id: 2, name: 'Ben', email: 'ben@partners.test' };

/** A program with these partners on the first page. */
function program(hasOthers: boolean, failsFirst = false) {
  const asked: string[] = [];
  const answer = async (path: string) => {
    asked.push(path);
    if (failsFirst && asked.length === 1) throw new Error('gone');
    return { data: [ana, ben], meta: { next_cursor: hasOthers ? 'next' : null } };
  };
  const get = async (path: string, { q }: { q: string }) => {
    asked.push(`${path} ${q}`);
    return [
      { kind: 'partner', id: '77', label: 'Zoe', detail: 'zoe@partners.test' },
      { kind: 'link', id: 'zoe', label: 'zoe', detail: '' },
    ];
  };
  return { asked, find: partnerFinder({ answer, get } as unknown as Api, '/p') };
}

const choiceOf = ({ id, ...rest }: typeof ana) => ({ id: String(id), ...rest });

it.each([
  ['', [ana, ben]],
  [' MÜLL ', [ana]],
  ['ben@', [ben]],
  ['partners.test', [ana, ben]],
  ['nobody', []],
])('typing %j filters the list of partners in the browser if all partners are on one page', async (typed, found) => {
  const { asked, find } = program(false);
  await find('');
  expect(await find(typed)).toEqual({ partners: found.map(choiceOf), hasOthers: false });
  expect(asked).toEqual(['/p/partners']);
});

it('typing a name searches at the service if the partners do not fit on one page', async () => {
  const { asked, find } = program(true);
  expect(await find('')).toEqual({ partners: [choiceOf(ana), choiceOf(ben)], hasOthers: true });
  expect(await find('zo ')).toEqual({
    partners: [{ id: '77', name: 'Zoe', email: 'zoe@partners.test' }],
    hasOthers: false,
  });
  expect(asked).toEqual(['/p/partners', '/p/search zo']);
});

it('if the request for the list of partners fails, it is sent again when the user types', async () => {
  const { find } = program(false, true);
  await expect(find('')).rejects.toThrow('gone');
  expect((await find('')).partners).toHaveLength(2);
});
