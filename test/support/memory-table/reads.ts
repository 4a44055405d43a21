import type {
  BatchGetItemInput,
  GetItemInput,
  KeysAndAttributes,
  QueryInput,
  ScanInput,
} from '@aws-sdk/client-dynamodb';
import { conditionOf } from '#test/support/memory-table/expressions/condition.ts';
import { Invalid } from '#test/support/memory-table/errors.ts';
import { expectFields } from '#test/support/memory-table/expressions/fields.ts';
import { keyConditionOf } from '#test/support/memory-table/expressions/key-condition.ts';
import { keyAttributes, keyOf } from '#test/support/memory-table/keys.ts';
import { MOST_BATCH_GET_BYTES, MOST_BATCH_GET_KEYS, MOST_PAGE_BYTES } from '#test/support/memory-table/units/limits.ts';
import type { Place } from '#test/support/memory-table/expressions/ordered.ts';
import { Placeholders } from '#test/support/memory-table/expressions/placeholders.ts';
import type { Row } from '#test/support/memory-table/row.ts';
import type { Readable, Rows } from '#test/support/memory-table/rows.ts';
import { readUnits } from '#test/support/memory-table/units/units.ts';
import type { Item } from '#test/support/memory-table/expressions/values.ts';

export function getItem(rows: Rows, input: GetItemInput) {
  expectFields('GetItem', input, ['TableName', 'Key', 'ConsistentRead', 'ReturnConsumedCapacity']);
  const row = rows.find(keyOf(input.Key));
  return {
    Item: row?.item,
    ConsumedCapacity: { CapacityUnits: readUnits(row?.bytes ?? 0, input.ConsistentRead === true) },
  };
}

/** Reads items by key. When 16 MB have been read, the other keys are returned as unprocessed. */
export function batchGet(rowsOf: (table: string) => Rows, input: BatchGetItemInput) {
  expectFields('BatchGetItem', input, ['RequestItems', 'ReturnConsumedCapacity']);
  const requested = Object.entries(input.RequestItems ?? {});
  const count = requested.reduce((sum, [, { Keys = [] }]) => sum + Keys.length, 0);
  if (count === 0) throw new Invalid('Member must have length greater than or equal to 1');
  if (count > MOST_BATCH_GET_KEYS) throw new Invalid('Too many items requested for the BatchGetItem call');
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, KeysAndAttributes> = {};
  let [bytes, CapacityUnits] = [0, 0];
  for (const [table, request] of requested) {
    const projection = ['ProjectionExpression', 'ExpressionAttributeNames'];
    expectFields('BatchGetItem', request, ['Keys', 'ConsistentRead', ...projection]);
    const placeholders = new Placeholders(request.ExpressionAttributeNames, undefined);
    const names = request.ProjectionExpression?.split(',').map((name) => placeholders.name(name.trim()));
    placeholders.expectAllUsed();
    const rows = rowsOf(table);
    const keys = request.Keys!.map(keyOf);
    if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length) {
      throw new Invalid('Provided list of item keys contains duplicates');
    }
    const found: Item[] = (Responses[table] = []);
    for (const [at, key] of keys.entries()) {
      const row = rows.find(key);
      bytes += row?.bytes ?? 0;
      if (bytes > MOST_BATCH_GET_BYTES) {
        UnprocessedKeys[table] = { ...request, Keys: request.Keys!.slice(at) };
        break;
      }
      CapacityUnits += readUnits(row?.bytes ?? 0, request.ConsistentRead === true);
      if (row) found.push(names ? projected(row.item, names) : row.item);
    }
  }
  return { Responses, UnprocessedKeys, ConsumedCapacity: [{ CapacityUnits }] };
}

const PAGE_FIELDS = [
  'TableName',
  'Limit',
  'ExclusiveStartKey',
  'ConsistentRead',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'FilterExpression',
  'ProjectionExpression',
  'Select',
  'ReturnConsumedCapacity',
];

