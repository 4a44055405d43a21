import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { digitsOf } from '#test/support/memory-table/expressions/numbers.ts';
import type { Item } from '#test/support/memory-table/expressions/values.ts';

const textBytes = (text: string): number => Buffer.byteLength(text);
const sum = <Part>(parts: readonly Part[], bytes: (part: Part) => number): number =>
  parts.reduce((total, part) => total + bytes(part), 0);

/** Returns the size of an item in bytes, names and values, as DynamoDB counts it. */
export function itemBytes(item: Item): number {
  let total = 0;
  for (const name in item) total += textBytes(name) + valueBytes(item[name]!);
  return total;
}

const numberBytes = (text: string): number => 1 + Math.ceil(digitsOf(text) / 2) + (text.startsWith('-') ? 1 : 0);

/** What DynamoDB adds to the size of a list or map. */
const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return textBytes(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return value.B.length;
  if (value.SS !== undefined) return sum(value.SS, textBytes);
  if (value.NS !== undefined) return sum(value.NS, numberBytes);
  if (value.BS !== undefined) return sum(value.BS, (member) => member.length);
  if (value.L !== undefined) return CONTAINER_BYTES + sum(value.L, (member) => MEMBER_BYTES + valueBytes(member));
  if (value.M !== undefined) {
    return CONTAINER_BYTES + MEMBER_BYTES * Object.keys(value.M).length + itemBytes(value.M);
  }
  return 1;
}
