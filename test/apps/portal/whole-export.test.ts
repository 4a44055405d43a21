import { expect, it } from 'vitest';
import type { Answer, Query } from '#lib/apps/web/api/api.ts';
import { wholeExport } from '#lib/apps/portal/settings/whole-export.ts';

/** An account with these programs, whose lists have one row on each of two pages. */
function apiOf(person: object) {
  const asked: string[] = [];
  const answer = async (path: string, { cursor }: Query = {}): Promise<Answer<never>> => {
    asked.push(path);
    const data = [{ list: path, page: cursor ?? 'first' }];
    return { data: data as never, meta: { next_cursor: cursor === undefined ? 'second' : null } };
  };
  const get = async (path: string): Promise<never> => {
    asked.push(path);
    return person as never;
  };
  return { asked, api: { answer, get } };
}

const { signal } = new AbortController();
const rowsOf = (list: string) => ['first', 'second'].map((page) => ({ list: `/programs/1/${list}`, page }));
const lists = ['commissions', 'payouts', 'customers', 'links', 'codes'];

it('the export of a partner’s data is the service’s reply if that reply says it is complete', async () => {
  const person = { programs: [{ program_id: 1, status: 'active' }], complete: true };
  const { api, asked } = apiOf(person);
  expect(await wholeExport(api, signal)).toEqual(person);
  expect(asked).toEqual(['/export']);
});

it('the export of a partner’s data is completed from the lists of each program if the reply says it is incomplete', async () => {
  const rejected = { program_id: 2, status: 'rejected', commissions: [], links: ['as they were'] };
  const { api } = apiOf({
    mail: true,
    programs: [{ program_id: 1, status: 'removed', commissions: ['some'], name: 'Acme' }, rejected],
    complete: false,
  });
  expect(await wholeExport(api, signal)).toEqual({
    mail: true,
    programs: [
      {
        program_id: 1,
        status: 'removed',
        name: 'Acme',
        ...Object.fromEntries(lists.map((list) => [list, rowsOf(list)])),
      },
      rejected,
    ],
    complete: true,
  });
});

it('the export of a partner’s data stops when the page is closed', async () => {
  const { api, asked } = apiOf({ programs: [{ program_id: 1, status: 'active' }], complete: false });
  expect((await wholeExport(api, AbortSignal.abort())).programs).toEqual([]);
  expect(asked).toEqual(['/export']);
});
