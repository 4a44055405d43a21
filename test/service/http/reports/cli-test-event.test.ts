import { expect, it } from 'vitest';
import { asksForChain } from '#lib/service/http/reports/cli-test-event-request.ts';

const unreadable = () => {
  throw new SyntaxError('No JSON');
};

it('a request with an invalid body starts no verification run', () => {
  expect([() => 'chain', () => 'click', unreadable].map((body) => asksForChain({ body }))).toEqual([
    true,
    false,
    false,
  ]);
});
