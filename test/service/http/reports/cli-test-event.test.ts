import { expect, it } from 'vitest';
import { asksForChain } from '#lib/service/http/reports/cli-test-event-request.ts';

const unreadable = () => {
  throw new SyntaxError('No JSON');
};

it('asksForChain is true for a request for a whole verification run, and false for a single test event or an invalid body', () => {
  expect([() => 'chain', () => 'click', unreadable].map((body) => asksForChain({ body }))).toEqual([
    true,
    false,
    false,
  ]);
});
