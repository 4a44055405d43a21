import { type Code, codeName } from '#lib/service/programs/links/code.ts';
import { type Key, keys, type WordList } from '#lib/service/ground/table/keys.ts';
import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { wordsOfIdentifier, wordsOfPartner } from '#lib/service/programs/words/words.ts';

// Lists partners, links and codes by their words, for the search. An entry only leads to a partner, link or code. The
// search then compares the words of the partner, link or code itself, so an outdated entry has no effect. The words of
// a partner are listed once per workspace, whose programs share the partner's name and address. If there were entries
// for each program, a change of the name would not fit into one transaction.

interface Person {
  readonly id: number;
  readonly name: string;
  readonly email?: string;
}

const partnerWordKey = (workspaceId: number, { id }: Pick<Person, 'id'>, word: string): Key =>
  keys.word('PARTNER', workspaceId, word, id, String(id));

const listed = (key: Key): Write => ({ name: 'word', key, put: {} });

/** Writes that list a partner by its words, once for all programs of the workspace. They may be repeated. */
export const partnerWordWrites = (workspaceId: number, partner: Person): Write[] =>
  wordsOfPartner(partner).map((word) => listed(partnerWordKey(workspaceId, partner, word)));

/** Writes that list a partner by the words that a change adds. They may be repeated. */
export const addedWordWrites = (workspaceId: number, before: Person, after: Person): Write[] =>
  wordsOfPartner(after)
    .filter((word) => !wordsOfPartner(before).includes(word))
    .map((word) => listed(partnerWordKey(workspaceId, after, word)));

/** Writes that remove the entries of words that a partner no longer has. They must not be made before the change. */
export const formerWordWrites = (workspaceId: number, before: Person, after: Person): Write[] =>
  wordsOfPartner(before)
    .filter((word) => !wordsOfPartner(after).includes(word))
    .map((word) => ({ name: 'formerWord', key: partnerWordKey(workspaceId, before, word), remove: true }));

/** Writes that list a link by its words. They may be repeated. */
export const linkWordWrites = (
  programId: number,
  { shortLink, createdAt }: Pick<ReferralLink, 'shortLink' | 'createdAt'>,
): Write[] =>
  wordsOfIdentifier(shortLink).map((word) =>
    listed(keys.word('LINK', programId, word, Date.parse(createdAt), shortLink)),
  );

/** Writes that list a code by its words. They may be repeated. */
export const codeWordWrites = ({ programId, code, createdAt }: Pick<Code, 'programId' | 'code' | 'createdAt'>) =>
  wordsOfIdentifier(code).map((word): Write =>
    listed(keys.word('CODE', programId, word, Date.parse(createdAt), codeName(code))),
  );

/**
 * Maximum number of entries that are read for one word, and of words that are looked up. The search compares any
 * further words with what was found.
 */
const MOST_ENTRIES = 1_000;
const MOST_LOOKED_UP = 4;

/**
 * Ids of objects that are listed under words beginning with each of these texts, newest first. Some of them may not
 * match all texts. If more than 1,000 entries begin with a text, entries for exactly this word are preferred, and among
 * them the newest.
 * @param owner a workspace if partners are searched, a program if links or codes are
 */
export async function idsByWords(
  table: Table,
  list: WordList,
  owner: number,
  wanted: readonly string[],
): Promise<string[]> {
  const longest = wanted.toSorted((a, b) => b.length - a.length).slice(0, MOST_LOOKED_UP);
  const lists = await Promise.all(longest.map((word) => entriesOf(table, list, owner, word)));
  const whole = lists.filter((entries) => entries.length < MOST_ENTRIES);
  // If a word has more entries than were read, an object that was not among them may have the word too. So the word is
  // not used to exclude objects.
  const [first = [], ...others] = whole.length > 0 ? whole : lists.slice(0, 1);
  const inAll = others.map((entries) => new Set(entries.map(({ id }) => id)));
  const byId = new Map(first.filter(({ id }) => inAll.every((ids) => ids.has(id))).map(({ id, place }) => [id, place]));
  return [...byId].toSorted(([, a], [, b]) => (a < b ? -1 : 1)).map(([id]) => id);
}

interface WordEntry {
  readonly id: string;
  /** A part of the sort key that puts the newest first. */
  readonly place: string;
}

async function entriesOf(table: Table, list: WordList, owner: number, word: string): Promise<WordEntry[]> {
  const { pk } = keys.word(list, owner, word, 0, '');
  const found = await table.query<Key>(pk, { prefix: word, most: MOST_ENTRIES, forList: true });
  return found.slice(0, MOST_ENTRIES).map(({ sk }) => {
    const [, place = '', id = ''] = sk.split('#');
    return { id, place };
  });
}
