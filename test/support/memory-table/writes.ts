import type {
  ConditionCheck,
  Delete,
  DeleteItemInput,
  PutItemInput,
  Update as UpdatePart,
  UpdateItemInput,
} from '@aws-sdk/client-dynamodb';
import { type Condition, conditionOf } from '#test/support/memory-table/expressions/condition.ts';
import { conditionFailed, Invalid } from '#test/support/memory-table/errors.ts';
import { expectFields } from '#test/support/memory-table/expressions/fields.ts';
import { indexKeyOf, type Key, keyOf, keyOfItem } from '#test/support/memory-table/keys.ts';
import { MOST_ITEM_BYTES } from '#test/support/memory-table/units/limits.ts';
import { Placeholders } from '#test/support/memory-table/expressions/placeholders.ts';
import { type Change, type Row, rowOf } from '#test/support/memory-table/row.ts';
import type { Rows } from '#test/support/memory-table/rows.ts';
import { unitsOfChange } from '#test/support/memory-table/units/units.ts';
import { type Update, updated, updateOf } from '#test/support/memory-table/expressions/update.ts';
import { admittedItem, type Item } from '#test/support/memory-table/expressions/values.ts';

/** A write whose request is valid. What depends on the table's contents is not checked yet. */
export interface Planned {
  readonly key: Key;
  readonly condition: Condition;
  /** Whether the error of a failed condition contains the existing item. */
  readonly showsExisting: boolean;
  /** Returns the row after the write. @throws Invalid if this item cannot be changed in this way */
  readonly next: (before: Row | undefined) => Row | undefined;
  readonly update?: Update;
}

type Input = Partial<PutItemInput & DeleteItemInput & UpdateItemInput & ConditionCheck>;

/** Fields that every kind of write has. */
const COMMON = [
  'TableName',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
  'ReturnValues',
  'ReturnConsumedCapacity',
];

/** Parses the condition and the options that every kind of write has. */
function guard(input: Input, placeholders: Placeholders) {
  const condition = conditionOf(input.ConditionExpression, placeholders);
  placeholders.expectAllUsed();
  return { condition, showsExisting: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' };
}

const placeholdersOf = (input: Input) =>
  new Placeholders(input.ExpressionAttributeNames, input.ExpressionAttributeValues);

export function plannedPut(rows: Rows, input: Omit<PutItemInput, 'TableName'>): Planned {
  expectFields('Put', input, [...COMMON, 'Item']);
  const item = admittedItem(input.Item!);
  const key = keyOfItem(item);
  const row = rowOf(item, key);
  expectSize(row, 'Item size has exceeded the maximum allowed size');
  return { key, ...guard(input, placeholdersOf(input)), next: () => listable(rows, row) };
}

export function plannedDelete(_: Rows, input: Delete | DeleteItemInput): Planned {
  expectFields('Delete', input, [...COMMON, 'Key']);
  return { key: keyOf(input.Key), ...guard(input, placeholdersOf(input)), next: () => undefined };
}

export function plannedCheck(_: Rows, input: ConditionCheck): Planned {
  expectFields('ConditionCheck', input, [...COMMON, 'Key']);
  return { key: keyOf(input.Key), ...guard(input, placeholdersOf(input)), next: (before) => before };
}

export function plannedUpdate(rows: Rows, input: UpdatePart | UpdateItemInput): Planned {
  expectFields('Update', input, [...COMMON, 'Key', 'UpdateExpression']);
  const key = keyOf(input.Key);
  const placeholders = placeholdersOf(input);
  const update = updateOf(input.UpdateExpression, placeholders);
  const keyAttribute = [...update.keys()].find((attribute) => attribute in key);
  const empty: Item = { pk: { S: key.pk }, sk: { S: key.sk } };
  return {
    key,
    update,
    ...guard(input, placeholders),
    next(before) {
      if (keyAttribute !== undefined) {
        throw new Invalid(
          `One or more parameter values were invalid: Cannot update attribute ${keyAttribute}. This attribute is part of the key`,
        );
      }
      const row = rowOf(updated(before?.item ?? empty, update), key);
      expectSize(row, 'Item size to update has exceeded the maximum allowed size');
      return listable(rows, row);
    },
  };
}

function expectSize({ bytes }: Row, tooLarge: string): void {
  if (bytes > MOST_ITEM_BYTES) throw new Invalid(tooLarge);
}

/** Returns the row unchanged. @throws Invalid if its keys are not valid for an index */
function listable(rows: Rows, row: Row): Row {
  for (const index of rows.indexes) indexKeyOf(row.item, index);
  return row;
}

/** Executes a single write. @throws ConditionalCheckFailedException, Invalid */
export function write(rows: Rows, planned: Planned, returns: string | undefined) {
  const { key, condition, showsExisting, next, update } = planned;
  const before = rows.find(key);
  if (!condition(before?.item ?? {})) throw conditionFailed(showsExisting ? before?.item : undefined);
  const change: Change = { key, before, after: next(before) };
  rows.apply(change);
  return {
    Attributes: returned(returns, change, update),
    ConsumedCapacity: { CapacityUnits: unitsOfChange(rows, change, false) },
  };
}

function returned(returns = 'NONE', { before, after }: Change, update: Update | undefined): Item | undefined {
  if (returns === 'NONE') return undefined;
  const item = returns.endsWith('_OLD') ? before?.item : after?.item;
  if (!item || returns.startsWith('ALL_')) return item;
  const changed = Object.entries(item).filter(([name]) => update?.has(name));
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}
