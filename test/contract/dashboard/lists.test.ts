import { figuresParameters } from '#lib/service/http/reports/figures-request.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { setMember } from '#lib/service/people/workspaces/set-member.ts';
import { type Dashboard, dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of properties that all dashboard lists have.

const MANY = 104;
const wrongLimit = platformError(400, 'limit must be an integer from 1 to 100');
const wrongCursor = platformError(400, 'Invalid cursor');

const world = openedWorld();
let brand: Brand;
let workspaceId: number;
let token: string;
/** Each item is a minute newer than the previous one; members and programs include an earlier one. */
beforeAll(async () => {
  brand = await world.brand();
  workspaceId = brand.program.workspaceId;
  token = (await ownerOfBrand(world, brand)).token;
  for (let made = 1; made <= MANY; made++) {
    const later = () => world.deps(new Date(NOW.getTime() + made * 60_000));
    const { id: programId } = brand.program;
    // Resets the counter, so that more programs can be created than the limit allows.
    await later().table.update(keys.workspace(workspaceId), { set: { programCount: 0 } });
    const terms = { domain: 'acme.test', commissionType: 'fixed', commissionRate: 1 } as const;
    await Promise.all([
      setMember(later(), workspaceId, { email: `m${made}@acme.test`, role: 'member' }),
      createProgram(later(), workspaceId, { name: `P${made}`, ...terms }),
      addPartner(later(), programId, {
        name: `P${made}`,
        email: `p${made}@partners.test`,
        wishedLink: `link-${made}`,
      }),
    ]);
  }
}, 60_000);

const program = (id = brand.program.id) => `/programs/${id}`;
const numbered = (prefix: string, suffix = '') =>
  Array.from({ length: MANY }, (_, at) => `${prefix}${at + 1}${suffix}`);

const lists: [string, () => string, string, () => string[]][] = [
  ['members', () => '/workspace/members', 'email', () => ['owner@brand1.test', ...numbered('m', '@acme.test')]],
  ['programs', () => '/programs', 'name', () => ['Program 1', ...numbered('P')]],
  ['partners', () => `${program()}/partners`, 'name', () => ['Ana', ...numbered('P')]],
  ['links', () => `${program()}/links`, 'short_link', () => [brand.shortLink, ...numbered('link-')]],
];

/** The owner's dashboard in a separate minute. */
let minute = 0;
function owner(): Dashboard {
  const at = new Date(NOW.getTime() + ++minute * 60_000);
  return { ...dashboard(token), get: (url) => dashboard(token).get(url, { at }) };
}

describe.each(lists)('the list %s', (_, url, field, names) => {
  it.each([
    ['', [25, 25, 25, 25, 5]],
    ['?limit=100', [100, 5]],
    ['?limit=35', [35, 35, 35]],
    ['?limit=99', [99, 6]],
  ])('with the query "%s" returns every row once, oldest first, in pages of %j rows', async (query, sizes) => {
    const pages = await everyPage(owner(), url() + query);
    expect(pages.map((page) => page.length)).toEqual(sizes);
    expect(pages.flat().map((row) => row[field])).toEqual(names());
  });

  it('with limit=1 begins with the oldest row', async () => {
    const { body } = await owner().get(`${url()}?limit=1`);
    expect(body).toEqual({
      data: [expect.objectContaining({ [field]: names()[0] })],
      meta: { next_cursor: expect.any(String) },
    });
  });

  it.each(['0', '101', '-1', '1.5', '1e1', '', 'x', '0x10', '1000', ' 5', '+5', '٣'])(
    'refuses limit=%s',
    async (limit) => {
      expect(await owner().get(`${url()}?limit=${encodeURIComponent(limit)}`)).toEqual({
        status: 400,
        headers: countedHeaders(300, 1, new Date(NOW.getTime() + minute * 60_000)),
        body: wrongLimit,
      });
    },
  );

  it('refuses a cursor in which a character was changed, removed or added, and one that was invented', async () => {
    const user = owner();
    const cursor: string = (await user.get(`${url()}?limit=2`)).body.meta.next_cursor;
    expect(cursor).toMatch(/^[\w-]+$/);
    const changed = Array.from(
      cursor,
      (character, at) => cursor.slice(0, at) + (character === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    for (const wrong of [
      ...changed,
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      '',
      'x',
      '!',
      btoa('0'),
    ]) {
      const { body } = await user.get(`${url()}?cursor=${encodeURIComponent(wrong)}`);
      expect([wrong, body]).toEqual([wrong, wrongCursor]);
    }
  });

  it('refuses a cursor of another list with “Invalid cursor”, and reports an invalid limit rather than an invalid cursor', async () => {
    const user = owner();
    for (const [other, otherUrl] of lists) {
      if (otherUrl() === url()) continue;
      const { body } = await user.get(`${otherUrl()}?limit=2`);
      expect([other, (await user.get(`${url()}?cursor=${body.meta.next_cursor}`)).body]).toEqual([other, wrongCursor]);
    }
    expect((await user.get(`${url()}?cursor=x&limit=x`)).body).toEqual(wrongLimit);
  });
});

describe('filters of lists', () => {
  it.each(['partners', 'links'])(
    'of %s must be the same in the request for the next page, and so must the program',
    async (list) => {
      const user = owner();
      const cursorOf = async (url: string): Promise<string> => (await user.get(url)).body.meta.next_cursor;
      const active = await cursorOf(`${program()}/${list}?status=active&limit=2`);
      expect((await user.get(`${program()}/${list}?status=active&limit=50&cursor=${active}`)).status).toBe(200);
      expect((await user.get(`${program()}/${list}?limit=2&cursor=${active}`)).body).toEqual(wrongCursor);
      const other = (await user.get('/programs?limit=2')).body.data[1].id;
      const all = await cursorOf(`${program()}/${list}?limit=2`);
      expect((await user.get(`${program(other)}/${list}?limit=2&cursor=${all}`)).body).toEqual(wrongCursor);
    },
  );

  it.each([
    ['partners', 'deleted', 'Invalid status: deleted. Valid: active, removed, invited, applied, rejected, expired'],
    ['partners', '', 'Invalid status: . Valid: active, removed, invited, applied, rejected, expired'],
    ['links', 'removed', 'Invalid status: removed. Valid: active, inactive'],
    ['links', 'Active', 'Invalid status: Active. Valid: active, inactive'],
  ])('of %s cannot have the value "%s" as status: %s', async (list, status, message) => {
    const { body } = await owner().get(`${program()}/${list}?status=${status}`);
    expect(body).toEqual(platformError(400, message));
  });

  it.each(['', 'yes', '1'])('of partners cannot have the value "%s" as queued', async (queued) => {
    const { body } = await owner().get(`${program()}/partners?queued=${queued}`);
    expect(body).toEqual(platformError(400, `Invalid queued: ${queued}. Valid: true, false`));
  });

  it('are checked after the limit and the cursor', async () => {
    const url = `${program()}/links?status=x`;
    expect((await owner().get(`${url}&limit=0`)).body).toEqual(wrongLimit);
    expect((await owner().get(`${url}&cursor=x`)).body).toEqual(wrongCursor);
  });

  it('that match no row give an empty list', async () => {
    const nothing = { data: [], meta: { next_cursor: null } };
    expect((await owner().get(`${program()}/partners?status=removed`)).body).toEqual(nothing);
    expect((await owner().get(`${program()}/links?partner_id=999999`)).body).toEqual(nothing);
    expect((await owner().get(`${program()}/links?status=inactive`)).body).toEqual(nothing);
  });

  it('that match few of many rows return those rows over several pages', async () => {
    const [user, few] = [owner(), ['link-1', 'link-60', 'link-104']];
    for (const name of few) await user.patch(`${program()}/links/${name}`, { status: 'inactive' });
    const pages = await everyPage(user, `${program()}/links?status=inactive&limit=2`);
    expect(pages.map((page) => page.map((link) => link.short_link))).toEqual([few.slice(0, 2), few.slice(2)]);
    expect((await everyPage(user, `${program()}/links?status=active&limit=100`)).map((page) => page.length)).toEqual([
      100, 2,
    ]);
  });
});

const filtersOf: Readonly<Record<string, readonly string[]>> = {
  partners: ['status', 'queued', ...figuresParameters],
  links: ['partner_id', 'status', ...figuresParameters],
};

/** Makes a cursor as any reader of the code could, because a cursor contains no secret. */
function madeUpCursor(list: string, position: string): string {
  const path = list === 'partners' || list === 'links' ? { id: String(brand.program.id) } : {};
  const page = pageRequest({ query: {}, path }, list, filtersOf[list]);
  const { meta } = pageBody(page, { items: [], next: position }, (item) => item).whole;
  return (meta as { next_cursor: string }).next_cursor;
}

describe.each(lists)('a cursor for the list %s that a caller invents', (list, url, field, names) => {
  it.each([
    ['before all rows', '0'],
    ['in the middle', new Date(NOW.getTime() + 50 * 60_000).toISOString()],
    ['after all rows', '\uffff'],
    ['at a control character', '\u0000'],
    ['at a key of another list', 'PROGRAM#2#LINKS'],
  ])('returns only rows that the caller may read, even if its position is %s', async (_, position) => {
    const { status, body } = await owner().get(`${url()}?limit=100&cursor=${madeUpCursor(list, position)}`);
    expect(status).toBe(200);
    const rows = body.data.map((row: Record<string, unknown>) => row[field]);
    expect(names()).toEqual(expect.arrayContaining(rows));
  });

  it('is refused if it is longer than any valid cursor', async () => {
    const { status, body } = await owner().get(`${url()}?cursor=${madeUpCursor(list, 'x'.repeat(1_500))}`);
    expect([status, body]).toEqual([400, wrongCursor]);
  });
});

describe('a list that changes between two pages', () => {
  it('shows each remaining member exactly once if a member leaves the workspace', async () => {
    const user = owner();
    const { body: first } = await user.get('/workspace/members?limit=2');
    await user.delete(`/workspace/members/${encodeURIComponent(first.data[1].email)}`);
    const { body } = await user.get(`/workspace/members?limit=2&cursor=${first.meta.next_cursor}`);
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual(['m2@acme.test', 'm3@acme.test']);
  });
});
