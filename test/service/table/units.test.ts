import { type Case, hold } from '#test/service/table/cases.ts';

// Capacity units as documented by AWS: writes per kilobyte, reads per four, transactions double.

const text = (bytes: number) => 'x'.repeat(bytes);
/** The names and values of `pk`, `sk` and `text`, without the texts. */
const KEYS = 'pk'.length + 'case-000'.length + 'ska'.length + 'text'.length;

const taking = (
  name: string,
  CapacityUnits: number,
  calls: Case['calls'],
  { items, differs }: Pick<Case, 'items' | 'differs'> = {},
): Case => ({
  name: `${name} takes ${CapacityUnits}`,
  items,
  differs,
  calls: (pk) => [calls(pk)].flat().map((call) => ({ ...call, ReturnConsumedCapacity: 'TOTAL' })),
  takes: CapacityUnits,
});

const put = (pk: string, more: object = {}) => ({ put: { Item: { pk, sk: 'a', ...more } } });
const all = (pk: string, more: object = {}) => ({
  query: { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ...more },
});
const five = Array.from({ length: 5 }, (_, at) => ({ sk: `${at}`, text: text(1_000) }));
const large = { items: [{ sk: 'a', text: text(5_000) }] };
const listed = (pk: string, gsi1sk: string) => ({ gsi1pk: pk, gsi1sk });

const perTable = { differs: { 'DynamoDB Local': 'counts a transaction of several items as that of one' } };

hold('capacity units', [
  taking('a small put', 1, put),
  taking('a put of a kilobyte and a half', 2, (pk) => put(pk, { text: text(1_500 - KEYS) })),
  taking('a put that replaces a larger item', 5, put, large),
  taking('a put of an item in one index', 2, (pk) => put(pk, listed(pk, '1'))),
  taking('a put of an item in both indexes', 3, (pk) => put(pk, { ...listed(pk, '1'), gsi2pk: pk, gsi2sk: '1' })),
  taking('a put that keeps the keys of an index', 1, (pk) => [
    put(pk, listed(pk, '1')),
    put(pk, { ...listed(pk, '1'), name: 'x' }),
  ]),
  taking('a put that changes a key of an index', 3, (pk) => [put(pk, listed(pk, '1')), put(pk, listed(pk, '2'))]),
  taking(
    'an update that shrinks an item of five kilobytes',
    5,
    (pk) => ({
      update: { Key: { pk, sk: 'a' }, UpdateExpression: 'REMOVE #text', ExpressionAttributeNames: { '#text': 'text' } },
    }),
    large,
  ),
  taking('a delete of an item of five kilobytes', 5, (pk) => ({ delete: { Key: { pk, sk: 'a' } } }), large),
  taking('a delete of a missing item', 1, (pk) => ({ delete: { Key: { pk, sk: 'a' } } })),
  taking('a delete of an item in one index', 2, (pk) => [
    put(pk, listed(pk, '1')),
    { delete: { Key: { pk, sk: 'a' } } },
  ]),
  taking(
    'a transaction of two puts',
    4,
    (pk) => ({
      transact: [{ Put: { Item: { pk, sk: 'a' } } }, { Put: { Item: { pk, sk: 'b' } } }],
    }),
    perTable,
  ),
  taking(
    'a transaction of a put and a condition check',
    4,
    (pk) => ({
      transact: [
        { Put: { Item: { pk, sk: 'a' } } },
        { ConditionCheck: { Key: { pk, sk: 'b' }, ConditionExpression: 'attribute_not_exists(pk)' } },
      ],
    }),
    perTable,
  ),
  taking(
    'a transaction that puts an item in one index',
    3,
    (pk) => ({
      transact: [{ Put: { Item: { pk, sk: 'a', ...listed(pk, '1') } } }],
    }),
    { differs: { 'DynamoDB Local': 'counts the index twice, too' } },
  ),
  taking(
    'a consistent read of five kilobytes',
    2,
    (pk) => ({ get: { Key: { pk, sk: 'a' }, ConsistentRead: true } }),
    large,
  ),
  taking('an eventually consistent read of five kilobytes', 1, (pk) => ({ get: { Key: { pk, sk: 'a' } } }), large),
  taking('an eventually consistent read of a missing item', 0.5, (pk) => ({ get: { Key: { pk, sk: 'a' } } })),
  taking(
    'a consistent batch get of five items and a missing one',
    6,
    (pk) => ({ batchGet: { ConsistentRead: true, Keys: [...five.map(({ sk }) => ({ pk, sk })), { pk, sk: 'none' }] } }),
    { items: five, differs: { 'DynamoDB Local': 'counts nothing for a missing item' } },
  ),
  taking('a consistent query of five kilobytes in five items', 2, (pk) => all(pk, { ConsistentRead: true }), {
    items: five,
  }),
  taking('an eventually consistent query of five kilobytes', 1, (pk) => all(pk), { items: five }),
  taking('a query that finds nothing', 0.5, (pk) => all(pk), {
    differs: { 'DynamoDB Local': 'counts nothing' },
  }),
]);
