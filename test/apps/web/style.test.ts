import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// The browser tests check every width in light mode, and one of them in dark mode. This test proves that this is
// sufficient.

const styles = globSync('lib/apps/*/style/*.css').map((file) => readFileSync(file, 'utf8'));

interface Declaration {
  /** The conditions and selectors around the declaration. */
  readonly within: readonly string[];
  readonly property: string;
  readonly value: string;
}

/** The declarations of a style sheet in order. */
function declarationsOf(css: string): Declaration[] {
  const within: string[] = [];
  const found: Declaration[] = [];
  for (const [, text = '', end] of css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]*)([{};])/g)) {
    const [property = '', ...value] = text.trim().split(':');
    if (end !== '{' && value.length > 0) found.push({ within: [...within], property, value: value.join(':').trim() });
    if (end === '{') within.push(text.trim());
    if (end === '}') within.pop();
  }
  return found;
}

const declarations = styles.flatMap(declarationsOf);
const under = (condition: RegExp) => declarations.filter(({ within }) => condition.test(within.join(' ')));

const COLOUR = /#[\da-f]{3,8}\b|(?:rgb|hsl|color-mix)\(/i;

it('the styles for the dark colour scheme change only colour and shadow variables', () => {
  const dark = under(/prefers-color-scheme/);
  expect(dark.length).toBeGreaterThan(10);
  for (const { within, property, value } of dark) {
    expect(within).toEqual(['@media (prefers-color-scheme: dark)', ':root']);
    const light = declarations.filter((other) => other.property === property && other.within.join() === ':root');
    expect([property, ...light.map((other) => COLOUR.test(other.value)), COLOUR.test(value)]).toEqual([
      expect.stringMatching(/^--/),
      true,
      true,
    ]);
  }
});

it('the styles for a screen width change no colours', () => {
  const narrow = under(/@media[^{]*width/);
  expect(narrow.length).toBeGreaterThan(10);
  const coloured = narrow.filter(
    ({ property, value }) =>
      COLOUR.test(value) || /^(?:--|color|background|fill|stroke|opacity|filter|mix-blend-mode)/.test(property),
  );
  expect(coloured).toEqual([]);
});

it('all sizes and weights of text are variables from base.css', () => {
  const chosen = declarations
    .filter(({ property }) => /^font(?:-size|-weight)?$/.test(property))
    // A font face declares which weights its file has.
    .filter(({ within }) => !within.includes('@font-face'))
    .map(({ property, value }) => `${property}: ${value}`);
  expect(chosen.length).toBeGreaterThan(50);
  expect(chosen.filter((one) => !/: (?:inherit$|var\(--(?:size|weight)-\w+\))/.test(one))).toEqual([]);
});
