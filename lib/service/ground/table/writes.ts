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

/** One write of a transaction. By its `name`, the caller finds out which condition failed. */
export type Write = { readonly name: string; readonly key: Key; readonly condition?: Condition } & (
  | { readonly put: object }
  | { readonly change: ItemChange }
  | { readonly remove: true }
  | { readonly check: true }
);

type ExistingItems = ReadonlyMap<string, Record<string, unknown> | undefined>;

/** A condition failed because of a concurrent request. Nothing was written. */
export class ConditionFailed extends Error {
  /** The stored items whose conditions failed, by the name of their write. For a single write the name is `item`. */
  readonly existing: ExistingItems;

  constructor(existing: ExistingItems) {
    super(`Condition failed on ${[...existing.keys()].join(', ')}`);
    this.existing = existing;
  }
}

/** An item that another item refers to is missing: it was deleted after the other item was read, or it was lost. */
export class NamedItemMissing extends ConditionFailed {
  constructor(name: string) {
    super(new Map([[name, undefined]]));
  }
}

/** DynamoDB rejected a part of a transaction as invalid, so no retry can succeed. Nothing was written. */
export class WriteRejected extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[], cause: unknown) {
    super(`Write rejected: ${names.join(', ')}`, { cause });
    this.names = names;
  }
}

/** DynamoDB's limit for writes in one transaction. */
export const MOST_WRITES = 100;

/** Makes DynamoDB return the stored item if the condition fails, so that it need not be read again. */
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

/** An item in DynamoDB's own format. The document client does not convert the items in errors. */
type RawItem = Parameters<typeof unmarshall>[0];

interface CancellationReason {
  readonly Code?: string;
  readonly Item?: RawItem;
}

/** Reasons with which a retry cannot succeed. */
const finalReasons = new Set(['ValidationError', 'ItemCollectionSizeLimitExceeded']);

/**
 * Reasons after which a retry may succeed: another transaction is using an item, or the table has too little capacity
 * for this transaction.
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
 * @returns a ConditionFailed or WriteRejected, or the error unchanged if it has another cause
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

/** Whether a retry may succeed after a failed call, which wrote nothing. Failed conditions are handled separately. */
export function isTransient(error: unknown): boolean {
  if (!isCancelled(error)) return isConflict(error);
  const codes = reasonsOf(error).map(({ Code = 'None' }) => Code);
  return (
    !codes.includes(CONDITION_FAILED) &&
    (codes.every((code) => code === 'None') || codes.some((code) => transientReasons.has(code)))
  );
}

/** Whether a single write failed because a transaction is using its item. */
const isConflict = (error: unknown): boolean => error instanceof Error && error.name === 'TransactionConflictException';

/** Whether all attempts failed because another transaction was using, and perhaps changing, an item of this write. */
export const isCrossed = (error: unknown): boolean =>
  isConflict(error) || (isCancelled(error) && reasonsOf(error).some(({ Code }) => Code === 'TransactionConflict'));

/** Whether all attempts failed because a transaction, or a single write during this transaction, was using an item. */
export const isHeld = (error: unknown): boolean => isConflict(error) || isCancelled(error);

const reasonsOf = (error: unknown): readonly CancellationReason[] =>
  (error as { CancellationReasons?: CancellationReason[] }).CancellationReasons ?? [];

/** The error of a single write. If its condition failed, the error contains the stored item. */
export type ConditionalCheckError = Error & { readonly Item?: RawItem };

/** The SDK sends a put again if it gets no reply. The stored item may then be the one that this put has written. */
export const isOwnItem = ({ Item }: ConditionalCheckError, item: object): boolean =>
  isDeepStrictEqual(Item, marshall(item, { removeUndefinedValues: true }));

export function rethrowConditionalCheck(error: ConditionalCheckError): never {
  if (error.name !== 'ConditionalCheckFailedException') throw error;
  throw new ConditionFailed(new Map([['item', plain(error.Item)]]));
}

const plain = (item: RawItem | undefined) => (item ? unmarshall(item, numberReading) : undefined);
