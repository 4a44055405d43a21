import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { type Case, hold, VALIDATION } from '#test/service/table/cases.ts';

const before = { sk: 'a', name: 'first', count: 2, rate: 0.1, tags: new Set(['x', 'y']), days: new Set([1, 2]) };

interface Row {
  readonly name: string;
  readonly text: string;
  readonly values?: object;
  readonly item?: object;
  readonly after: Record<string, unknown> | 'invalid';
}

const rows: Row[] = [
  {
    name: 'sets an attribute',
    text: 'SET #name = :v',
    values: { ':v': 'second' },
    after: { ...before, name: 'second' },
  },
  {
    name: 'sets several attributes',
    text: 'SET #name = :v, #new = :w',
    values: { ':v': 'second', ':w': { deep: [1] } },
    after: { ...before, name: 'second', new: { deep: [1] } },
  },
  {
    name: 'sets an absent attribute with if_not_exists',
    text: 'SET #new = if_not_exists(#new, :v)',
    values: { ':v': 1 },
    after: { ...before, new: 1 },
  },
  {
    name: 'keeps an existing attribute with if_not_exists',
    text: 'SET #name = if_not_exists(#name, :v)',
    values: { ':v': 1 },
    after: before,
  },
  { name: 'removes attributes', text: 'REMOVE #name, #count', after: omit('name', 'count') },
  { name: 'changes nothing if it removes an absent attribute', text: 'REMOVE #absent', after: before },
  { name: 'adds to a number', text: 'ADD #count :v', values: { ':v': 40 }, after: { ...before, count: 42 } },
  { name: 'subtracts from a number', text: 'ADD #count :v', values: { ':v': -3 }, after: { ...before, count: -1 } },
  { name: 'adds fractions exactly', text: 'ADD #rate :v', values: { ':v': 0.2 }, after: { ...before, rate: 0.3 } },
  {
    name: 'adds to an absent number as to zero',
    text: 'ADD #new :v',
    values: { ':v': 7 },
    after: { ...before, new: 7 },
  },
  {
    name: 'adds members to a set, each once',
    text: 'ADD #tags :v',
    values: { ':v': new Set(['y', 'z']) },
    after: { ...before, tags: new Set(['x', 'y', 'z']) },
  },
  {
    name: 'creates a set if it adds members to an absent one',
    text: 'ADD #new :v',
    values: { ':v': new Set([3]) },
    after: { ...before, new: new Set([3]) },
  },
  {
    name: 'removes members from a set',
    text: 'DELETE #days :v',
    values: { ':v': new Set([1, 9]) },
    after: { ...before, days: new Set([2]) },
  },
  {
    name: 'removes the attribute with the last member of its set',
    text: 'DELETE #tags :v',
    values: { ':v': new Set(['x', 'y']) },
    after: omit('tags'),
  },
  {
    name: 'changes nothing if it removes members from an absent set',
    text: 'DELETE #absent :v',
    values: { ':v': new Set(['x']) },
    after: before,
  },
  {
    name: 'combines SET, REMOVE, ADD and DELETE',
    text: 'SET #name = :v REMOVE #rate ADD #count :w DELETE #tags :x',
    values: { ':v': 'second', ':w': 1, ':x': new Set(['x']) },
    after: { sk: 'a', name: 'second', count: 3, tags: new Set(['y']), days: new Set([1, 2]) },
  },
  { name: 'adds a number to a string', text: 'ADD #name :v', values: { ':v': 1 }, after: 'invalid' },
  { name: 'adds a string to a number', text: 'ADD #count :v', values: { ':v': 'one' }, after: 'invalid' },
  {
    name: 'adds a string set to a number set',
    text: 'ADD #days :v',
    values: { ':v': new Set(['x']) },
    after: 'invalid',
  },
  { name: 'adds a set to a number', text: 'ADD #count :v', values: { ':v': new Set([1]) }, after: 'invalid' },
  { name: 'removes members from a number', text: 'DELETE #count :v', values: { ':v': new Set([1]) }, after: 'invalid' },
  { name: 'deletes a number from a set', text: 'DELETE #days :v', values: { ':v': 1 }, after: 'invalid' },
  { name: 'changes the partition key', text: 'SET #pk = :v', values: { ':v': 'other' }, after: 'invalid' },
  { name: 'removes the sort key', text: 'REMOVE #sk', after: 'invalid' },
  { name: 'changes an attribute twice', text: 'SET #name = :v REMOVE #name', values: { ':v': 1 }, after: 'invalid' },
  { name: 'repeats a clause', text: 'SET #name = :v SET #count = :v', values: { ':v': 1 }, after: 'invalid' },
  { name: 'has an empty expression', text: '', after: 'invalid' },
  { name: 'sets an index key to a number', text: 'SET #gsi1pk = :v', values: { ':v': 1 }, after: 'invalid' },
  {
    name: 'sets an index key to an empty string',
    text: 'SET #gsi1sk = :v',
    values: { ':v': '' },
    after: 'invalid',
  },
  {
    name: 'adds to a number with a result of more than 38 digits',
    text: 'ADD #large :v',
    values: { ':v': 1 },
    item: { ...before, large: NumberValue.from('1e40') },
    after: 'invalid',
  },
];

