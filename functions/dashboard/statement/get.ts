import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { statementAnswer, statementNumber } from '#lib/service/http/reports/statement-reply.ts';
import { lineOfStatement } from '#lib/service/reports/statements/read-statement.ts';

/** Replies with the statement of a line. For a number with the suffix `.csv`, replies with all its items as a file. */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, { number }) => lineOfStatement(deps, program, statementNumber(number)),
  input: ({ query, path }) => ({ query, name: path['number'] }),
  run: (deps, { program }, sent, line) =>
    statementAnswer(deps, program, line, {
      ...sent,
      path: `/api/dashboard/v1/programs/${program.id}/statements`,
      isMasked: false,
    }),
});
