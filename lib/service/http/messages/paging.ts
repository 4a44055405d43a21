import { createHash } from 'node:crypto';
import { cursorInvalid, limitInvalid } from '#lib/service/ground/values/refusals.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { RankedPage } from '#lib/service/reports/figures/ranking.ts';
import { Body, type RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import type { Row } from '#lib/wire/words/replies.ts';
import type { ListOf, RankedListOf } from '#lib/wire/words/wrapped.ts';

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 100;
const SEAL_CHARACTERS = 11;
/** DynamoDB's limit for a sort key. */
const LONGEST_POSITION_BYTES = 1_024;

/** The page of a list that a request asks for. */
export interface ListQuery extends PageRequest {
  /** The name of the list, together with its program and filters. A cursor is valid only for the same list. */
  readonly list: string;
}

/**
 * A checksum which shows that a cursor belongs to its list. It needs no secret, because it only detects mistakes: a
 * forged cursor can only reach rows of the list, which the caller may read anyway.
 */
const sealOf = (list: string, position: string): string =>
  createHash('sha256').update(`${list} ${position}`).digest('base64url').slice(0, SEAL_CHARACTERS);

const cursorOf = (list: string, position: string): string =>
  sealOf(list, position) + Buffer.from(position).toString('base64url');

/**
 * `limit` and `cursor` of a list, which are checked before its filters.
 * @param name the name of the list
 * @param filters names of the query parameters that filter it
 * @throws Refusal
 */
export function pageRequest(
  { query, path }: Pick<RequestInput, 'query' | 'path'>,
  name: string,
  filters: readonly string[] = [],
): ListQuery {
  const { limit, cursor } = query;
  if (limit !== undefined && !(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= LARGEST_LIMIT)) {
    throw limitInvalid();
  }
  const most = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  const list = JSON.stringify([name, path.id, ...filters.map((filter) => query[filter])]);
  if (cursor === undefined) return { list, most };
  const after = Buffer.from(cursor.slice(SEAL_CHARACTERS), 'base64url').toString('utf8');
  if (after === '' || Buffer.byteLength(after) > LONGEST_POSITION_BYTES || cursor !== cursorOf(list, after))
    throw cursorInvalid();
  return { list, most, after };
}

/** Builds the reply of a list from one page. */
export const pageBody = <Item, Listed extends Row>(
  { list }: ListQuery,
  { items, next }: Page<Item>,
  rowOf: (item: Item) => Listed,
): Body<ListOf<Listed>> =>
  new Body({ data: items.map(rowOf), meta: { next_cursor: next === undefined ? null : cursorOf(list, next) } });

/** Builds the reply of a list that may be sorted by a figure. */
export function rankedPageBody<Item, Listed extends Row>(
  query: ListQuery,
  page: RankedPage<Item>,
  rowOf: (item: Item) => Listed,
): Body<RankedListOf<Listed>> {
  const { data, meta } = pageBody(query, page, rowOf).whole;
  const { sortedOf } = page;
  return new Body({ data, meta: { ...meta, ...(sortedOf !== undefined && { sorted_of: sortedOf }) } });
}
