import { type Case, hold, namedTable, VALIDATION } from '#test/service/table/cases.ts';

const LETTERS = ['a', 'b', 'b1', 'b2', 'c'];
const items = LETTERS.map((sk) => ({ sk }));

/** A query of the table: the condition on the sort key, and the returned sort keys. */
const range = (name: string, text: string, values: object, found: readonly string[], more?: object): Case => ({
  name: `a query returns ${name}`,
  items,
  calls: (pk) => ({
    query: {
      KeyConditionExpression: `pk = :pk${text && ` AND ${text}`}`,
      ExpressionAttributeValues: { ':pk': pk, ...values },
      ConsistentRead: true,
      ...more,
    },
  }),
  gives: (pk) => ({ Items: found.map((sk) => ({ pk, sk })), Count: found.length, ScannedCount: found.length }),
});

/** Pages of two. */
const paged = (name: string, calls: (pk: string) => object, found: readonly string[], end?: string): Case => ({
  name,
  items,
  calls: (pk) => ({
    query: { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ...calls(pk) },
  }),
  gives: (pk) => ({
    Items: found.map((sk) => ({ pk, sk })),
    Count: found.length,
    ScannedCount: found.length,
    ...(end && { LastEvaluatedKey: { pk, sk: end } }),
  }),
});

const listed = [
  { sk: 'i1', gsi1sk: '2', name: 'x' },
  { sk: 'i2', gsi1sk: '1' },
  { sk: 'i3', gsi1sk: '3', gsi2sk: '1' },
];
const entry = (pk: string, at: number) => ({
  pk,
  sk: listed[at]!.sk,
  gsi1pk: `list-${pk}`,
  gsi1sk: listed[at]!.gsi1sk,
});
const inIndex = (name: string, more: object, found: readonly number[], text = '', end?: number): Case => {
  return {
    name,
    calls: (pk) => [
      ...listed.map((item) => ({ put: { Item: { pk, ...item, gsi1pk: `list-${pk}` } } })),
      // An item without the index's first key is in no list.
      { put: { Item: { pk, sk: 'i4', gsi1sk: '4' } } },
      {
        query: {
          IndexName: 'gsi1',
          KeyConditionExpression: `gsi1pk = :list${text}`,
          ExpressionAttributeValues: { ':list': `list-${pk}`, ...(text && { ':from': '2' }) },
          ...more,
        },
      },
    ],
    gives: (pk) => ({
      Items: found.map((at) => entry(pk, at)),
      Count: found.length,
      ScannedCount: found.length,
      ...(end !== undefined && { LastEvaluatedKey: entry(pk, end) }),
    }),
  };
};

const refusedQuery = (name: string, fields: (pk: string) => object, differs?: Case['differs']): Case => ({
  differs,
  name: `a query is refused with ${name}`,
  calls: (pk) => ({ query: fields(pk) as Record<string, unknown> }),
  fails: VALIDATION,
});
const all = (pk: string) => ({ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } });

/** Three items, two of which fit into a page. */
const large = ['a', 'b', 'c'].map((sk) => ({ sk, text: 'x'.repeat(390_000) }));

const finding = { embedded: 'finds nothing' };

