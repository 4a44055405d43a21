import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clickIdOf,
  identifierOf,
  isPlainText,
  MATCHES_NOTHING,
  numericIdOf,
  textOf,
} from '#lib/service/ground/values/identifier.ts';
import { random } from '#lib/service/ground/effects/random.ts';
import { anyText } from '#test/support/cases/any-text.ts';

const controlCharacters = [...Array.from({ length: 32 }, (_, code) => code), 127].map((code) =>
  String.fromCharCode(code),
);

describe('identifierOf, which reads an identifier of a brand,', () => {
  it.each([
    ['user_1', 'user_1'],
    [' user 1 ', ' user 1 '],
    [42, '42'],
    [0, '0'],
    [-1.5, '-1.5'],
    ['0', '0'],
    ['ü'.repeat(255), 'ü'.repeat(255)],
  ])('accepts %j', (sent, identifier) => {
    expect(identifierOf(sent)).toBe(identifier);
  });

  it.each([undefined, '', ' ', '\t\n', '\u00a0', true, {}, [], ['a'], Number.NaN, Number.POSITIVE_INFINITY])(
    'treats %j as not sent',
    (sent) => {
      expect(identifierOf(sent)).toBeUndefined();
    },
  );

  it.each(['x'.repeat(256), 'a\u0000b', 'a\n', '\u007fa', '\ud800', 'a\udc00b'])(
    'replaces the invalid value %j by an identifier that matches no stored one',
    (sent) => {
      expect(identifierOf(sent)).toBe(MATCHES_NOTHING);
    },
  );
});

describe('clickIdOf, which reads a click id,', () => {
  const id = 'clk_0123456789abcdefghjkmnpqrs';

  it('accepts the service’s own ids', () => {
    expect(clickIdOf(id)).toBe(id);
    for (let made = 0; made < 100; made++) expect(clickIdOf(random.clickId())).toMatch(/^clk_/);
  });

  it.each([
    undefined,
    null,
    7,
    {},
    [id],
    '',
    'clk_',
    'user_123',
    id.slice(0, -1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    id.toUpperCase(),
    `${id.slice(0, -1)}u`,
    random.testClickId(),
  ])('treats %j as absent', (value) => {
    expect(clickIdOf(value)).toBeUndefined();
  });
});

describe('isPlainText, which checks a short text,', () => {
  it.each(controlCharacters)('refuses the control character %j at any position', (character) => {
    expect(isPlainText(`${character}ab`)).toBe(false);
    expect(isPlainText(`a${character}b`)).toBe(false);
    expect(isPlainText(`ab${character}`)).toBe(false);
  });

  it('returns true exactly for texts of at most 255 UTF-16 units without control characters and lone surrogates', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        const isPlain = isPlainText(text);
        const hasControl = controlCharacters.some((character) => text.includes(character));
        expect(isPlain).toBe(text.length <= 255 && !hasControl && text === text.toWellFormed());
        expect(isPlain ? Buffer.byteLength(text) : 0).toBeLessThan(1_000);
      }),
    );
  });
});

describe('numericIdOf, which reads a numeric id,', () => {
  it.each([
    [7, 7],
    ['7', 7],
    ['007', 7],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('accepts %j', (sent, id) => {
    expect(numericIdOf(sent)).toBe(id);
  });

  it.each([
    undefined,
    0,
    -1,
    1.5,
    '',
    '0',
    '-1',
    '1.5',
    '1e3',
    ' 1',
    '0x1',
    '٣',
    2 ** 53,
    '9'.repeat(16),
    true,
    [1],
    {},
  ])('treats %j as absent', (sent) => {
    expect(numericIdOf(sent)).toBeUndefined();
  });
});

describe('textOf, which reads a text to store,', () => {
  it('cuts a text to whole characters', () => {
    expect(textOf('abcdef', 3)).toBe('abc');
    expect(textOf('ab😀', 3)).toBe('ab\ufffd');
    expect(textOf('', 3)).toBe('');
  });

  it.each([undefined, 1, true, {}, ['a']])('treats %j as absent', (sent) => {
    expect(textOf(sent, 3)).toBeUndefined();
  });
});