function omit(...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name)));
}

const namesIn = (text: string) =>
  text.includes('#') ? Object.fromEntries((text.match(/#\w+/g) ?? []).map((name) => [name, name.slice(1)])) : undefined;

const change = (pk: string, UpdateExpression: string, values?: object, more?: object) => ({
  update: {
    Key: { pk, sk: 'a' },
    UpdateExpression,
    ExpressionAttributeNames: namesIn(UpdateExpression),
    ExpressionAttributeValues: values,
    ...more,
  },
});

const returns = (ReturnValues: string, Attributes: Record<string, unknown> | undefined, isWhole = false): Case => ({
  name: `returns the attributes requested by ${ReturnValues}`,
  items: [before],
  calls: (pk) => change(pk, 'SET #name = :v REMOVE #rate ADD #count :w', { ':v': 'second', ':w': 1 }, { ReturnValues }),
  gives: (pk) => (Attributes ? { Attributes: { ...(isWhole && { pk }), ...Attributes } } : {}),
});
const after = { ...omit('rate'), name: 'second', count: 3 };

hold('an update of an item', [
  ...rows.map(({ name, text, values, item = before, after: expected }): Case => ({
    name: expected === 'invalid' ? `is refused if it ${name}` : name,
    items: [item as Record<string, unknown>],
    calls: (pk) => change(pk, text, values),
    ...(expected === 'invalid'
      ? { fails: VALIDATION, leaves: [{ ...item, ...('large' in item && { large: Number.MAX_SAFE_INTEGER }) }] }
      : { gives: {}, leaves: [expected] }),
  })),
  returns('NONE', undefined),
  returns('ALL_OLD', before, true),
  returns('ALL_NEW', after, true),
  returns('UPDATED_NEW', { name: 'second', count: 3 }),
  returns('UPDATED_OLD', { name: 'first', rate: 0.1, count: 2 }),
  {
    name: 'creates a missing item',
    calls: (pk) => change(pk, 'SET #name = :v ADD #count :w', { ':v': 'x', ':w': 1 }, { ReturnValues: 'ALL_NEW' }),
    gives: (pk) => ({ Attributes: { pk, sk: 'a', name: 'x', count: 1 } }),
    leaves: [{ sk: 'a', name: 'x', count: 1 }],
  },
  {
    name: 'returns no old attributes if it creates the item',
    differs: { embedded: 'answers the key' },
    calls: (pk) => change(pk, 'SET #name = :v', { ':v': 'x' }, { ReturnValues: 'ALL_OLD' }),
    gives: {},
  },
  {
    name: 'returns no new attributes after removing all',
    items: [before],
    calls: (pk) => change(pk, 'REMOVE #name', undefined, { ReturnValues: 'UPDATED_NEW' }),
    gives: {},
  },
  {
    name: 'is refused without a sort key',
    calls: (pk) => ({ update: { Key: { pk }, UpdateExpression: 'REMOVE a' } }),
    fails: VALIDATION,
  },
  {
    name: 'is refused with an additional key attribute',
    calls: (pk) => ({ update: { Key: { pk, sk: 'a', name: 'x' }, UpdateExpression: 'REMOVE a' } }),
    fails: VALIDATION,
  },
]);
