import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import {
  statementCsv,
  statementFile,
  statementNamed,
  statementReply,
} from '#lib/service/http/reports/statement-reply.ts';
import { exportStatement, lineOfStatement, readStatement } from '#lib/service/reports/statements/read-statement.ts';

/**
 * Replies with the partner's statement of a payout line. For a number with the suffix `.csv`, replies with all its
 * items as a file.
 */
export const handler = partnerEndpoint({
  needs: 'partner',
  subject: (deps, { program, partner }, { number }) =>
    lineOfStatement(deps, program, statementNamed(number).number, partner.id),
  input: ({ query, path }) => ({ query, isFile: statementNamed(path['number']).isFile }),
  async run(deps, { program, isOwnersView }, { query, isFile }, line) {
    if (!isFile) return statementReply(await readStatement(deps, program, line), isOwnersView);
    const request = { files: exportFiles(deps), spelling: statementCsv(line, query), cursor: query['cursor'] };
    const path = `/api/partner/v1/programs/${program.id}/statements`;
    return statementFile(deps, line, await exportStatement(deps, line, request), { path, query });
  },
});
