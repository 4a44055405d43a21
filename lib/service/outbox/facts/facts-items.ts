import type { DynamoDBRecord } from 'aws-lambda';
import { gunzipSync, gzipSync } from 'node:zlib';
import { erasedFact } from '#lib/service/outbox/facts/erasure.ts';
import { FACT_DAYS, type Fact, factExpirySeconds, factIdFrom, type FactType } from '#lib/service/outbox/facts/fact.ts';
import type { FactItem } from '#lib/service/outbox/facts/facts-of.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { type Key, factKeys } from '#lib/service/ground/table/keys.ts';
import { itemOfImage } from '#lib/service/ground/table/stream-image.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

/** A change of an item. It may result in facts. */
export interface FactChange {
  readonly key: Key;
  readonly before?: FactItem;
  readonly after?: FactItem;
  /** When the table was changed. */
  readonly at: string;
}

/** Parses a record of the table's stream. @throws Error if it is invalid */
export function factChangeIn({ dynamodb }: DynamoDBRecord): FactChange {
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map((image) => {
    const item = image && itemOfImage(image);
    const kind = item && kindOf(item);
    return item && kind && ({ kind, item } as unknown as FactItem);
  });
  const at = new Date(1_000 * (dynamodb?.ApproximateCreationDateTime ?? Number.NaN)).toISOString();
  return { key: { pk: dynamodb?.Keys?.pk?.S ?? '', sk: dynamodb?.Keys?.sk?.S ?? '' }, before, after, at };
}

const wholeKinds: Readonly<Record<string, FactItem['kind']>> = {
  CUSTOMER: 'customer',
  LEAD: 'lead',
  SALE: 'sale',
  COMMISSION: 'commission',
  PROGRAM: 'program',
  MAILING: 'notice',
};

const kindsByPrefix: Readonly<Record<string, FactItem['kind']>> = {
  CLICK: 'click',
  REFUND: 'refund',
  TEST_EVENT: 'testEvent',
  PAYOUT: 'payout',
  LINE: 'line',
  LINK: 'link',
  CODE: 'code',
};

function kindOf({ pk, sk }: Key): FactItem['kind'] | undefined {
  const prefix = sk.slice(0, Math.max(0, sk.indexOf('#')));
  // In an account's partition there are items with the same prefix, which are pointers to partners and must not be
  // mistaken for partners.
  if (prefix === 'PARTNER') return pk.startsWith('PROGRAM#') ? 'partner' : undefined;
  return wholeKinds[sk] ?? kindsByPrefix[prefix];
}

/**
 * A fact as it is stored. The data is stored as JSON text, because a map in the table does not keep the order of
 * fields, and every attempt must send the same bytes. A long text is compressed.
 */
interface StoredFact extends Omit<Fact, 'data'> {
  readonly row?: string;
  readonly packed?: Uint8Array;
  readonly expires_at: number;
}

/** Data longer than this is compressed, so that most facts take only one write unit. */
const LONGEST_UNPACKED = 600;

function storedRow(data: Fact['data']): Pick<StoredFact, 'row' | 'packed'> {
  const row = JSON.stringify(data);
  return row.length > LONGEST_UNPACKED ? { row: undefined, packed: gzipSync(row) } : { row, packed: undefined };
}

const factOf = ({ id, type, programId, isTest, timestamp, row, packed }: StoredFact): Fact => ({
  id,
  type,
  programId,
  isTest,
  timestamp,
  data: JSON.parse(packed ? gunzipSync(packed).toString() : row!),
});

const itemOf = ({ data, ...fact }: Fact): StoredFact => ({
  ...fact,
  ...storedRow(data),
  expires_at: factExpirySeconds(fact.timestamp),
});

/** The write of a fact that does not come from the stream. */
export const newFactWrite = (fact: Fact): Write => ({
  name: 'fact',
  key: factKeys.fact(fact.programId, fact.id),
  put: itemOf(fact),
  condition: { isNew: true },
});

