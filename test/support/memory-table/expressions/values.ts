import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '#test/support/memory-table/errors.ts';
import { compareNumbers, normalNumber } from '#test/support/memory-table/expressions/numbers.ts';
import { compareText } from '#test/support/memory-table/expressions/ordered.ts';

/** A stored item. It is never modified, and callers get only copies of it. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** Splits a value into the letters of its type, such as `S`, and the value itself. */
export const typed = (value: AttributeValue) => Object.entries(value)[0] as [string, unknown];

export const typeOf = (value: AttributeValue): string => typed(value)[0];

/** Returns a copy as the table stores it: numbers in one spelling, sets sorted. @throws Invalid */
export function admitted(value: AttributeValue): AttributeValue {
  if (value.S !== undefined || value.BOOL !== undefined || value.NULL !== undefined) return value;
  if (value.N !== undefined) return { N: normalNumber(value.N) };
  if (value.B !== undefined) return { B: Uint8Array.from(value.B) };
  if (value.L !== undefined) return { L: value.L.map(admitted) };
  if (value.M !== undefined) return { M: admittedItem(value.M) };
  if (value.SS !== undefined) return { SS: distinct(value.SS.toSorted(compareText), compareText) };
  if (value.NS !== undefined) {
    return { NS: distinct(value.NS.map(normalNumber).toSorted(compareNumbers), compareNumbers) };
  }
  if (value.BS !== undefined) {
    const members = value.BS.map((member) => Uint8Array.from(member)).toSorted(compareBytes);
    return { BS: distinct(members, compareBytes) };
  }
  throw new Invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
}

export function admittedItem(item: Item): Record<string, AttributeValue> {
  const copy: Record<string, AttributeValue> = {};
  for (const name in item) copy[name] = admitted(item[name]!);
  return copy;
}

function distinct<Member>(members: Member[], compare: (a: Member, b: Member) => number): Member[] {
  if (members.length === 0) throw new Invalid('One or more parameter values were invalid: An set may not be empty');
  if (members.some((member, at) => at > 0 && compare(members[at - 1]!, member) === 0)) {
    throw new Invalid('One or more parameter values were invalid: Input collection contains duplicates');
  }
  return members;
}

const compareBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);

/** Whether two values that `admitted` has returned are equal. */
export const areEqual = (a: AttributeValue, b: AttributeValue): boolean =>
  a.S !== undefined ? a.S === b.S : isDeepStrictEqual(a, b);

/**
 * Compares two values. The result is negative, 0 or positive; undefined if their types differ.
 * @throws Invalid for types that have no order
 */
export function compared(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareText(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return compareNumbers(a.N, b.N);
  if (a.B !== undefined && b.B !== undefined) return compareBytes(a.B, b.B);
  return undefined;
}