export function query(rows: Rows, input: QueryInput) {
  expectFields('Query', input, [...PAGE_FIELDS, 'IndexName', 'KeyConditionExpression', 'ScanIndexForward']);
  const source = sourceOf(rows, input);
  const placeholders = new Placeholders(input.ExpressionAttributeNames, input.ExpressionAttributeValues);
  const { partition, side } = keyConditionOf(input.KeyConditionExpression ?? '', placeholders, source);
  const start = input.ExclusiveStartKey && placeOf(input.ExclusiveStartKey, source);
  if (start && (start.partition !== partition || side(start.place[0]!) !== 0)) {
    throw new Invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
  const found = source.partitions.get(partition)?.range(side, input.ScanIndexForward === false, start?.place) ?? [];
  return page(found, source, input, placeholders);
}

export function scan(rows: Rows, input: ScanInput) {
  expectFields('Scan', input, PAGE_FIELDS);
  const source = sourceOf(rows, input);
  const placeholders = new Placeholders(input.ExpressionAttributeNames, input.ExpressionAttributeValues);
  const start = input.ExclusiveStartKey && placeOf(input.ExclusiveStartKey, source);
  return page(scanned(source, start), source, input, placeholders);
}

function* scanned({ partitions }: Readable, start: Start | undefined): Generator<Row> {
  let hasBegun = start === undefined;
  for (const [pk, partition] of partitions) {
    if (hasBegun) yield* partition.range(() => 0, false);
    else if (pk === start!.partition) {
      hasBegun = true;
      yield* partition.range(() => 0, false, start!.place);
    }
  }
}

function sourceOf(rows: Rows, { IndexName, ConsistentRead }: QueryInput): Readable {
  if (IndexName === undefined) return rows.base;
  const index = rows.indexes.find(({ name }) => name === IndexName);
  if (!index) throw new Invalid(`The table does not have the specified index: ${IndexName}`);
  if (ConsistentRead) throw new Invalid('Consistent reads are not supported on global secondary indexes');
  return index;
}

interface Start {
  readonly partition: string;
  readonly place: Place;
}

/** Returns the position at which a page ended, from its last key. @throws Invalid for an invalid key */
function placeOf(key: Item, { name, partitionKey, sortKey }: Readable): Start {
  const names = name === undefined ? ['pk', 'sk'] : ['pk', 'sk', partitionKey, sortKey];
  const isComplete = names.every((one) => key[one]?.S) && Object.keys(key).length === names.length;
  if (!isComplete) throw new Invalid('The provided starting key is invalid');
  const own = name === undefined ? [] : [key.pk!.S!, key.sk!.S!];
  return { partition: key[partitionKey]!.S!, place: [key[sortKey]!.S!, ...own] };
}

/** Reads a page of rows, up to the limit or one megabyte. The filter is applied afterwards, so a page may be empty. */
function page(found: Iterable<Row>, source: Readable, input: QueryInput & ScanInput, placeholders: Placeholders) {
  const { Limit = Number.POSITIVE_INFINITY, ConsistentRead = false, Select = 'ALL_ATTRIBUTES' } = input;
  if (Limit < 1)
    throw new Invalid('Value at Limit failed to satisfy constraint: Member must have value greater than or equal to 1');
  const passes = conditionOf(input.FilterExpression, placeholders);
  const names = input.ProjectionExpression?.split(',').map((name) => placeholders.name(name.trim()));
  placeholders.expectAllUsed();

  const Items: Item[] = [];
  let [bytes, ScannedCount] = [0, 0];
  let last: Row | undefined;
  let hasMore = false;
  for (const row of found) {
    if (ScannedCount >= Limit || (ScannedCount > 0 && bytes + row.bytes > MOST_PAGE_BYTES)) {
      hasMore = true;
      break;
    }
    bytes += row.bytes;
    ScannedCount += 1;
    last = row;
    if (passes(row.item)) Items.push(names ? projected(row.item, names) : row.item);
  }
  // A page that reaches its limit has an end key, even if no row follows: DynamoDB does not check what follows.
  const isCut = hasMore || ScannedCount >= Limit;
  return {
    ...(Select !== 'COUNT' && { Items }),
    Count: Items.length,
    ScannedCount,
    LastEvaluatedKey: isCut && last ? keyAttributes(last.item, source) : undefined,
    ConsumedCapacity: { CapacityUnits: readUnits(bytes, ConsistentRead) },
  };
}

const projected = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
