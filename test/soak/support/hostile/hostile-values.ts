import { anyText as textOfAnyUnits } from '#test/support/cases/any-text.ts';
import * as fc from 'fast-check';

/** Text of any characters, including lone surrogates. */
export const anyText = textOfAnyUnits({ maxLength: 300 });

const longText = fc
  .tuple(fc.constantFrom('x', '日', '\u0000', '%', '"', '\\', '{'), fc.integer({ min: 200, max: 70_000 }))
  .map(([character, length]) => character.repeat(length));

const oddValues = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  0.1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  '',
  ' ',
  '0',
  '1e9',
  'NaN',
  'null',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '\r\nX-Evil: 1',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  'chain',
  [],
  [[]],
  {},
  { toString: 1, valueOf: 1 },
  { test_mode: true },
  { length: 1e9 },
);

/** Any JSON value. */
export const anyValue = fc.oneof(
  { weight: 4, arbitrary: oddValues },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: longText },
);

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** Bodies that are not objects. */
export const oddBodies = fc.oneof(
  fc.constantFrom(
    ' ',
    'null',
    '[]',
    '{}{}',
    '{"a":1,}',
    '{"amount_cents":1e400}',
    '\ufeff{}',
    'affiliate_url=https%3A%2F%2Facme.test',
    nested(100_000, '[', ']'),
    nested(40_000, '{"a":', '}'),
    '['.repeat(200_000),
    `"${'x'.repeat(256 * 1024)}"`,
    `{"filler":"${'x'.repeat(1024 * 1024)}"}`,
  ),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  anyText,
);
