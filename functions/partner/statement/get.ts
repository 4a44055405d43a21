import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { statementAnswer, statementNumber } from '#lib/service/http/reports/statement-reply.ts';
import { lineOfStatement } from '#lib/service/reports/statements/read-statement.ts';

/** Replies with the partner's statement of a line. For a number with the suffix `.csv`, replies with all its items as a file. */
export const handler = partnerEndpoint({
  needs: 'partner',
  subject: (deps, { program, partner }, { number }) =>
    lineOfStatement(deps, program, statementNumber(number), partner.id),
  input: ({ query, path }) => ({ query, name: path['number'] }),
  run: (deps, { program, isOwnersView }, sent, line) =>
    statementAnswer(deps, program, line, {
      ...sent,
      path: `/api/partner/v1/programs/${program.id}/statements`,
      isMasked: isOwnersView,
    }),
});
