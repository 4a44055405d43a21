import { type Case, CONDITION, hold, VALIDATION } from '#test/service/table/cases.ts';

// One row per condition: the item before, and whether a delete with the condition succeeds.

interface Row {
  readonly text: string;
  readonly values?: object;
  readonly names?: object;
  readonly item?: object | undefined;
  readonly passes: boolean;
}

const item = { sk: 'a', status: 'click', count: 5, flag: true, tags: new Set(['x', 'y']), nested: { a: [1, 'two'] } };
const on = (text: string, values: object | undefined, passes: boolean, of: object | undefined = item): Row => ({
  text,
  values,
  passes,
  item: of,
});
const none = undefined;

const rows: Row[] = [
  on('attribute_not_exists(#pk)', none, false),
  { text: 'attribute_not_exists(#pk)', passes: true },
  on('attribute_exists(#pk)', none, true),
  { text: 'attribute_exists(#pk)', passes: false },
  on('attribute_not_exists(#absent)', none, true),
  on('attribute_exists(#absent)', none, false),
  on('#status = :v', { ':v': 'click' }, true),
  on('#status = :v', { ':v': 'Click' }, false),
  on('#absent = :v', { ':v': 'click' }, false),
  { text: '#status = :v', values: { ':v': 'click' }, passes: false },
  on('#count = :v', { ':v': 5 }, true),
  on('#count = :v', { ':v': '5' }, false),
  on('#flag = :v', { ':v': true }, true),
  on('#flag = :v', { ':v': false }, false),
  on('#nested = :v', { ':v': { a: [1, 'two'] } }, true),
  on('#nested = :v', { ':v': { a: ['two', 1] } }, false),
  on('#tags = :v', { ':v': new Set(['y', 'x']) }, true),
  on('#tags = :v', { ':v': ['x', 'y'] }, false),
  on('#status = :v', { ':v': null }, false),
  on('#nothing = :v', { ':v': null }, true, { sk: 'a', nothing: null }),
  on('#packed = :v', { ':v': Uint8Array.of(1, 2) }, true, { sk: 'a', packed: Uint8Array.of(1, 2) }),
  on('#packed = :v', { ':v': Uint8Array.of(1, 3) }, false, { sk: 'a', packed: Uint8Array.of(1, 2) }),
  on('#status IN (:v)', { ':v': 'click' }, true),
  on('#status IN (:v, :w)', { ':v': 'lead', ':w': 'click' }, true),
  on('#status IN (:v, :w)', { ':v': 'lead', ':w': 'sale' }, false),
  on('#absent IN (:v)', { ':v': 'click' }, false),
  on('#count < :v', { ':v': 6 }, true),
  on('#count < :v', { ':v': 5 }, false),
  on('#count < :v', { ':v': 10 }, true),
  on('#count <= :v', { ':v': 5 }, true),
  on('#count <= :v', { ':v': 4 }, false),
  on('#count < :v', { ':v': '6' }, false),
  on('#absent < :v', { ':v': 6 }, false),
  on('#status < :v', { ':v': 'lead' }, true),
  on('#status < :v', { ':v': 'Lead' }, false),
  on('#status < :v', { ':v': '\u{1f600}' }, true, { sk: 'a', status: '\uff5e' }),
  on('(attribute_not_exists(#absent) OR #absent < :v)', { ':v': 1 }, true),
  on('(attribute_not_exists(#count) OR #count < :v)', { ':v': 5 }, false),
  on('(attribute_not_exists(#pk) OR #count <= :v)', { ':v': 5 }, true),
  on('#status = :v AND #count = :w', { ':v': 'click', ':w': 5 }, true),
  on('#status = :v AND #count = :w', { ':v': 'click', ':w': 6 }, false),
  on('#status = :v AND (attribute_not_exists(#absent) OR #absent < :w)', { ':v': 'click', ':w': 6 }, true),
];

const namesIn = (text: string) => Object.fromEntries((text.match(/#\w+/g) ?? []).map((name) => [name, name.slice(1)]));

const cases = rows.map(({ text, values, item: before, passes }): Case => ({
  name: `${text} is ${passes} with ${JSON.stringify(values)} for ${JSON.stringify(before)}`,
  items: before ? [before as Record<string, unknown>] : [],
  differs: before || !passes ? {} : { 'DynamoDB Local': 'answers the capacity of a delete of nothing unasked' },
  calls: (pk) => ({
    delete: {
      Key: { pk, sk: 'a' },
      ConditionExpression: text,
      ExpressionAttributeNames: namesIn(text),
      ExpressionAttributeValues: values,
    },
  }),
  ...(passes ? { gives: {}, leaves: [] } : { fails: CONDITION, leaves: before ? [before as never] : [] }),
}));

const invalid = (name: string, fields: object, differs?: Case['differs']): Case => ({
  differs,
  name: `is refused with ${name}`,
  items: [item],
  calls: (pk) => ({ delete: { Key: { pk, sk: 'a' }, ...fields } }),
  fails: VALIDATION,
  leaves: [item],
});

const names = { '#status': 'status' };
const unchecked = { embedded: 'evaluates it' };
hold('a condition expression', [
  ...cases,
  invalid('a name that is not defined', { ConditionExpression: 'attribute_exists(#status)' }),
  invalid('a value that is not defined', { ConditionExpression: '#status = :v', ExpressionAttributeNames: names }),
  invalid('a name that is not used', {
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: names,
  }),
  invalid('a value that is not used', {
    ConditionExpression: 'attribute_exists(#status)',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ':v': 1 },
  }),
  invalid('an incomplete comparison', {
    ConditionExpression: '#status =',
    ExpressionAttributeNames: names,
  }),
  invalid('an additional bracket at the end', {
    ConditionExpression: 'attribute_exists(#status) )',
    ExpressionAttributeNames: names,
  }),
  invalid(
    'an order comparison of booleans',
    {
      ConditionExpression: '#status < :v',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':v': true },
    },
    unchecked,
  ),
  invalid(
    '101 values in IN',
    {
      ConditionExpression: `#status IN (${Array.from({ length: 101 }, (_, at) => `:v${at}`).join(', ')})`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`:v${at}`, at])),
    },
    unchecked,
  ),
  invalid('more than 4 KB of text', {
    ConditionExpression: Array.from({ length: 200 }, () => 'attribute_exists(#status)').join(' AND '),
    ExpressionAttributeNames: names,
  }),
  {
    name: 'returns the existing item with ALL_OLD when it fails',
    items: [{ sk: 'a', name: 'first', count: 1 }],
    calls: (pk) => ({
      put: {
        Item: { pk, sk: 'a' },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    }),
    fails: (pk) => ({ ...CONDITION, Item: { pk: { S: pk }, sk: { S: 'a' }, name: { S: 'first' }, count: { N: '1' } } }),
  },
  {
    name: 'returns no item with ALL_OLD when it fails for an absent item',
    calls: (pk) => ({
      update: {
        Key: { pk, sk: 'a' },
        UpdateExpression: 'SET #a = :v',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#a': 'a' },
        ExpressionAttributeValues: { ':v': 1 },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    }),
    fails: { ...CONDITION, Item: undefined },
    leaves: [],
  },
  {
    name: 'returns no item by default when it fails',
    items: [{ sk: 'a' }],
    calls: (pk) => ({ put: { Item: { pk, sk: 'a' }, ConditionExpression: 'attribute_not_exists(pk)' } }),
    fails: { ...CONDITION, Item: undefined },
  },
]);
