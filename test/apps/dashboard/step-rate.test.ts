import { describe, expect, it } from 'vitest';
import { stepRate } from '#lib/apps/dashboard/overview/step-rate.ts';

describe('the rate of a step in the funnel from click to sale', () => {
  it.each([
    [94, ['click', 691], '13.6% of clicks'],
    [0, ['click', 3], '0% of clicks'],
    [5, ['lead', 5], '100% of leads'],
    [49, ['lead', 20], '2.5 per lead'],
    [3, ['lead', 0], '–'],
  ] as const)('of %i after %j is “%s”', (count, before, text) => {
    expect(stepRate(count, before)).toBe(text);
  });
});
