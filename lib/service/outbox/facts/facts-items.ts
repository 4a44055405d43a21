import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { gunzipSync, gzipSync } from 'node:zlib';
import { erasedFact } from '#lib/service/outbox/facts/erasure.ts';
import { FACT_DAYS, type Fact, factExpirySeconds, factIdFrom, type FactType } from '#lib/service/outbox/facts/fact.ts';
import type { FactItem } from '#lib/service/outbox/facts/facts-of.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { type Key, factKeys } from '#lib/service/ground/table/keys.ts';
import { numberReading } from '#lib/service/ground/table/numbers.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

/** A change of an item that may be a fact. */
export interface FactChange {
  readonly key: Key;
  readonly before?: FactItem;
  readonly after?: FactItem;
  /** When the table was changed. */
  readonly at: string;
}

/** What a record of the table's stream says. @throws Error when it makes no sense */
export function factChangeIn({ dynamodb }: DynamoDBRecord): FactChange {
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map((image) => {
    const item = image && (unmarshall(image as Parameters<typeof unmarshall>[0], numberReading) as Key);
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
  LINK: 'link',
  CODE: 'code',
};

function kindOf({ pk, sk }: Key): FactItem['kind'] | undefined {
  const prefix = sk.slice(0, Math.max(0, sk.indexOf('#')));
  // An account lists its partners under the same name.
  if (prefix === 'PARTNER') return pk.startsWith('PROGRAM#') ? 'partner' : undefined;
  return wholeKinds[sk] ?? kindsByPrefix[prefix];
}

/**
 * A fact as it is stored. Its row is a text, because a map of the table keeps no order of its fields, and every attempt is
 * to send the same; a long one is packed.
 */
interface StoredFact extends Omit<Fact, 'data'> {
  readonly row?: string;
  readonly packed?: Uint8Array;
  readonly expires_at: number;
}

/** So that most facts are one write unit. */
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

/** A write of a fact that nothing else makes. */
export const newFactWrite = (fact: Fact): Write => ({
  name: 'fact',
  key: factKeys.fact(fact.programId, fact.id),
  put: itemOf(fact),
  condition: { isNew: true },
});

/** Stores a fact. One that is derived again, maybe by another run at this moment, stays as it was first. */
export async function storeFact(table: Table, fact: Fact): Promise<void> {
  try {
    await table.put(factKeys.fact(fact.programId, fact.id), itemOf(fact), { isNew: true });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Undefined when there is none, or it has expired. */
export async function findFact(table: Table, programId: number, factId: string): Promise<Fact | undefined> {
  const stored = await table.get<StoredFact>(factKeys.fact(programId, factId));
  return stored && factOf(stored);
}

export interface FactFilter {
  readonly type?: FactType;
  /** When the first one happened, at the earliest; ISO 8601. */
  readonly since?: string;
}

/** Half of what a reply may have, for facts that came between. */
const LONGEST_PAGE_CHARACTERS = 3_000_000;

/** What a fact is, without its row. */
export type FactHead = Pick<Fact, 'id' | 'type' | 'programId' | 'timestamp'>;

/** The same facts as `factsOfProgram`, without their rows. */
export const factHeadsOfProgram: (...request: Parameters<typeof storedFactsOf>) => Promise<Page<FactHead>> =
  storedFactsOf;

/** Facts of a program, oldest first. Positions are their ids. */
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

/** Facts that one query takes, of a kilobyte each. */
const MOST_AT_ONCE = 500;

/**
 * The facts of a program between two places of their list, page by page, oldest first, as they are stored.
 * @param from id, or the beginning of ids
 * @param to the same, excluded
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
 * Removes personal data of a customer from the facts of its program. Each is read: they are listed by time alone.
 * @returns ids of the customer's
 */
export async function eraseFacts(
  table: Table,
  programId: number,
  clickIds: ReadonlySet<unknown>,
): Promise<readonly string[]> {
  const erased: string[] = [];
  for await (const facts of factsWithin(table, programId, { from: factIdFrom(new Date(0).toISOString()) })) {
    for (const { id, data } of facts.map(factOf)) {
      if (!clickIds.has(data.click_id)) continue;
      await table.update(factKeys.fact(programId, id), { set: storedRow(erasedFact(data)) });
      erased.push(id);
    }
  }
  return erased;
}

/**
 * When a partner's commission was approved first, however often it has been since. Of two runs both get the time of the one
 * that came first.
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

/** Longer than settings are likely to go to and fro while a commission is unpaid. */
const APPROVAL_DAYS = 400;
const approvalExpirySeconds = (at: string): number => Math.ceil(Date.parse(at) / 1_000) + APPROVAL_DAYS * 86_400;
