import { describe, expect, it } from 'vitest';
import { nameOf, visibleName } from '#lib/service/ground/values/name.ts';
import { hiddenCharacters } from '#test/support/cases/hidden-characters.ts';

it.each(['A', 'Jürgen & Söhne', '株式会社', 'شركة', '👩‍💻 Labs', 'x'.repeat(120), 'a\u200cb', 'O’Neil <b>'])(
  'a person’s or program’s name can be %s',
  (name) => {
    expect(nameOf(name)).toBe(name);
    expect(nameOf(`  ${name}\n`)).toBe(name);
    expect(visibleName(name)).toBe(name);
  },
);

it.each(['', ' ', '\n', 'x'.repeat(121), '\ud800'])('a person’s or program’s name cannot be %j', (text) => {
  expect(nameOf(text)).toBeUndefined();
});

describe.each(hiddenCharacters)('an invisible or misleading character: %j', (hidden) => {
  it('is refused in a name that a user enters, and removed from a name of another origin', () => {
    expect(nameOf(`A${hidden}B`)).toBeUndefined();
    expect(visibleName(` ${hidden}A${hidden}${hidden}B${hidden} `)).toBe('AB');
  });
});
