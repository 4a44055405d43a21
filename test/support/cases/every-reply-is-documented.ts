import { onReply } from '#test/support/callers/request.ts';
import { functionOf, problemsOf } from '#test/support/cases/documented-reply.ts';

/** Vitest's setup: every reply in a test must match the OpenAPI document, or the test fails. */
onReply(async (handler, reply) => {
  const name = await functionOf(handler);
  const problems = name === undefined ? [] : problemsOf(name, reply);
  if (problems.length === 0) return;
  throw new Error(
    `functions/${name}.ts answered ${reply.status} otherwise than lib/wire and its operations say: ${problems.join('; ')}`,
  );
});
