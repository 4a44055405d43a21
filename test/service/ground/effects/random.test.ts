import { describe, expect, it } from 'vitest';
import { random } from '#lib/service/ground/effects/random.ts';

const names = Object.keys(random) as (keyof typeof random)[];

describe('the format of a random value', () => {
  it.each([
    ['clickId', /^clk_[0-9a-hjkmnp-tv-z]{26}$/],
    ['testClickId', /^clk_test_[0-9a-hjkmnp-tv-z]{26}$/],
    ['programKeySecret', /^[0-9A-Za-z]{32}$/],
    ['agentKey', /^agt_[0-9A-Za-z]{40}$/],
    ['loginToken', /^lgn_[0-9A-Za-z]{40}$/],
    ['loginState', /^[0-9A-Za-z_-]{43}$/],
    ['shortLink', /^[0-9a-hjkmnp-tv-z]{8}$/],
    ['suffix', /^[0-9a-hjkmnp-tv-z]{6}$/],
    ['salt', /^[0-9A-Za-z_-]{43}$/],
    ['requestId', /^[0-9a-f]{32}$/],
  ] as const)('matches the regular expression for %s', (name, format) => {
    expect(Array.from({ length: 200 }, random[name])).toEqual(Array(200).fill(expect.stringMatching(format)));
  });
});

/** Short values, which may repeat. Callers reserve the link's name, or put the time before the suffix. */
const mayRepeat = new Set<string>(['shortLink', 'suffix']);

it.each(names.filter((name) => !mayRepeat.has(name)))('5000 random values of the kind %s are all different', (name) => {
  const drawn = Array.from({ length: 5_000 }, (): unknown => random[name]());
  expect(new Set(drawn).size).toBe(5_000);
});

it('in random values every character is about equally frequent', () => {
  const count = new Map<string, number>();
  for (let n = 0; n < 4_000; n++) {
    for (const character of random.programKeySecret()) count.set(character, (count.get(character) ?? 0) + 1);
  }
  const expected = (4_000 * 32) / 62;
  expect(count.size).toBe(62);
  // Eight standard deviations: a fair draw fails once in many billion runs; bytes modulo 62 always fail.
  const bound = 8 * Math.sqrt(expected);
  for (const times of count.values()) expect(Math.abs(times - expected)).toBeLessThan(bound);
});
