import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';

const sent = (query: Record<string, string | undefined> = {}, path: Record<string, string> = {}) => ({
  json: () => ({}),
  query,
  path,
  cookies: [],
});

/** The cursor returned by a list at a position. */
function cursorAt(position: string, query = {}, path = {}): string {
  const page = pageRequest(sent(query, path), 'links', ['status']);
  const { meta } = pageBody(page, { items: [], next: position }, (item) => item).whole;
  return (meta as { next_cursor: string }).next_cursor;
}

const position = fc.string({ minLength: 1, unit: 'grapheme' });
const status = fc.option(fc.string(), { nil: undefined });
const id = fc.stringMatching(/^\d{1,9}$/);

it('a cursor continues at its position if it is sent to the same list with the same filters', () => {
  fc.assert(
    fc.property(position, status, id, (after, filter, programId) => {
      const cursor = cursorAt(after, { status: filter }, { id: programId });
      const page = pageRequest(sent({ cursor, status: filter }, { id: programId }), 'links', ['status']);
      expect(page).toMatchObject({ most: 25, after });
    }),
  );
});

it('a cursor is refused in another list, with other filters or for another program', () => {
  fc.assert(
    fc.property(position, status, status, id, id, (after, filter, otherFilter, programId, otherId) => {
      fc.pre(filter !== otherFilter || programId !== otherId);
      const cursor = cursorAt(after, { status: filter }, { id: programId });
      const other = sent({ cursor, status: otherFilter }, { id: otherId });
      expect(() => pageRequest(other, 'links', ['status'])).toThrow('Invalid cursor');
      expect(() => pageRequest(sent({ cursor }), 'partners', ['status'])).toThrow('Invalid cursor');
    }),
  );
});

it('a cursor that a caller invents leads only to positions in a list that the caller may read', () => {
  fc.assert(
    fc.property(position, id, (after, programId) => {
      // A cursor that anyone can compute from the code: any position, valid for the caller's own list.
      const page = pageRequest(sent({ cursor: cursorAt(after, {}, { id: programId }) }, { id: programId }), 'links', [
        'status',
      ]);
      // The list is determined by route and path; the cursor only contains the position.
      expect(page).toEqual({ list: JSON.stringify(['links', programId, null]), most: 25, after });
    }),
  );
});

it('a text that no list has returned as a cursor is refused', () => {
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      expect(() => pageRequest(sent({ cursor }), 'links')).toThrow('Invalid cursor');
    }),
  );
});

it.each([
  [undefined, 25],
  ['1', 1],
  ['100', 100],
])('the query limit=%s returns at most %i rows', (limit, most) => {
  expect(pageRequest(sent({ limit }), 'links')).toMatchObject({ most });
});
