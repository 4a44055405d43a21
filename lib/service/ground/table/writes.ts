import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import {
  type ItemChange,
  type Condition,
  conditionFields,
  updateFields,
} from '#lib/service/ground/table/expressions.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import { numberReading } from '#lib/service/ground/table/numbers.ts';

/** One part of a transaction; `name` identifies it if its condition fails. */
export type Write = { readonly name: string; readonly key: Key; readonly condition?: Condition } & (
  | { readonly put: object }
  | { readonly change: ItemChange }
  | { readonly remove: true }
  | { readonly check: true }
);

type ExistingItems = ReadonlyMap<string, Record<string, unknown> | undefined>;

/** A condition failed because of a concurrent request. Nothing was written. */
export class ConditionFailed extends Error {
  /** The existing items by the name of their write; `item` for a single write. */
  readonly existing: ExistingItems;

  constructor(existing: ExistingItems) {
    super(`Condition failed on ${[...existing.keys()].join(', ')}`);
    this.existing = existing;
  }
}

/** An item that another one refers to is missing: it was deleted between the two reads, or is lost. */
export class NamedItemMissing extends ConditionFailed {
  constructor(name: string) {
    super(new Map([[name, undefined]]));
  }
}

/** Parts of a transaction are invalid, so no retry can succeed. Nothing was written. */
export class WriteRejected extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[], cause: unknown) {
    super(`Write rejected: ${names.join(', ')}`, { cause });
    this.names = names;
  }
}

/** DynamoDB's limit for writes in one transaction. */
export const MOST_WRITES = 100;

/** Returns the existing item with a failed condition, so that the loser need not read it. */
export const returnExisting = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function transactItem(write: Write, TableName: string): TransactItem {
  const { key: Key, condition } = write;
  const guarded = { ...(condition && conditionFields(condition)), ...returnExisting };
  if ('put' in write) return { Put: { TableName, Item: { ...write.put, ...Key }, ...guarded } };
  if ('remove' in write) return { Delete: { TableName, Key, ...guarded } };
  if ('change' in write) {
    return { Update: { TableName, Key, ...updateFields(write.change, condition), ...returnExisting } };
  }
  return { ConditionCheck: { TableName, Key, ...conditionFields(condition ?? { exists: true }), ...returnExisting } };
}

/** An item in DynamoDB's format: the document client does not translate items in errors. */
type RawItem = Parameters<typeof unmarshall>[0];

interface CancellationReason {
  readonly Code?: string;
  readonly Item?: RawItem;
}

/** Reasons with which a retry cannot succeed. */
const finalReasons = new Set(['ValidationError', 'ItemCollectionSizeLimitExceeded']);

/**
 * Reasons with which a retry may succeed: another transaction is using an item, or the table lacks capacity for a part
 * of this one.
 */
const transientReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

const CONDITION_FAILED = 'ConditionalCheckFailed';

const isCancelled = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'TransactionCanceledException';

/**
 * Finds out why a write or a transaction failed.
 * @returns the error as ConditionFailed or WriteRejected; any other error unchanged
 */
export function whyCancelled(error: unknown, writes: readonly Write[]): unknown {
  if (!isCancelled(error)) return error;
  const reasons = reasonsOf(error);
  const named = writes.map(({ name }, index) => ({
    name,
    code: reasons[index]?.Code ?? 'None',
    item: reasons[index]?.Item,
  }));
  const lost = named.filter(({ code }) => code === CONDITION_FAILED);
  if (lost.length > 0) return new ConditionFailed(new Map(lost.map(({ name, item }) => [name, plain(item)])));
  const rejected = named.filter(({ code }) => code !== 'None');
  if (rejected.length === 0 || !rejected.every(({ code }) => finalReasons.has(code))) return error;
  return new WriteRejected(
    rejected.map(({ name }) => name),
    error,
  );
}

/** Nothing was written, and a retry may succeed. Failed conditions are handled separately. */
export function isTransient(error: unknown): boolean {
  if (!isCancelled(error)) return isConflict(error);
  const codes = reasonsOf(error).map(({ Code = 'None' }) => Code);
  return (
    !codes.includes(CONDITION_FAILED) &&
    (codes.every((code) => code === 'None') || codes.some((code) => transientReasons.has(code)))
  );
}

/** A transaction is using the item of a single write. */
const isConflict = (error: unknown): boolean => error instanceof Error && error.name === 'TransactionConflictException';

/** Whether every attempt failed because another transaction was using, and perhaps changing, an item of this write. */
export const isCrossed = (error: unknown): boolean =>
  isConflict(error) || (isCancelled(error) && reasonsOf(error).some(({ Code }) => Code === 'TransactionConflict'));

/** Whether every attempt failed because a transaction, or a write beside this transaction, was using an item. */
export const isHeld = (error: unknown): boolean => isConflict(error) || isCancelled(error);

const reasonsOf = (error: unknown): readonly CancellationReason[] =>
  (error as { CancellationReasons?: CancellationReason[] }).CancellationReasons ?? [];

/** An error of a single write. If its condition failed, it carries the existing item. */
export type ConditionalCheckError = Error & { readonly Item?: RawItem };

/** The SDK repeats a put when no reply arrives: the existing item is then the one that it wrote itself. */
export const isOwnItem = ({ Item }: ConditionalCheckError, item: object): boolean =>
  isDeepStrictEqual(Item, marshall(item, { removeUndefinedValues: true }));

export function rethrowConditionalCheck(error: ConditionalCheckError): never {
  if (error.name !== 'ConditionalCheckFailedException') throw error;
  throw new ConditionFailed(new Map([['item', plain(error.Item)]]));
}

const plain = (item: RawItem | undefined) => (item ? unmarshall(item, numberReading) : undefined);
