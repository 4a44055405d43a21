import type { DynamoDBRecord } from 'aws-lambda';
import { erasedFact } from '#lib/service/outbox/facts/erasure.ts';
import { type Fact, factExpirySeconds } from '#lib/service/outbox/facts/fact.ts';
import {
  approvalOf,
  approvalsDueBy,
  type FactItem,
  factsOf,
  type NewFact,
} from '#lib/service/outbox/facts/facts-of.ts';
import { isWanted } from '#lib/service/outbox/webhooks/webhook.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { putDueApprovals } from '#lib/service/outbox/facts/due-facts-items.ts';
import { type FactChange, factChangeIn, firstApproval, storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import { type FactRow, factRow } from '#lib/service/outbox/facts/fact-row.ts';
import { fanOut } from '#lib/service/outbox/deliveries/fan-out.ts';
import { tellHeld } from '#lib/service/outbox/digests/tell-held.ts';
import { isFinal } from '#lib/service/outbox/mail/send-mails.ts';
import type { WakeDeps } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

/** The API's row of what a fact is about, as receivers get it. */
export type FactData = (row: FactRow, now: Date) => Fact['data'];

/** Records that are looked at together: more would only wait for a connection. */
const AT_ONCE = 50;

/**
 * Stores what records of the table's stream tell, and leaves it to be sent. All of it may be repeated. A record that makes
 * no sense is given up.
 * @returns how many of the records, from the first on, are dealt with; fewer than all when the table failed
 */
export async function publishFacts(
  deps: WakeDeps,
  { records }: { readonly records: readonly DynamoDBRecord[] },
  dataOf: FactData,
): Promise<number> {
  for (let at = 0; at < records.length; at += AT_ONCE) {
    const some = records.slice(at, at + AT_ONCE);
    const made = await Promise.allSettled(some.map((record) => factsIn(deps, record, dataOf)));
    const outcomes = made.map((one): readonly Fact[] | Failure =>
      one.status === 'fulfilled' ? one.value : { error: one.reason },
    );
    const done = await sendAll(deps, outcomes, some);
    if (done < some.length) return at + done;
  }
  return records.length;
}

/** Why a record has no facts yet. */
interface Failure {
  readonly error: unknown;
}

/**
 * Leaves facts to be sent, up to the first record that the table has not taken.
 * @returns how many of the records are dealt with
 */
async function sendAll(
  deps: WakeDeps,
  outcomes: readonly (readonly Fact[] | Failure)[],
  records: readonly DynamoDBRecord[],
): Promise<number> {
  const delayed = outcomes.findIndex((outcome, at) => 'error' in outcome && !isGivenUp(deps, outcome, records[at]!));
  const done = delayed < 0 ? outcomes.length : delayed;
  const facts = outcomes.slice(0, done).map((outcome) => ('error' in outcome ? [] : outcome));
  try {
    await fanOut(deps, facts.flat());
  } catch {
    // One of them may be to blame: the others do not wait for it.
    for (const [at, ofRecord] of facts.entries()) {
      const failure = await fanOut(deps, ofRecord).catch((error: unknown): Failure => ({ error }));
      if (failure && !isGivenUp(deps, failure, records[at]!)) return at;
    }
  }
  return done;
}

/** The facts of a record, stored by now. */
async function factsIn(deps: WakeDeps, record: DynamoDBRecord, dataOf: FactData): Promise<readonly Fact[]> {
  const change = read(record);
  const { before, after, at } = change;
  const told = factsOf(before, after, at);
  const facts = after ? await publishAll(deps, after, told, dataOf) : [];
  await noteApprovalsDue(deps, change);
  const isHeld = told.some(({ type }) => type === 'commission.held');
  if (isHeld && after?.kind === 'commission') await tellHeld(deps, after.item);
  return facts;
}

/** What cannot be read now never can. */
function read(record: DynamoDBRecord): FactChange {
  try {
    return factChangeIn(record);
  } catch (error) {
    throw new TypeError('The record cannot be read', { cause: error });
  }
}

/** Whether no repetition helps. */
function isGivenUp({ log }: WakeDeps, { error }: Failure, { dynamodb }: DynamoDBRecord): boolean {
  const isOver = isFinal(error) || error instanceof RangeError;
  log.error(isOver ? 'fact_failed' : 'facts_delayed', error, { sequence_number: dynamodb?.SequenceNumber });
  return isOver;
}

/** Stores facts about an item. @returns those that are kept, in the order in which they happened */
async function publishAll(
  deps: WakeDeps,
  item: FactItem,
  facts: readonly NewFact[],
  dataOf: FactData,
): Promise<readonly Fact[]> {
  const published = await Promise.all(facts.map((fact) => storedFact(deps, item, fact, dataOf)));
  return published.filter((fact) => fact !== undefined);
}

async function storedFact(deps: WakeDeps, item: FactItem, fact: NewFact, dataOf: FactData): Promise<Fact | undefined> {
  const { table, now } = deps;
  const { programId } = fact;
  if (!Number.isInteger(programId)) throw new TypeError('A fact is of no program');
  // A restore, or a demo, may write what happened long ago.
  if (factExpirySeconds(fact.timestamp) <= now.getTime() / 1_000) return undefined;
  if (fact.type === 'click.recorded' && !(await areClicksWanted(deps, programId))) return undefined;
  if (item.kind === 'commission' && !(await isFirstTold(deps, item.item, fact))) return undefined;
  const [row, program] = await Promise.all([factRow(deps, item, fact), findProgram(table, programId)]);
  const isTest = fact.isTest || program?.isSandbox === true;
  // The rows of a sandbox are real ones in it.
  const data = { program_id: programId, ...dataOf(row, now), is_test: isTest };
  const told = { ...fact, isTest, data: (await isErased(deps, row)) ? erasedFact(data) : data };
  await storeFact(table, told);
  return told;
}

/** Clicks are too many to be kept for nobody. */
async function areClicksWanted({ table }: WakeDeps, programId: number): Promise<boolean> {
  const { endpoints } = await findWebhooks(table, programId);
  return endpoints.some((endpoint) => endpoint.status !== 'disabled' && isWanted(endpoint, 'click.recorded'));
}

/**
 * The end of a hold is told once, and not after a person's approval. What a person approves is told each time: it may
 * have become another customer's since, or the program no longer approves by itself.
 */
const isFirstTold = async (
  { table }: WakeDeps,
  commission: Extract<FactItem, { kind: 'commission' }>['item'],
  { type, timestamp }: NewFact,
): Promise<boolean> =>
  type !== 'commission.approved' ||
  (await firstApproval(table, commission, timestamp)) === timestamp ||
  commission.history.some(({ at, action }) => action === 'approved' && at === timestamp);

/** The customer was erased since: what the record says of it is not stored again. */
async function isErased({ table }: WakeDeps, { of, row }: FactRow): Promise<boolean> {
  if (of !== 'event' || row.isTest) return false;
  return (await findRecordedCustomer(table, row.clickId))?.erasedAt !== undefined;
}

async function noteApprovalsDue({ table }: WakeDeps, { key, before, after, at }: FactChange): Promise<void> {
  const due = approvalsDueBy(before, after, at);
  if (due) await putDueApprovals(table, { ...due, ...(after?.kind === 'commission' && { commission: key }) });
}

/** Tells that a commission is approved, as it reads now. */
export async function publishApproval(
  deps: WakeDeps,
  commission: Extract<FactItem, { kind: 'commission' }>['item'],
  at: string,
  dataOf: FactData,
): Promise<readonly Fact[]> {
  return publishAll(deps, { kind: 'commission', item: commission }, [approvalOf(commission, at)], dataOf);
}
