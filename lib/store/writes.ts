import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import { type Change, type Condition, conditionFields, updateFields } from '#lib/store/expressions.ts';
import type { Key } from '#lib/store/keys.ts';
import { numberReading } from '#lib/store/numbers.ts';

/** One part of a transaction; its `name` tells which condition failed. */
export type Write = { readonly name: string; readonly key: Key; readonly condition?: Condition } & (
  | { readonly put: object }
  | { readonly change: Change }
  | { readonly remove: true }
  | { readonly check: true }
);

type StandingItems = ReadonlyMap<string, Record<string, unknown> | undefined>;

/** A condition did not hold: somebody else was faster. Nothing was written. */
export class ConditionFailed extends Error {
  /** The items that stood in the way, by the name of their write; `item` for a write that was alone. */
  readonly standing: StandingItems;

  constructor(standing: StandingItems) {
    super(`Condition failed on ${[...standing.keys()].join(', ')}`);
    this.standing = standing;
  }
}

/** Parts of a transaction that the table would not take, for no condition's sake. Nothing was written. */
export class WriteRejected extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[], cause: unknown) {
    super(`Write rejected: ${names.join(', ')}`, { cause });
    this.names = names;
  }
}

/** Old items come back with a failed condition, so that a loser need not read them. */
export const returnStanding = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function transactItem(write: Write, TableName: string): TransactItem {
  const { key: Key, condition } = write;
  const guarded = { ...(condition && conditionFields(condition)), ...returnStanding };
  if ('put' in write) return { Put: { TableName, Item: { ...write.put, ...Key }, ...guarded } };
  if ('remove' in write) return { Delete: { TableName, Key, ...guarded } };
  if ('change' in write) {
    return { Update: { TableName, Key, ...updateFields(write.change, condition), ...returnStanding } };
  }
  return { ConditionCheck: { TableName, Key, ...conditionFields(condition ?? { exists: true }), ...returnStanding } };
}

/** An item as DynamoDB spells it: the document client does not translate errors. */
type RawItem = Parameters<typeof unmarshall>[0];

interface CancellationReason {
  readonly Code?: string;
  readonly Item?: RawItem;
}

/** @returns the error in our words: which conditions failed, or which writes were not taken */
export function whyCancelled(error: unknown, writes: readonly Write[]): unknown {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return error;
  const reasons = reasonsOf(error);
  const named = writes.map(({ name }, index) => ({
    name,
    code: reasons[index]?.Code ?? 'None',
    item: reasons[index]?.Item,
  }));
  const lost = named.filter(({ code }) => code === 'ConditionalCheckFailed');
  if (lost.length > 0) return new ConditionFailed(new Map(lost.map(({ name, item }) => [name, plain(item)])));
  const rejected = named.filter(({ code }) => code !== 'None');
  return new WriteRejected(
    rejected.map(({ name }) => name),
    error,
  );
}

/** Another transaction holds one of the items at this moment: the same attempt may pass in the next. */
export function isConflict(error: unknown): boolean {
  const codes = reasonsOf(error).map(({ Code }) => Code);
  return (
    codes.includes('TransactionConflict') && codes.every((code) => code === 'None' || code === 'TransactionConflict')
  );
}

const reasonsOf = (error: unknown): readonly CancellationReason[] =>
  (error as { CancellationReasons?: CancellationReason[] }).CancellationReasons ?? [];

/** An error of a single write; one whose condition failed carries the item that stands in its way. */
export type LostWrite = Error & { readonly Item?: RawItem };

/** The SDK sends a put again when no reply came: what stands in its way is then the very item that it put. */
export const isOwnItem = ({ Item }: LostWrite, item: object): boolean =>
  isDeepStrictEqual(Item, marshall(item, { removeUndefinedValues: true }));

export function rethrowLost(error: LostWrite): never {
  if (error.name !== 'ConditionalCheckFailedException') throw error;
  throw new ConditionFailed(new Map([['item', plain(error.Item)]]));
}

const plain = (item: RawItem | undefined) => (item ? unmarshall(item, numberReading) : undefined);
