import { expect, it } from 'vitest';
import { asksForChain } from '#lib/service/http/reports/cli-test-event-request.ts';

const unreadable = () => {
  throw new SyntaxError('No JSON');
};

it('a request whose body cannot be read asks for no chain', () => {
  expect([() => 'chain', () => 'click', unreadable].map((body) => asksForChain({ body }))).toEqual([
    true,
    false,
    false,
  ]);
});
