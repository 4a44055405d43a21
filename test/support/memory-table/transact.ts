import type { CancellationReason, TransactWriteItem, TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import { cancelled, CONDITION_FAILED, Invalid, tokenReused } from '#test/support/memory-table/errors.ts';
import { expectFields } from '#test/support/memory-table/expressions/fields.ts';
import { MOST_TRANSACT_BYTES, MOST_TRANSACT_ITEMS } from '#test/support/memory-table/units/limits.ts';
import type { Change } from '#test/support/memory-table/row.ts';
import type { Rows } from '#test/support/memory-table/rows.ts';
import { unitsOfChange } from '#test/support/memory-table/units/units.ts';
import {
  type Planned,
  plannedCheck,
  plannedDelete,
  plannedPut,
  plannedUpdate,
} from '#test/support/memory-table/writes.ts';

/** How long DynamoDB remembers an idempotency token. */
const TOKEN_MS = 600_000;

interface Remembered {
  readonly items: readonly TransactWriteItem[];
  readonly at: number;
}

const remembered = new Map<string, Remembered>();

/**
 * Executes all writes or, if one is impossible, none.
 * @throws TransactionCanceledException, IdempotentParameterMismatchException, Invalid
 */
export function transactWrite(rowsOf: (table: string | undefined) => Rows, input: TransactWriteItemsInput) {
  expectFields('TransactWriteItems', input, ['TransactItems', 'ClientRequestToken', 'ReturnConsumedCapacity']);
  const items = input.TransactItems ?? [];
  if (items.length === 0 || items.length > MOST_TRANSACT_ITEMS) {
    throw new Invalid('Member must have length less than or equal to 100, and greater than or equal to 1');
  }
  const parts = items.map((item) => {
    const [part] = Object.values(item);
    const rows = rowsOf((part as { TableName?: string }).TableName);
    return { rows, planned: plannedOf(rows, item) };
  });
  const keys = new Set(parts.map(({ planned: { key } }) => JSON.stringify(key)));
  if (keys.size < parts.length) throw new Invalid('Transaction request cannot include multiple operations on one item');

  const token = input.ClientRequestToken;
  if (token !== undefined && isRepeated(token, items)) return {};

  const outcomes = parts.map(({ rows, planned }) => outcomeOf(rows, planned));
  if (outcomes.some((outcome) => 'Code' in outcome)) {
    throw cancelled(outcomes.map((outcome) => ('Code' in outcome ? outcome : { Code: 'None' })));
  }
  const changes = outcomes as Change[];
  const bytes = changes.reduce((sum, { after }) => sum + (after?.bytes ?? 0), 0);
  if (bytes > MOST_TRANSACT_BYTES) {
    throw new Invalid('Collection size of the items in the transaction exceeds the maximum allowed size of 4 MB');
  }
  let CapacityUnits = 0;
  for (const [at, change] of changes.entries()) {
    const { rows } = parts[at]!;
    CapacityUnits += unitsOfChange(rows, change, true);
    rows.apply(change);
  }
  if (token !== undefined) remembered.set(token, { items: structuredClone(items), at: performance.now() });
  return { ConsumedCapacity: [{ CapacityUnits }] };
}

function plannedOf(rows: Rows, { Put, Update, Delete, ConditionCheck }: TransactWriteItem): Planned {
  if (Put) return plannedPut(rows, Put);
  if (Update) return plannedUpdate(rows, Update);
  if (Delete) return plannedDelete(rows, Delete);
  if (ConditionCheck) return plannedCheck(rows, ConditionCheck);
  throw new Invalid('TransactItems can only contain one of Check, Put, Update or Delete');
}

function isRepeated(token: string, items: readonly TransactWriteItem[]): boolean {
  const before = remembered.get(token);
  if (!before || performance.now() - before.at > TOKEN_MS) return false;
  if (!isDeepStrictEqual(before.items, items)) throw tokenReused();
  return true;
}

/** Returns the change that one write makes, or the reason why it cancels the transaction. */
function outcomeOf(rows: Rows, { key, condition, showsExisting, next }: Planned): Change | CancellationReason {
  const before = rows.find(key);
  if (!condition(before?.item ?? {})) {
    const Item = showsExisting && before ? structuredClone(before.item) : undefined;
    return { Code: 'ConditionalCheckFailed', Message: CONDITION_FAILED, ...(Item && { Item }) };
  }
  try {
    return { key, before, after: next(before) };
  } catch (error) {
    if (error instanceof Invalid) return { Code: 'ValidationError', Message: error.message };
    throw error;
  }
}