/** Stores a fact. If it exists, because its stream record was processed before, the first version stays. */
export async function storeFact(table: Table, fact: Fact): Promise<void> {
  try {
    await table.put(factKeys.fact(fact.programId, fact.id), itemOf(fact), { isNew: true });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Finds a fact. Undefined if there is none or if it has expired. */
export async function findFact(table: Table, programId: number, factId: string): Promise<Fact | undefined> {
  const stored = await table.get<StoredFact>(factKeys.fact(programId, factId));
  return stored && factOf(stored);
}

export interface FactFilter {
  readonly type?: FactType;
  /** Time of the earliest event to return, ISO 8601. */
  readonly since?: string;
}

/** The maximum size of a page, in characters: half of the 6 MB that a reply may have. */
const LONGEST_PAGE_CHARACTERS = 3_000_000;

/** A fact without its data. */
export type FactHead = Pick<Fact, 'id' | 'type' | 'programId' | 'timestamp'>;

/** Lists facts like `factsOfProgram`, but without the data of each fact. */
export const factHeadsOfProgram: (...request: Parameters<typeof storedFactsOf>) => Promise<Page<FactHead>> =
  storedFactsOf;

/** Facts of a program, oldest first. Page positions are their ids. */
export async function factsOfProgram(...request: Parameters<typeof storedFactsOf>): Promise<Page<Fact>> {
  const page = await storedFactsOf(...request);
  const facts: Fact[] = [];
  let characters = 0;
  for (const fact of page.items.map(factOf)) {
    characters += JSON.stringify(fact.data).length;
    if (facts.length > 0 && characters > LONGEST_PAGE_CHARACTERS) return { items: facts, next: facts.at(-1)!.id };
    facts.push(fact);
  }
  return { items: facts, next: page.next };
}

async function storedFactsOf(
  table: Table,
  programId: number,
  { type, since }: FactFilter,
  { most, after }: PageRequest,
  now: Date,
): Promise<Page<StoredFact>> {
  const { pk } = factKeys.fact(programId, '');
  const oldestMs = Math.max(now.getTime() - FACT_DAYS * 86_400_000, Date.parse(since ?? new Date(0).toISOString()));
  const oldest = factIdFrom(new Date(oldestMs).toISOString());
  const start = after !== undefined && after > oldest ? after : oldest;
  return keptPage({ most, after: start }, async (part) => {
    const found = await table.query<StoredFact>(pk, part);
    const kept = found.filter((fact) => fact.expires_at > now.getTime() / 1_000 && (!type || fact.type === type));
    return {
      items: kept.map((item) => ({ position: item.id, item })),
      next: found.length < part.most ? undefined : found.at(-1)!.id,
    };
  });
}

/** The number of facts that one query reads, if each has about one kilobyte. */
const MOST_AT_ONCE = 500;

/**
 * The stored facts of a program between two positions, oldest first, in pages.
 * @param from a fact id or its beginning, excluded
 * @param to a fact id or its beginning, excluded; undefined means no limit
 */
export async function* factsWithin(
  table: Table,
  programId: number,
  { from, to }: { readonly from: string; readonly to?: string },
): AsyncGenerator<readonly StoredFact[]> {
  const { pk } = factKeys.fact(programId, '');
  let after: string | undefined = from;
  while (after !== undefined) {
    const page: StoredFact[] = await table.query<StoredFact>(pk, { most: MOST_AT_ONCE, after });
    yield page.filter(({ id }) => to === undefined || id < to);
    const last: string | undefined = page.length < MOST_AT_ONCE ? undefined : page.at(-1)!.id;
    after = last !== undefined && (to === undefined || last < to) ? last : undefined;
  }
}

/**
 * Removes the personal data of customers from the facts of their program, page by page. All facts are read, because
 * they are indexed only by time.
 * @param after id of a fact to begin after
 * @returns for each page the ids of the customers' facts, and the id of the page's last fact
 */
export async function* eraseFacts(
  table: Table,
  programId: number,
  clickIds: ReadonlySet<unknown>,
  after = factIdFrom(new Date(0).toISOString()),
): AsyncGenerator<{ readonly erased: readonly string[]; readonly position?: string }> {
  for await (const facts of factsWithin(table, programId, { from: after })) {
    const theirs = facts.map(factOf).filter(({ data }) => clickIds.has(data.click_id));
    await Promise.all(
      theirs.map(({ id, data }) => table.update(factKeys.fact(programId, id), { set: storedRow(erasedFact(data)) })),
    );
    yield { erased: theirs.map(({ id }) => id), position: facts.at(-1)?.id };
  }
}

/**
 * Returns when a commission was first approved for this partner. If no time is stored yet, the given one is stored. If
 * two runs race, both get the time of the first.
 */
export async function firstApproval(
  table: Table,
  { id, partnerId }: { readonly id: number; readonly partnerId: number },
  at: string,
): Promise<string> {
  try {
    await table.put(factKeys.approval(id, partnerId), { at, expires_at: approvalExpirySeconds(at) }, { isNew: true });
    return at;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.existing.get('item')!.at as string;
  }
}

/**
 * How long an approval is stored: long enough for repeated changes of the automatic approval setting while a commission
 * is unpaid.
 */
const APPROVAL_DAYS = 400;
const approvalExpirySeconds = (at: string): number => Math.ceil(Date.parse(at) / 1_000) + APPROVAL_DAYS * 86_400;
