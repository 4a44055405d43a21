import { describe, expect, it } from 'vitest';
import {
  type ItemChange,
  type Condition,
  conditionFields,
  updateFields,
} from '#lib/service/ground/table/expressions.ts';

describe('conditionFields, which writes a condition for DynamoDB,', () => {
  it.each<[string, Condition, ReturnType<typeof conditionFields>]>([
    [
      'a new item',
      { isNew: true },
      { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } },
    ],
    [
      'an existing item',
      { exists: true },
      { ConditionExpression: 'attribute_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } },
    ],
    [
      'an item that is deleted or only awaits expiry',
      { isGoneAt: 5 },
      {
        ConditionExpression: '(attribute_not_exists(#pk) OR #expires_at <= :v0)',
        ExpressionAttributeNames: { '#pk': 'pk', '#expires_at': 'expires_at' },
        ExpressionAttributeValues: { ':v0': 5 },
      },
    ],
    [
      'an attribute with a value and an absent attribute',
      { equals: { status: 'lead', signupAt: undefined } },
      {
        ConditionExpression: '#status = :v0 AND attribute_not_exists(#signupAt)',
        ExpressionAttributeNames: { '#status': 'status', '#signupAt': 'signupAt' },
        ExpressionAttributeValues: { ':v0': 'lead' },
      },
    ],
    [
      'an attribute that is absent or less than a value',
      { below: { at: 5 } },
      {
        ConditionExpression: '(attribute_not_exists(#at) OR #at < :v0)',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':v0': 5 },
      },
    ],
    [
      'several conditions that must all be met',
      { exists: true, oneOf: { status: ['click', 'lead'] }, equals: { count: 0 } },
      {
        ConditionExpression: 'attribute_exists(#pk) AND #count = :v0 AND #status IN (:v1, :v2)',
        ExpressionAttributeNames: { '#pk': 'pk', '#count': 'count', '#status': 'status' },
        ExpressionAttributeValues: { ':v0': 0, ':v1': 'click', ':v2': 'lead' },
      },
    ],
  ])('expresses %s', (_, condition, fields) => {
    expect(conditionFields(condition)).toEqual(fields);
  });
});

describe('updateFields, which writes an update for DynamoDB,', () => {
  it.each<[string, ItemChange, string]>([
    ['sets attributes', { set: { a: 1, b: 2 } }, 'SET #a = :v0, #b = :v1'],
    ['removes attributes set to undefined', { set: { a: undefined, b: undefined } }, 'REMOVE #a, #b'],
    ['adds to a number', { add: { a: 1 } }, 'ADD #a :v0'],
    ['deletes from a set', { takeOut: { a: new Set([1]) } }, 'DELETE #a :v0'],
    [
      'combines all changes',
      { set: { a: 1, b: undefined }, add: { c: 1 }, takeOut: { d: new Set([1]) } },
      'SET #a = :v0 REMOVE #b ADD #c :v1 DELETE #d :v2',
    ],
  ])('writes an update that %s', (_, change, expression) => {
    expect(updateFields(change, undefined)).toMatchObject({ UpdateExpression: expression });
    expect(updateFields(change, undefined)).not.toHaveProperty('ConditionExpression');
  });

  it('uses the same attribute names in update and condition, and numbers the values of both consecutively', () => {
    expect(updateFields({ set: { status: 'lead' } }, { oneOf: { status: ['click'] } })).toEqual({
      UpdateExpression: 'SET #status = :v0',
      ConditionExpression: '#status IN (:v1)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':v0': 'lead', ':v1': 'click' },
    });
  });

  it('omits the values if an expression has none, because DynamoDB refuses an empty map', () => {
    expect(updateFields({ set: { a: undefined } }, undefined)).toEqual({
      UpdateExpression: 'REMOVE #a',
      ExpressionAttributeNames: { '#a': 'a' },
    });
  });
});
