import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberReading } from '#lib/service/ground/table/numbers.ts';
import { marshaller, unmarshaller } from '#test/support/memory-table/marshalling.ts';

// The in-memory table converts most values itself.

const leaf = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
  fc.constantFrom(null, undefined, -0, new Set(['a', 'b']), new Set([1, 2]), new Uint8Array([1, 2])),
);
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
}));
const anyDefined = anyValue.filter((value) => value !== undefined);

it('marshaller and unmarshaller convert every value exactly as the SDK does', () => {
  const options = { removeUndefinedValues: true };
  fc.assert(
    fc.property(anyDefined, (value) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- overloaded by kinds of values
      const expected = marshall(value as any, { convertTopLevelContainer: true, ...options });
      expect(marshaller(options)(value)).toStrictEqual(expected);
      expect(unmarshaller(numberReading)(expected)).toStrictEqual(
        unmarshall(expected as never, { convertWithoutMapWrapper: true, ...numberReading }),
      );
    }),
  );
});
