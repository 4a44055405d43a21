import { expect, it } from 'vitest';
import { alwaysOvertaken } from '#lib/service/ground/values/refusals.ts';
import { refusalOf } from '#lib/service/http/messages/envelope.ts';

it('a request that is refused after conflicts in every attempt is logged with its program', () => {
  const logged: unknown[] = [];
  const log = { warn: (...entry: unknown[]) => logged.push(entry), error: () => logged.push('error') };
  const call = { deps: { log, logContext: { programId: 7 } }, requestId: 'req_1', warnings: [] } as never;
  const refusal = alwaysOvertaken(1, new Error('Condition failed on agreements'));
  expect(refusalOf(call, refusal, { failure: 'Failed' })).toBe(refusal);
  expect(logged).toEqual([['request_overtaken', { program_id: 7 }]]);
});
