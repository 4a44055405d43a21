import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { type Case, hold, VALIDATION } from '#test/service/table/cases.ts';

// The result of a put for each kind of value, and of puts and deletes.

const kept: readonly (readonly [name: string, value: unknown, read?: unknown])[] = [
  ['a text', 'click'],
  ['an empty text', ''],
  ['a text with a character of four bytes', 'é \u{1f600}'],
  ['an integer', 42],
  ['a negative fraction', -0.125],
  ['zero', 0],
  ['the largest safe integer', Number.MAX_SAFE_INTEGER],
  [
    'a larger number, read back as the largest safe integer',
    NumberValue.from('12345678901234567890'),
    Number.MAX_SAFE_INTEGER,
  ],
  ['a boolean', false],
  ['null', null],
  ['bytes', Uint8Array.of(0, 255)],
  ['a list', [1, 'two', [true], { three: 3 }]],
  ['an empty list', []],
  ['a map', { a: { b: { c: [null] } } }],
  ['an empty map', {}],
  ['a set of texts', new Set(['b', 'a'])],
  ['a set of numbers', new Set([10, 9])],
  ['a map without its undefined values', { a: 1, b: undefined }, { a: 1 }],
  ['a list without its undefined values', [1, undefined, 2], [1, 2]],
];

const refused: readonly (readonly [name: string, item: object])[] = [
  ['no sort key', { sk: undefined }],
  ['an empty sort key', { sk: '' }],
  ['a sort key that is a number', { sk: 1 }],
  ['a sort key of more than 1,024 bytes', { sk: 'x'.repeat(1_025) }],
  ['a partition key of more than 2,048 bytes', { pk: 'x'.repeat(2_049) }],
  ['a number as key of an index', { gsi1pk: 1, gsi1sk: 'a' }],
  ['an empty key of an index', { gsi1pk: 'list', gsi1sk: '' }],
  ['an item of more than 400 KB', { text: 'x'.repeat(400 * 1_024) }],
  ['a number of more than 38 digits', { count: NumberValue.from('1'.repeat(39)) }],
  ['a number of 1e126', { count: NumberValue.from('1e126') }],
  ['a number of 1e-131', { count: NumberValue.from('1e-131') }],
  ['a set with a number twice', { days: new Set([NumberValue.from('1'), NumberValue.from('1.0')]) }],
];

hold('writes', [
  ...kept.map(([name, value, read = value]): Case => ({
    name: `a put stores ${name}`,
    calls: (pk) => ({ put: { Item: { pk, sk: 'a', value } } }),
    gives: {},
    leaves: [{ sk: 'a', value: read }],
  })),
  ...refused.map(([name, item]): Case => ({
    name: `a put is refused with ${name}`,
    calls: (pk) => ({ put: { Item: { pk, sk: 'a', ...item } } }),
    fails: VALIDATION,
    leaves: [],
  })),
  {
    name: 'a put stores an item of exactly 400 KB',
    // Bytes of names and values: pk, sk, a, and text.
    calls: (pk) => [
      { put: { Item: { pk, sk: 'a', text: 'x'.repeat(400 * 1_024 - 'pkskatext'.length - pk.length) } } },
      { query: keysOf(pk) },
    ],
    gives: (pk) => ({ Items: [{ pk, sk: 'a' }], Count: 1, ScannedCount: 1 }),
  },
  {
    name: 'a put replaces the whole item',
    items: [{ sk: 'a', name: 'first', more: 1 }],
    calls: (pk) => ({ put: { Item: { pk, sk: 'a', name: 'second' } } }),
    leaves: [{ sk: 'a', name: 'second' }],
  },
  {
    name: 'a put with ALL_OLD returns the replaced item',
    items: [{ sk: 'a', name: 'first' }],
    calls: (pk) => ({ put: { Item: { pk, sk: 'a' }, ReturnValues: 'ALL_OLD' } }),
    gives: (pk) => ({ Attributes: { pk, sk: 'a', name: 'first' } }),
  },
  {
    name: 'a delete with ALL_OLD deletes the item and returns it',
    items: [{ sk: 'a', name: 'first' }, { sk: 'b' }],
    calls: (pk) => ({ delete: { Key: { pk, sk: 'a' }, ReturnValues: 'ALL_OLD' } }),
    gives: (pk) => ({ Attributes: { pk, sk: 'a', name: 'first' } }),
    leaves: [{ sk: 'b' }],
  },
  {
    name: 'a delete of a missing item succeeds and returns nothing',
    differs: { 'DynamoDB Local': 'answers its capacity unasked' },
    calls: (pk) => ({ delete: { Key: { pk, sk: 'a' }, ReturnValues: 'ALL_OLD' } }),
    gives: {},
    leaves: [],
  },
  {
    name: 'a batch writes puts and deletes',
    items: [{ sk: 'a' }, { sk: 'b' }],
    calls: (pk) => ({
      batchWrite: [{ PutRequest: { Item: { pk, sk: 'c', name: 'new' } } }, { DeleteRequest: { Key: { pk, sk: 'a' } } }],
    }),
    gives: { UnprocessedItems: {} },
    leaves: [{ sk: 'b' }, { sk: 'c', name: 'new' }],
  },
  {
    name: 'a batch of 26 writes is refused',
    calls: (pk) => ({
      batchWrite: Array.from({ length: 26 }, (_, at) => ({ PutRequest: { Item: { pk, sk: `${at}` } } })),
    }),
    fails: VALIDATION,
    leaves: [],
  },
  {
    name: 'a batch that writes one item twice is refused',
    calls: (pk) => ({
      batchWrite: [{ PutRequest: { Item: { pk, sk: 'a' } } }, { DeleteRequest: { Key: { pk, sk: 'a' } } }],
    }),
    fails: VALIDATION,
    leaves: [],
  },
]);

function keysOf(pk: string) {
  return {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ProjectionExpression: 'pk, sk',
  };
}
