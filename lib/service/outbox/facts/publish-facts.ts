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
import { factsBegunAt, type Program } from '#lib/service/programs/program/program.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { putDueApprovals } from '#lib/service/outbox/facts/due-facts-items.ts';
import { type FactChange, factChangeIn, firstApproval, storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import { type FactRow, factRow } from '#lib/service/outbox/facts/fact-row.ts';
import { fanOutGroups } from '#lib/service/outbox/deliveries/fan-out.ts';
import { queueHeldMail } from '#lib/service/outbox/digests/queue-held-mail.ts';
import { isFinal } from '#lib/service/outbox/mail/send-mails.ts';
import type { WakeDeps } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

/** Converts what a fact is about to the API's row, which receivers get as payload. */
export type FactData = (row: FactRow, now: Date) => Fact['data'];

/** How many records are processed in parallel. More would only wait for a connection to the table. */
const AT_ONCE = 50;

/**
 * Publishes the facts of records from the table's stream: stores them and creates deliveries. May be repeated. Invalid
 * records are logged and skipped.
 * @returns number of processed records from the start; fewer than all if the table failed
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

/** Why the facts of a record could not be published. */
interface Failure {
  readonly error: unknown;
}

/**
 * Creates deliveries of the facts, up to the first record that must be retried.
 * @returns number of processed records
 */
async function sendAll(
  deps: WakeDeps,
  outcomes: readonly (readonly Fact[] | Failure)[],
  records: readonly DynamoDBRecord[],
): Promise<number> {
  const isDelayed = (failure: Failure | undefined, at: number) =>
    failure !== undefined && !isGivenUp(deps, failure, records[at]!);
  const delayed = outcomes.findIndex((outcome, at) => isDelayed('error' in outcome ? outcome : undefined, at));
  const stored = delayed < 0 ? outcomes : outcomes.slice(0, delayed);
  const errors = await fanOutGroups(
    deps,
    stored.map((outcome) => ('error' in outcome ? [] : outcome)),
  );
  const undelivered = errors.findIndex((error, at) => isDelayed(error === undefined ? undefined : { error }, at));
  return undelivered < 0 ? stored.length : undelivered;
}

/** Derives and stores the facts of a record. */
async function factsIn(deps: WakeDeps, record: DynamoDBRecord, dataOf: FactData): Promise<readonly Fact[]> {
  if (await isOfUnheard(deps, record)) return [];
  const change = read(record);
  const { before, after, at } = change;
  const derived = factsOf(before, after, at);
  // The schedule of automatic approvals is stored first: a fact that cannot be stored must not prevent it.
  await recordApprovalsDue(deps, change);
  const isHeld = derived.some(({ type }) => type === 'commission.held');
  if (isHeld && after?.kind === 'commission') await queueHeldMail(deps, after.item);
  return after ? publishAll(deps, after, derived, dataOf) : [];
}

/**
 * Whether no one has requested the facts of the record's program. This is checked before the record is parsed, because
 * it is true for most programs. The result is false for a commission held for review, because owners always get a mail
 * about it, and for a program's own item, which has no `programId`.
 */
async function isOfUnheard({ table }: WakeDeps, { dynamodb }: DynamoDBRecord): Promise<boolean> {
  const { programId, status } = dynamodb?.NewImage ?? {};
  if (programId?.N === undefined || status?.S === 'held') return false;
  return isUnheard(await findProgram(table, Number(programId.N)));
}

/** Parses a record. @throws TypeError for an unreadable record: a permanent error, which is not retried */
function read(record: DynamoDBRecord): FactChange {
  try {
    return factChangeIn(record);
  } catch (error) {
    throw new TypeError('The record cannot be read', { cause: error });
  }
}

/** Whether the error is permanent, so that a retry cannot help. */
function isGivenUp({ log }: WakeDeps, { error }: Failure, { dynamodb }: DynamoDBRecord): boolean {
  const isOver = isFinal(error);
  log.error(isOver ? 'fact_failed' : 'facts_delayed', error, { sequence_number: dynamodb?.SequenceNumber });
  return isOver;
}

/** Stores facts of an item. @returns the facts that were stored, in order of time */
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
  // A restore or the demo's history may write old events. Their facts have already expired, so none is stored.
  if (factExpirySeconds(fact.timestamp) <= now.getTime() / 1_000) return undefined;
  const program = await findProgram(table, programId);
  if (isUnheard(program)) return undefined;
  if (fact.type === 'click.recorded' && !(await areClicksWanted(deps, programId))) return undefined;
  if (item.kind === 'commission' && !(await isFirstPublished(deps, item.item, fact))) return undefined;
  const row = await factRow(deps, item, fact);
  const isTest = fact.isTest || program?.isSandbox === true;
  // All rows of a sandbox program are marked as tests, including ordinary ones.
  const data = { program_id: programId, ...dataOf(row, now), is_test: isTest };
  const published = { ...fact, isTest, data: (await isErased(deps, row)) ? erasedFact(data) : data };
  await storeFact(table, published);
  return published;
}

/** Whether no one has ever requested the program's facts. Then none is stored. */
const isUnheard = (program: Program | undefined): boolean =>
  program !== undefined && factsBegunAt(program) === undefined;

/** Facts of clicks are stored only if an endpoint is subscribed to them, because there are too many clicks. */
async function areClicksWanted({ table }: WakeDeps, programId: number): Promise<boolean> {
  const { endpoints } = await findWebhooks(table, programId);
  return endpoints.some((endpoint) => endpoint.status !== 'disabled' && isWanted(endpoint, 'click.recorded'));
}

/**
 * Whether the approval of a commission must be published. An approval by the end of the hold period is published once,
 * and only if no person's approval was published before. Every approval by a person is published, because since the
 * last one the commission may have moved to another customer, or automatic approval may have been switched off.
 */
const isFirstPublished = async (
  { table }: WakeDeps,
  commission: Extract<FactItem, { kind: 'commission' }>['item'],
  { type, timestamp }: NewFact,
): Promise<boolean> =>
  type !== 'commission.approved' ||
  (await firstApproval(table, commission, timestamp)) === timestamp ||
  commission.history.some(({ at, action }) => action === 'approved' && at === timestamp);

/**
 * Whether the customer has been erased since the record was written. Then the personal data of the record must not be
 * stored again.
 */
async function isErased({ table }: WakeDeps, { of, row }: FactRow): Promise<boolean> {
  if (of !== 'event' || row.isTest) return false;
  return (await findRecordedCustomer(table, row.clickId))?.erasedAt !== undefined;
}

async function recordApprovalsDue({ table }: WakeDeps, { key, before, after, at }: FactChange): Promise<void> {
  const due = approvalsDueBy(before, after, at);
  if (!due || isUnheard(await findProgram(table, due.programId))) return;
  await putDueApprovals(table, { ...due, ...(after?.kind === 'commission' && { commission: key }) });
}

/** Publishes that a commission is approved, with its current data. */
export async function publishApproval(
  deps: WakeDeps,
  commission: Extract<FactItem, { kind: 'commission' }>['item'],
  at: string,
  dataOf: FactData,
): Promise<readonly Fact[]> {
  return publishAll(deps, { kind: 'commission', item: commission }, [approvalOf(commission, at)], dataOf);
}
