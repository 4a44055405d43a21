import { expect, it } from 'vitest';
import { shownFigures } from '#lib/apps/portal/home/shown-figures.ts';

const none = {
  earned_cents: 0,
  pending_cents: 0,
  in_review_cents: 0,
  ready_cents: 0,
  held_back_cents: 0,
  paid_cents: 0,
  on_the_way_cents: 0,
};
const titlesOf = (...args: Parameters<typeof shownFigures>) => shownFigures(...args).map(({ title }) => title);

it('a partner’s first page always shows what was earned, is pending and is ready', () => {
  expect(titlesOf({})).toEqual(['This month', 'Pending', 'Ready']);
  expect(titlesOf({ USD: none, EUR: { ...none, ready_cents: 100 } })).toEqual(['This month', 'Pending', 'Ready']);
});

it('a partner’s first page shows an amount in review or held back if there is one in any currency', () => {
  expect(titlesOf({ USD: none, EUR: { ...none, in_review_cents: 100 } })).toEqual([
    'This month',
    'Pending',
    'In review',
    'Ready',
  ]);
  expect(titlesOf({ USD: { ...none, held_back_cents: 100 }, EUR: none })).toEqual([
    'This month',
    'Pending',
    'Ready',
    'Held back',
  ]);
});
