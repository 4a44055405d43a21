import { createHash } from 'node:crypto';
import { cursorInvalid, limitInvalid } from '#lib/domain/refusals.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import { Body, type Sent } from '#lib/http/account-endpoint.ts';

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 100;
const SEAL_CHARACTERS = 11;

/** A cursor is good for the list it came from: its route, its program and its filters. */
const sealOf = (list: string): string =>
  createHash('sha256').update(list).digest('base64url').slice(0, SEAL_CHARACTERS);

const cursorOf = (list: string, position: string): string => sealOf(list) + Buffer.from(position).toString('base64url');

/** `limit` and `cursor` of a list. @param list names the list and its filters @throws Refusal */
export function pageRequest({ query }: Sent, list: string): PageRequest {
  const { limit, cursor } = query;
  if (limit !== undefined && !(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= LARGEST_LIMIT)) {
    throw limitInvalid();
  }
  const most = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (cursor === undefined) return { most };
  const after = Buffer.from(cursor.slice(SEAL_CHARACTERS), 'base64url').toString('utf8');
  if (after === '' || cursor !== cursorOf(list, after)) throw cursorInvalid();
  return { most, after };
}

/** A page as lists answer it. */
export const pageBody = <Item>(list: string, { items, next }: Page<Item>, wire: (item: Item) => unknown): Body =>
  new Body({ data: items.map(wire), meta: { next_cursor: next === undefined ? null : cursorOf(list, next) } });
