import { expect, it } from 'vitest';
import { asksForChain } from '#lib/service/http/reports/cli-test-event-request.ts';

const unreadable = () => {
  throw new SyntaxError('No JSON');
};

it('asksForChain is false for a request with an invalid body, and for a request for a single test event', () => {
  expect([() => 'chain', () => 'click', unreadable].map((body) => asksForChain({ body }))).toEqual([
    true,
    false,
    false,
  ]);
});
