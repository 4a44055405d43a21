import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginAll, wordsOf, wordsOfIdentifier, wordsOfPartner } from '#lib/service/programs/words/words.ts';

describe('wordsOf, which splits a text into words to search for,', () => {
  it.each([
    ['Jane Doe', 'JANE DOE'],
    ['  Jane--DOE, jane ', 'JANE DOE'],
    ['jane.doe+shop@mail.example.com', 'JANE DOE SHOP MAIL EXAMPLE COM'],
    ["O'Brien_2nd", 'O BRIEN 2ND'],
    ['Émile e\u0301 Ångström Žižek', 'EMILE E ANGSTROM ZIZEK'],
    ['Łukasz Søren Æsir Œuvre Đorđe Þór', 'LUKASZ SOREN AESIR OEUVRE DORDE THOR'],
    ['Straße GROẞ', 'STRASSE GROSS'],
    ['İstanbul ılık', 'ISTANBUL ILIK'],
    ['ΟΔΥΣΣΕΥΣ οδυσσεύς', 'ΟΔΥΣΣΕΥΣ'],
    ['ﬁne ２０２６', 'FINE 2026'],
    ['王小明 محمد', '王小明 محمد'],
    ['😀 % _ #', ''],
    ['', ''],
  ])('reads %j as %s, without case and accents', (text, words) => {
    expect(wordsOf(text).join(' ')).toBe(words);
  });

  it('cuts each word to 64 characters', () => {
    expect(wordsOf('x'.repeat(65))).toEqual(['X'.repeat(64)]);
    expect(wordsOf('𠀀'.repeat(65))).toEqual(['𠀀'.repeat(64)]);
  });

  it('returns words that fit into a table key and do not change when they are split again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
        const words = wordsOf(text);
        expect(wordsOf(words.join(' '))).toEqual(words);
        for (const word of words) {
          expect(word.isWellFormed() && !word.includes('#') && Buffer.byteLength(word) <= 256).toBe(true);
        }
      }),
    );
  });
});

it('wordsOfPartner returns the words of the name and of the e-mail address, at most eight of each', () => {
  expect(wordsOfPartner({ name: 'Ana Ana', email: 'ana@partners.test' })).toEqual(['ANA', 'PARTNERS', 'TEST']);
  expect(wordsOfPartner({ name: 'Ana' })).toEqual(['ANA']);
  expect(wordsOfPartner({ name: 'a b c d e f g h i', email: '1.2.3.4.5.6.7@8.9' }).join('')).toBe('ABCDEFGH12345678');
});

it.each([
  ['summer-20', 'SUMMER 20 SUMMER20'],
  ['SAVE10', 'SAVE10'],
  ['a-b_c', 'A B C ABC'],
  ['---', ''],
])('wordsOfIdentifier splits the link name %s into %j, with the whole name as the last word', (name, words) => {
  expect(wordsOfIdentifier(name).join(' ')).toBe(words);
});

it.each([
  ['jan do', true],
  ['do jan', true],
  ['jan jan', true],
  ['ane', false],
  ['jane x', false],
])(
  'beginAll tells whether each word of the search text %j is the beginning of a word in “Jane Doe”: %s',
  (text, begins) => {
    expect(beginAll(wordsOf('Jane Doe'), wordsOf(text))).toBe(begins);
  },
);
