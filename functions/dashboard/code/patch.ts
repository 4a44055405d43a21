import type { Code } from '#lib/service/programs/links/code.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { codeReply } from '#lib/service/http/programs/code-reply.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { codeChange } from '#lib/service/http/programs/code-request.ts';
import { changeCode, codeOf } from '#lib/service/programs/links/change-code.ts';
import { withCodeCounts } from '#lib/service/reports/lists/list-codes.ts';
import { recordWaitingForCode } from '#lib/service/conversions/waiting/record-waiting-for-code.ts';
import { CodeChangeFields } from '#lib/wire/programs/codes/code-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  clearable: ['discount'],
  // The counters are read first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) => withCodeCounts(deps, await codeOf(deps, program.id, path.code)),
  input: ({ json }) => ({ change: codeChange(json()), seen: seenIn(json(), Object.keys(CodeChangeFields.shape)) }),
  async run(deps, { program }, { change, seen }, found) {
    const compare = comparedWith(seen, (code: Code) => codeReply({ ...found, code }));
    const code = await changeCode(deps, program.id, found.code.code, change, compare);
    await recordWaitingForCode(deps, code);
    return codeReply({ ...found, code });
  },
});
