import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import {
  statementCsv,
  statementFile,
  statementNamed,
  statementReply,
} from '#lib/service/http/reports/statement-reply.ts';
import { exportStatement, lineOfStatement, readStatement } from '#lib/service/reports/statements/read-statement.ts';

/**
 * Replies with the statement of a payout line. For a number with the suffix `.csv`, replies with all its items as a
 * file.
 */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  // A terminal's token must not be enough to read a partner's address and tax id.
  terminal: false,
  subject: (deps, { program }, { number }) => lineOfStatement(deps, program, statementNamed(number).number),
  input: ({ query, path }) => ({ query, isFile: statementNamed(path['number']).isFile }),
  async run(deps, { program }, { query, isFile }, line) {
    if (!isFile) return statementReply(await readStatement(deps, program, line), false);
    const request = { files: exportFiles(deps), spelling: statementCsv(line, query), cursor: query['cursor'] };
    const path = `/api/dashboard/v1/programs/${program.id}/statements`;
    return statementFile(deps, line, await exportStatement(deps, line, request), { path, query });
  },
});
