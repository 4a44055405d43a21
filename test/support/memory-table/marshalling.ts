import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

// Converts between JavaScript values and table values, as the SDK's document client does, in the fields that contain
// attributes. The most common values are converted here, which is several times faster; the SDK's own functions convert
// the others.

type Fields = Readonly<Record<string, unknown>>;
type Convert = (value: unknown) => unknown;

/** What a field of a request or reply contains, so that its values can be converted. */
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
  const convert = marshaller(marshallOptions);
  const tables = requestItems[operation];
  const shape = tables ? { RequestItems: eachOf(input.RequestItems, tables) } : inputShape;
  return converted(input, shape, convert) as Fields;
}

export function unmarshalled(operation: string, output: Fields, { unmarshallOptions }: TranslateConfig): Fields {
  const convert = unmarshaller(unmarshallOptions);
  if (operation !== 'BatchGetItem') return converted(output, outputShape, convert) as Fields;
  const shape = {
    Responses: eachOf(output.Responses, 'many'),
    UnprocessedKeys: eachOf(output.UnprocessedKeys, { Keys: 'many' }),
  };
  return converted(output, shape, convert) as Fields;
}

/** Returns a function that converts JavaScript values to table values. */
export function marshaller(marshallOptions: TranslateConfig['marshallOptions']): Convert {
  const options = { convertTopLevelContainer: true, ...marshallOptions };

  return function convert(value) {
    if (typeof value === 'string' && !options.convertEmptyValues) return { S: value };
    if (typeof value === 'boolean') return { BOOL: value };
    if (Number.isSafeInteger(value)) return { N: String(value) };
    // Without this option, undefined values are left to the SDK, which rejects them.
    if (options.removeUndefinedValues && isPlainObject(value)) return { M: attributes(value, convert) };
    // oxlint-disable-next-line typescript/no-explicit-any -- the SDK overloads the function by the type of the value
    return marshall(value as any, options);
  };
}

/** Returns a function that converts table values to JavaScript values. */
export function unmarshaller(unmarshallOptions: TranslateConfig['unmarshallOptions']): Convert {
  const options = { convertWithoutMapWrapper: true, ...unmarshallOptions };

  return function convert(value) {
    const { S, BOOL, N, M } = value as AttributeValue;
    if (S !== undefined) return S;
    if (BOOL !== undefined) return BOOL;
    if (N !== undefined && typeof options.wrapNumbers === 'function') return options.wrapNumbers(N);
    if (M !== undefined) return attributes(M, convert);
    // oxlint-disable-next-line typescript/no-explicit-any -- the SDK overloads the function by the type of the value
    return unmarshall(value as any, options);
  };
}

const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Applies one shape to every field of an object. */
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
