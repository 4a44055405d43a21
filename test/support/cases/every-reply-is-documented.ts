import { onReply } from '#test/support/callers/request.ts';
import { functionOf, problemsOf } from '#test/support/cases/documented-reply.ts';

/** Vitest setup: a test fails if the OpenAPI document does not allow a reply that it receives. */
onReply(async (handler, reply) => {
  const name = await functionOf(handler);
  const problems = name === undefined ? [] : problemsOf(name, reply);
  if (problems.length === 0) return;
  throw new Error(
    `functions/${name}.ts answered ${reply.status} otherwise than lib/wire and its operations say: ${problems.join('; ')}`,
  );
});