hold('reads', [
  range('a whole partition in the order of the sort key', '', {}, LETTERS),
  range('a whole partition in reverse order', '', {}, LETTERS.toReversed(), { ScanIndexForward: false }),
  range('one item by its sort key', 'sk = :sk', { ':sk': 'b' }, ['b']),
  range('the items below a sort key', 'sk < :sk', { ':sk': 'b1' }, ['a', 'b']),
  range('the items up to a sort key, inclusive', 'sk <= :sk', { ':sk': 'b1' }, ['a', 'b', 'b1']),
  range('the items above a sort key', 'sk > :sk', { ':sk': 'b1' }, ['b2', 'c']),
  range('the items from a sort key on, inclusive', 'sk >= :sk', { ':sk': 'b1' }, ['b1', 'b2', 'c']),
  range('the items between two sort keys, both inclusive', 'sk BETWEEN :from AND :to', { ':from': 'b', ':to': 'b2' }, [
    'b',
    'b1',
    'b2',
  ]),
  range('no item between two sort keys without one', 'sk BETWEEN :from AND :to', { ':from': 'd', ':to': 'e' }, []),
  range('the items whose sort key begins with a text', 'begins_with(sk, :sk)', { ':sk': 'b' }, ['b', 'b1', 'b2']),
  range(
    'the items whose sort key begins with a text, in reverse order',
    'begins_with(sk, :sk)',
    { ':sk': 'b' },
    ['b2', 'b1', 'b'],
    { ScanIndexForward: false },
  ),
  {
    name: 'a query returns sort keys in the order of their UTF-8 bytes',
    items: ['\u{1f600}', '\uff5e', 'z', 'é', 'Z'].map((sk) => ({ sk })),
    calls: (pk) => ({ query: { ...all(pk), ConsistentRead: true } }),
    gives: (pk) => ({
      Items: ['Z', 'z', 'é', '\uff5e', '\u{1f600}'].map((sk) => ({ pk, sk })),
      Count: 5,
      ScannedCount: 5,
    }),
  },
  paged('a page ends at its limit', () => ({ Limit: 2 }), ['a', 'b'], 'b'),
  paged(
    'a page continues after a given key',
    (pk) => ({ Limit: 2, ExclusiveStartKey: { pk, sk: 'b' } }),
    ['b1', 'b2'],
    'b2',
  ),
  paged('a page continues after a key whose item no longer exists', (pk) => ({ ExclusiveStartKey: { pk, sk: 'b0' } }), [
    'b1',
    'b2',
    'c',
  ]),
  paged(
    'a page continues after a given key in reverse order',
    (pk) => ({ Limit: 2, ExclusiveStartKey: { pk, sk: 'b2' }, ScanIndexForward: false }),
    ['b1', 'b'],
    'b',
  ),
  paged('a page has a last key if its limit is the number of items', () => ({ Limit: 5 }), LETTERS, 'c'),
  paged('a page has no last key if its limit is above the number of items', () => ({ Limit: 6 }), LETTERS),
  paged('a page after the last item is empty', (pk) => ({ ExclusiveStartKey: { pk, sk: 'c' } }), []),
  {
    name: 'a page ends before the item that exceeds a megabyte',
    differs: {
      embedded: 'counts that item as scanned',
      'DynamoDB Local': 'ends the page after that item',
    },
    items: large,
    calls: (pk) => ({ query: { ...all(pk), ProjectionExpression: 'pk, sk' } }),
    gives: (pk) => ({
      Items: [
        { pk, sk: 'a' },
        { pk, sk: 'b' },
      ],
      Count: 2,
      ScannedCount: 2,
      LastEvaluatedKey: { pk, sk: 'b' },
    }),
  },
  {
    name: 'a filter applies after the read and counts the dropped items as scanned',
    items: [{ sk: 'a', count: 1 }, { sk: 'b', count: 3 }, { sk: 'c' }],
    calls: (pk) => ({
      query: {
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: '#count <= :most',
        ProjectionExpression: '#count',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':pk': pk, ':most': 2 },
      },
    }),
    gives: { Items: [{ count: 1 }], Count: 1, ScannedCount: 3 },
  },
  {
    name: 'a query with COUNT returns only the number of items',
    items,
    calls: (pk) => ({ query: { ...all(pk), Select: 'COUNT' } }),
    gives: { Count: 5, ScannedCount: 5 },
  },
  inIndex('an index lists the items that have its keys, in the order of its sort key', {}, [1, 0, 2]),
  inIndex('an index lists items in reverse order', { ScanIndexForward: false }, [2, 0, 1]),
  inIndex('an index lists items from one of its sort keys on, inclusive', {}, [0, 2], ' AND gsi1sk >= :from'),
  inIndex('an index lists items above one of its sort keys', {}, [2], ' AND gsi1sk > :from'),
  inIndex('a page of an index ends with the keys of the table and of the index', { Limit: 2 }, [1, 0], '', 0),
  {
    name: 'an item without a key of an index is no longer in that index',
    calls: (pk) => [
      { put: { Item: { pk, sk: 'a', gsi1pk: pk, gsi1sk: '1', gsi2pk: pk, gsi2sk: '1' } } },
      { update: { Key: { pk, sk: 'a' }, UpdateExpression: 'REMOVE gsi1sk' } },
      { query: { IndexName: 'gsi1', ...listOf(pk) } },
    ],
    gives: { Items: [], Count: 0, ScannedCount: 0 },
  },
  {
    name: 'an item without a key of one index stays in the other index',
    calls: (pk) => [
      { put: { Item: { pk, sk: 'a', gsi1pk: pk, gsi1sk: '1', gsi2pk: pk, gsi2sk: '1' } } },
      { update: { Key: { pk, sk: 'a' }, UpdateExpression: 'REMOVE gsi1sk' } },
      { query: { IndexName: 'gsi2', ...listOf(pk, 'gsi2pk') } },
    ],
    gives: (pk) => ({ Items: [{ pk, sk: 'a', gsi2pk: pk, gsi2sk: '1' }], Count: 1, ScannedCount: 1 }),
  },
  {
    name: 'an index does not list a deleted item',
    calls: (pk) => [
      { put: { Item: { pk, sk: 'a', gsi1pk: pk, gsi1sk: '1' } } },
      { delete: { Key: { pk, sk: 'a' } } },
      { query: { IndexName: 'gsi1', ...listOf(pk) } },
    ],
    gives: { Items: [], Count: 0, ScannedCount: 0 },
  },
  {
    name: 'an item with a changed index key moves in the order of the index',
    calls: (pk) => [
      { put: { Item: { pk, sk: 'a', gsi1pk: pk, gsi1sk: '1' } } },
      { put: { Item: { pk, sk: 'b', gsi1pk: pk, gsi1sk: '2' } } },
      {
        update: {
          Key: { pk, sk: 'a' },
          UpdateExpression: 'SET gsi1sk = :v',
          ExpressionAttributeValues: { ':v': '3' },
        },
      },
      { query: { IndexName: 'gsi1', ...listOf(pk) } },
    ],
    gives: (pk) => ({
      Items: [
        { pk, sk: 'b', gsi1pk: pk, gsi1sk: '2' },
        { pk, sk: 'a', gsi1pk: pk, gsi1sk: '3' },
      ],
      Count: 2,
      ScannedCount: 2,
    }),
  },
  {
    name: 'a get returns the item',
    items: [{ sk: 'a', name: 'x' }],
    calls: (pk) => ({ get: { Key: { pk, sk: 'a' }, ConsistentRead: true } }),
    gives: (pk) => ({ Item: { pk, sk: 'a', name: 'x' } }),
  },
  { name: 'a get of a missing item returns nothing', calls: (pk) => ({ get: { Key: { pk, sk: 'a' } } }), gives: {} },
  {
    name: 'a batch get omits missing items',
    items: [{ sk: 'a', name: 'x' }],
    calls: (pk) => ({
      batchGet: {
        ConsistentRead: true,
        Keys: [
          { pk, sk: 'a' },
          { pk, sk: 'none' },
        ],
      },
    }),
    gives: (pk) => ({ Responses: { [namedTable()]: [{ pk, sk: 'a', name: 'x' }] }, UnprocessedKeys: {} }),
  },
  {
    name: 'a batch get with a projection returns only these fields',
    items: [{ sk: 'a', 'sales@2026-11-20': 1, other: 2 }],
    calls: (pk) => ({
      batchGet: {
        Keys: [{ pk, sk: 'a' }],
        ProjectionExpression: '#n0,#n1',
        ExpressionAttributeNames: { '#n0': 'sk', '#n1': 'sales@2026-11-20' },
      },
    }),
    gives: () => ({ Responses: { [namedTable()]: [{ sk: 'a', 'sales@2026-11-20': 1 }] }, UnprocessedKeys: {} }),
  },
  {
    name: 'a batch get is refused with a repeated key',
    calls: (pk) => ({
      batchGet: {
        Keys: [
          { pk, sk: 'a' },
          { pk, sk: 'a' },
        ],
      },
    }),
    fails: VALIDATION,
  },
  {
    name: 'a batch get is refused with 101 keys',
    calls: (pk) => ({ batchGet: { Keys: Array.from({ length: 101 }, (_, at) => ({ pk, sk: `${at}` })) } }),
    fails: VALIDATION,
  },
  {
    name: 'a batch get is refused with an incomplete key',
    calls: (pk) => ({ batchGet: { Keys: [{ pk }] } }),
    fails: VALIDATION,
  },
  refusedQuery('a range that ends before it begins', (pk) => ({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': 'b', ':to': 'a' },
  })),
  refusedQuery('two conditions on the sort key', (pk) => ({
    KeyConditionExpression: 'pk = :pk AND sk > :from AND sk < :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': 'a', ':to': 'b' },
  })),
  refusedQuery('a condition on another attribute', (pk) => ({
    KeyConditionExpression: 'pk = :pk AND gsi1sk > :from',
    ExpressionAttributeValues: { ':pk': pk, ':from': 'a' },
  })),
  refusedQuery('no partition key', () => ({
    KeyConditionExpression: 'sk = :sk',
    ExpressionAttributeValues: { ':sk': 'a' },
  })),
  refusedQuery(
    'a partition key that is a number',
    () => ({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 1 },
    }),
    finding,
  ),
  refusedQuery(
    'an empty partition key',
    () => ({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': '' },
    }),
    finding,
  ),
  refusedQuery(
    'a start in another partition',
    (pk) => ({ ...all(pk), ExclusiveStartKey: { pk: 'other', sk: 'a' } }),
    finding,
  ),
  refusedQuery('an incomplete key as its start', (pk) => ({ ...all(pk), ExclusiveStartKey: { pk } })),
  refusedQuery(
    'a start outside the range',
    (pk) => ({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': 'b' },
      ExclusiveStartKey: { pk, sk: 'd' },
    }),
    finding,
  ),
  refusedQuery('a limit of 0', (pk) => ({ ...all(pk), Limit: 0 })),
  refusedQuery('an unknown index', (pk) => ({ ...all(pk), IndexName: 'gsi3' })),
  refusedQuery('a consistent read of an index', (pk) => ({ IndexName: 'gsi1', ...listOf(pk), ConsistentRead: true })),
  refusedQuery('a value that is not used', (pk) => ({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk, ':other': 1 },
  })),
]);

function listOf(list: string, name = 'gsi1pk') {
  return { KeyConditionExpression: `${name} = :list`, ExpressionAttributeValues: { ':list': list } };
}
