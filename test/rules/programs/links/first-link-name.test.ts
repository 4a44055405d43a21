import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstLinkName, namesLike, withEnd } from '#lib/service/programs/links/first-link-name.ts';
import { isShortLink, isTestLink } from '#lib/service/programs/links/referral-link.ts';

const nameOf = (name: string, wishedLink?: string) => firstLinkName({ id: 7, name, wishedLink });

it.each([
  ['Ana', 'ana'],
  ['Zoë Müller', 'zoe-muller'],
  ['Søren Kjær Łukasz Straße', 'soren-kjaer-lukasz-strasse'],
  ['  Dr. O’Brien & Söhne (2) ', 'dr-o-brien-sohne-2'],
  ['Al', 'partner-7'],
  ['田中 美咲', 'partner-7'],
  ['Ｗｉｄｅ', 'wide'],
  // A link is public, so it does not show the address that a brand wrote as a name.
  ['kim.roe@home.test', 'kim-roe'],
  ['afftest1', 'partner-7'],
  ['a'.repeat(80), 'a'.repeat(64)],
])('the first link of a partner named %j is named %s', (name, link) => {
  expect(nameOf(name)).toBe(link);
});

it('a link name that the brand chose is tried first, and keeps its capital letters', () => {
  expect(nameOf('Ana', 'Ana_Builds')).toBe('Ana_Builds');
});

it.each(['x', 'a b', 'afftest9', ''])(
  'the link name %j that the brand chose is ignored, because it is not valid',
  (wanted) => {
    expect(nameOf('Ana', wanted)).toBe('ana');
  },
);

it('if a link name is taken, the same name with the endings 2 to 9 is tried', () => {
  expect(namesLike('ana')).toEqual(['ana', ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `ana-${n}`)]);
});

it('every link name that is tried for any person’s name is valid, also with an ending', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
      const link = nameOf(name);
      for (const one of [...namesLike(link), withEnd(link, '0123ab')]) {
        expect([one, isShortLink(one), isTestLink(one)]).toEqual([one, true, false]);
      }
    }),
  );
});
