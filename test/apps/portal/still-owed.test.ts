import { expect, it } from 'vitest';
import { stillOwed } from '#lib/apps/portal/settings/still-owed.ts';

const none = {
  earned_cents: 900,
  pending_cents: 0,
  in_review_cents: 0,
  ready_cents: 0,
  held_back_cents: 0,
  paid_cents: 900,
  on_the_way_cents: 0,
};
const program = (id: number, amounts: Parameters<typeof stillOwed>[0][number]['amounts']) => ({
  program_id: id,
  amounts,
});
const titlesOf = (owed: ReturnType<typeof stillOwed>) =>
  owed.map(({ of, kinds }) => [of.program_id, kinds.map(({ title }) => title)]);

it('before an account is closed, each program with money that has not arrived is shown with the kinds of it', () => {
  const owed = stillOwed(
    [
      program(1, { USD: { ...none, ready_cents: 500 }, EUR: { ...none, pending_cents: 100, held_back_cents: 1 } }),
      program(2, { USD: none }),
      program(3, {}),
      program(4, { USD: { ...none, in_review_cents: 7 } }),
      program(5, { USD: { ...none, pending_cents: -7 } }),
      program(6, { USD: { ...none, on_the_way_cents: 900 } }),
    ],
    new Set(),
  );
  expect(titlesOf(owed)).toEqual([
    [1, ['Ready', 'Held back', 'Pending']],
    [4, ['In review']],
    [5, ['Pending']],
    [6, ['On the way']],
  ]);
});

it('amounts of sandboxes are not money, and are left out', () => {
  expect(stillOwed([program(1, { USD: { ...none, ready_cents: 500 } })], new Set([1]))).toEqual([]);
});
