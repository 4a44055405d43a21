import { expect } from 'vitest';
import { type Case, cancelledFor, hold, VALIDATION } from '#test/service/table/cases.ts';

const returnExisting = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
const isNew = { ConditionExpression: 'attribute_not_exists(pk)', ...returnExisting };
const exists = { ConditionExpression: 'attribute_exists(pk)', ...returnExisting };
const puts = (pk: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ Put: { Item: { pk, sk: `n${String(at).padStart(3, '0')}` } } }));
const adding = (pk: string, sk: string, amount: unknown, more?: object) => ({
  Update: {
    Key: { pk, sk },
    UpdateExpression: 'ADD #n :v',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':v': amount },
    ...more,
  },
});

const refused = (
  name: string,
  transact: (pk: string) => readonly Readonly<Record<string, object | undefined>>[],
  differs?: Case['differs'],
): Case => ({
  differs,
  name: `is refused with ${name}`,
  items: [{ sk: 'a' }],
  calls: (pk) => ({ transact: transact(pk) as never }),
  fails: VALIDATION,
  leaves: [{ sk: 'a' }],
});

const cancels = { embedded: 'cancels the transaction' };

hold('a transaction', [
  {
    name: 'puts, updates, deletes and checks items in one step',
    items: [{ sk: 'changed', n: 1 }, { sk: 'checked' }, { sk: 'deleted' }],
    calls: (pk) => ({
      transact: [
        { Put: { Item: { pk, sk: 'put', name: 'new' }, ...isNew } },
        adding(pk, 'changed', 2, exists),
        { Delete: { Key: { pk, sk: 'deleted' } } },
        { ConditionCheck: { Key: { pk, sk: 'checked' }, ...exists } },
      ],
    }),
    gives: {},
    leaves: [{ sk: 'changed', n: 3 }, { sk: 'checked' }, { sk: 'put', name: 'new' }],
  },
  {
    name: 'writes nothing if a condition fails, and returns the reasons with the failed items',
    items: [{ sk: 'existing', n: 1 }],
    calls: (pk) => ({
      transact: [
        { Put: { Item: { pk, sk: 'put' } } },
        { Put: { Item: { pk, sk: 'existing' }, ...isNew } },
        { ConditionCheck: { Key: { pk, sk: 'absent' }, ...exists } },
      ],
    }),
    fails: (pk) => ({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: { pk: { S: pk }, sk: { S: 'existing' }, n: { N: '1' } } },
        { Code: 'ConditionalCheckFailed' },
      ],
    }),
    leaves: [{ sk: 'existing', n: 1 }],
  },
  {
    name: 'returns no failed item by default',
    items: [{ sk: 'a' }],
    calls: (pk) => ({
      transact: [{ Put: { Item: { pk, sk: 'a' }, ConditionExpression: 'attribute_not_exists(pk)' } }],
    }),
    fails: {
      // oxlint-disable-next-line vitest/no-standalone-expect -- a matcher of a case
      CancellationReasons: [expect.not.objectContaining({ Item: expect.anything() as unknown })],
    },
  },
  {
    name: 'is cancelled by an update that adds a number to a text',
    items: [{ sk: 'a', n: 'text' }],
    calls: (pk) => ({ transact: [{ Put: { Item: { pk, sk: 'b' } } }, adding(pk, 'a', 1)] }),
    fails: cancelledFor('None', 'ValidationError'),
    leaves: [{ sk: 'a', n: 'text' }],
    differs: { 'DynamoDB Local': 'refuses the whole request' },
  },
  {
    name: 'is cancelled by an update that makes an item larger than 400 KB',
    items: [{ sk: 'a', text: 'x'.repeat(300_000) }],
    calls: (pk) => ({
      transact: [
        { Put: { Item: { pk, sk: 'b' } } },
        {
          Update: {
            Key: { pk, sk: 'a' },
            UpdateExpression: 'SET #more = :v',
            ExpressionAttributeNames: { '#more': 'more' },
            ExpressionAttributeValues: { ':v': 'y'.repeat(200_000) },
          },
        },
      ],
    }),
    fails: cancelledFor('None', 'ValidationError'),
  },
  {
    name: 'is cancelled by a put with a numeric index key',
    calls: (pk) => ({ transact: [{ Put: { Item: { pk, sk: 'b', gsi1pk: 1, gsi1sk: 'a' } } }] }),
    fails: cancelledFor('ValidationError'),
    leaves: [],
  },
  {
    name: 'is cancelled by an update that changes a key',
    items: [{ sk: 'a' }],
    calls: (pk) => ({
      transact: [
        { Update: { Key: { pk, sk: 'a' }, UpdateExpression: 'SET sk = :v', ExpressionAttributeValues: { ':v': 'b' } } },
      ],
    }),
    fails: cancelledFor('ValidationError'),
    leaves: [{ sk: 'a' }],
    differs: { embedded: 'carries it out, and changes nothing' },
  },
  {
    name: 'accepts 100 writes',
    calls: (pk) => [
      { transact: puts(pk, 100) },
      { query: { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, Select: 'COUNT' } },
    ],
    gives: { Count: 100, ScannedCount: 100 },
  },
  refused('101 writes', (pk) => puts(pk, 101)),
  refused('no writes', () => []),
  refused('two writes of one item', (pk) => [
    { ConditionCheck: { Key: { pk, sk: 'b' }, ...isNew } },
    { Put: { Item: { pk, sk: 'b' } } },
  ]),
  refused('more than 4 MB', (pk) =>
    puts(pk, 11).map(({ Put: { Item } }) => ({ Put: { Item: { ...Item, text: 'x'.repeat(390_000) } } })),
  ),
  refused('a put of more than 400 KB', (pk) => [{ Put: { Item: { pk, sk: 'b', text: 'x'.repeat(410_000) } } }]),
  refused('a put with an empty key', (pk) => [{ Put: { Item: { pk, sk: '' } } }]),
  refused('a part without its key', (pk) => [{ Delete: { Key: { pk } } }], cancels),
  refused(
    'a part with a value that is not used',
    (pk) => [{ Put: { Item: { pk, sk: 'b' }, ...isNew, ExpressionAttributeValues: { ':v': 'b' } } }],
    cancels,
  ),
  {
    name: 'that is sent twice with one token is applied once',
    calls: (pk) => [
      { transact: [adding(pk, 'a', 1)], token: `token-${pk}` },
      { transact: [adding(pk, 'a', 1)], token: `token-${pk}` },
    ],
    gives: {},
    leaves: [{ sk: 'a', n: 1 }],
  },
  {
    name: 'that is sent twice without a token is applied twice',
    calls: (pk) => [{ transact: [adding(pk, 'a', 1)] }, { transact: [adding(pk, 'a', 1)] }],
    leaves: [{ sk: 'a', n: 2 }],
  },
  {
    name: 'is refused with the token of a different transaction',
    calls: (pk) => [
      { transact: [adding(pk, 'a', 1)], token: `token-${pk}` },
      { transact: [adding(pk, 'a', 2)], token: `token-${pk}` },
    ],
    fails: { name: 'IdempotentParameterMismatchException' },
    leaves: [{ sk: 'a', n: 1 }],
  },
  {
    name: 'is applied with the token of an equal one that was cancelled before',
    items: [{ sk: 'a', n: 1 }],
    calls: (pk) => {
      const transact = [{ Put: { Item: { pk, sk: 'b' }, ...isNew } }, { Delete: { Key: { pk, sk: 'a' }, ...isNew } }];
      return [
        { transact, token: `token-${pk}`, isCancelled: true },
        { delete: { Key: { pk, sk: 'a' } } },
        { transact, token: `token-${pk}` },
      ];
    },
    gives: {},
    leaves: [{ sk: 'b' }],
  },
  {
    name: 'is applied with a token',
    calls: (pk) => [{ transact: [{ Put: { Item: { pk, sk: 'a' }, ...isNew } }], token: `token-${pk}` }],
    gives: {},
    leaves: [{ sk: 'a' }],
  },
]);
