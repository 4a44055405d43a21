import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';
import { Invalid } from '#test/support/memory-table/errors.ts';
import { MOST_PARTITION_KEY_BYTES, MOST_SORT_KEY_BYTES } from '#test/support/memory-table/units/limits.ts';
import type { Item } from '#test/support/memory-table/expressions/values.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export interface KeySchema {
  readonly partitionKey: string;
  readonly sortKey: string;
}

const { partitionKey, sortKey } = tableDefinition;

const wrong = (problem: string) => new Invalid(`One or more parameter values were invalid: ${problem}`);

/** Returns the key of an item that is put. @throws Invalid */
export function keyOfItem(item: Item): Key {
  return { pk: keyPart(item, partitionKey, MOST_PARTITION_KEY_BYTES), sk: keyPart(item, sortKey, MOST_SORT_KEY_BYTES) };
}

/** Checks that a key has no other attributes. @throws Invalid */
export function keyOf(key: Item | undefined): Key {
  const names = Object.keys(key ?? {});
  if (!key || names.length !== 2 || !names.includes(partitionKey) || !names.includes(sortKey)) {
    throw new Invalid('The provided key element does not match the schema');
  }
  return keyOfItem(key);
}

function keyPart(item: Item, name: string, mostBytes: number): string {
  const value = item[name];
  if (value === undefined) throw wrong(`Missing the key ${name} in the item`);
  if (value.S === undefined) throw wrong(`Type mismatch for key ${name} expected: S`);
  if (value.S === '') {
    throw new Invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  expectBytes(value.S, mostBytes);
  return value.S;
}

function expectBytes(text: string, most: number): void {
  if (Buffer.byteLength(text) <= most) return;
  throw wrong(`Size of a key has exceeded the maximum size limit of ${most} bytes`);
}

/** Returns the attributes of an item that are its keys: for an index, or for the end of a page. */
export const keyAttributes = (item: Item, { partitionKey: first, sortKey: second }: KeySchema): Item => ({
  [partitionKey]: item[partitionKey]!,
  [sortKey]: item[sortKey]!,
  [first]: item[first]!,
  [second]: item[second]!,
});

/** Returns an item's keys in an index; undefined if the index does not contain the item. @throws Invalid */
export function indexKeyOf(item: Item, index: KeySchema & { readonly name: string }): Key | undefined {
  const first = indexPart(item[index.partitionKey], index.partitionKey, index.name, MOST_PARTITION_KEY_BYTES);
  const second = indexPart(item[index.sortKey], index.sortKey, index.name, MOST_SORT_KEY_BYTES);
  return first === undefined || second === undefined ? undefined : { pk: first, sk: second };
}

function indexPart(value: AttributeValue | undefined, name: string, index: string, most: number): string | undefined {
  if (value === undefined) return undefined;
  const { S } = value;
  if (S === undefined) {
    throw wrong(`Type mismatch for Index Key ${name} Expected: S Actual: ${Object.keys(value)[0]} IndexName: ${index}`);
  }
  if (S === '') {
    throw new Invalid(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
    );
  }
  expectBytes(S, most);
  return S;
}
