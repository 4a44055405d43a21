import type { TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

// Between the values of JavaScript and those of the table, by the SDK's own functions and as its document client calls
// them: attribute by attribute, of the fields that hold attributes.

type Fields = Readonly<Record<string, unknown>>;
type Convert = (value: unknown) => unknown;

/** What a field of a request or a reply holds. */
type Shape = 'attributes' | 'many' | { readonly [field: string]: Shape } | readonly [Shape];

const part: Shape = { Key: 'attributes', Item: 'attributes', ExpressionAttributeValues: 'attributes' };

const inputShape: Shape = {
  ...part,
  ExclusiveStartKey: 'attributes',
  TransactItems: [{ Put: part, Update: part, Delete: part, ConditionCheck: part }],
};
const requestItems: Readonly<Record<string, Shape>> = {
  BatchGetItem: { Keys: 'many' },
  BatchWriteItem: [{ PutRequest: part, DeleteRequest: part }],
};
const outputShape: Shape = {
  Item: 'attributes',
  Attributes: 'attributes',
  Items: 'many',
  LastEvaluatedKey: 'attributes',
};

export function marshalled(operation: string, input: Fields, { marshallOptions }: TranslateConfig): Fields {
  const options = { convertTopLevelContainer: true, ...marshallOptions };
  // oxlint-disable-next-line typescript/no-explicit-any -- overloaded by kinds of values
  const convert: Convert = (value) => marshall(value as any, options);
  const tables = requestItems[operation];
  const shape = tables ? { RequestItems: eachOf(input.RequestItems, tables) } : inputShape;
  return converted(input, shape, convert) as Fields;
}

export function unmarshalled(operation: string, output: Fields, { unmarshallOptions }: TranslateConfig): Fields {
  const options = { convertWithoutMapWrapper: true, ...unmarshallOptions };
  // oxlint-disable-next-line typescript/no-explicit-any -- overloaded by kinds of values
  const convert: Convert = (value) => unmarshall(value as any, options);
  if (operation !== 'BatchGetItem') return converted(output, outputShape, convert) as Fields;
  const shape = {
    Responses: eachOf(output.Responses, 'many'),
    UnprocessedKeys: eachOf(output.UnprocessedKeys, { Keys: 'many' }),
  };
  return converted(output, shape, convert) as Fields;
}

/** The same shape under every name. */
const eachOf = (fields: unknown, shape: Shape): Shape =>
  Object.fromEntries(Object.keys(fields ?? {}).map((name) => [name, shape]));

function converted(value: unknown, shape: Shape, convert: Convert): unknown {
  if (value === undefined) return undefined;
  if (shape === 'attributes') return attributes(value as Fields, convert);
  if (shape === 'many') return (value as Fields[]).map((one) => attributes(one, convert));
  if (Array.isArray(shape)) return (value as unknown[]).map((one) => converted(one, shape[0] as Shape, convert));
  const copy: Record<string, unknown> = { ...(value as Fields) };
  for (const [field, inner] of Object.entries(shape)) {
    if (copy[field] !== undefined) copy[field] = converted(copy[field], inner, convert);
  }
  return copy;
}

function attributes(values: Fields, convert: Convert): Fields {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value !== undefined && typeof value !== 'function') copy[name] = convert(value);
  }
  return copy;
}
