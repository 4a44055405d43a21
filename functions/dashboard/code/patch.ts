import type { Code } from '#lib/domain/code.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { codeReply } from '#lib/service/triggers/http/replies/code.ts';
import { comparedWith, seenIn } from '#lib/service/triggers/http/requests/seen.ts';
import { codeChange } from '#lib/service/triggers/http/requests/code.ts';
import { changeCode, codeOf } from '#lib/service/use-cases/change-code.ts';
import { withCodeCounts } from '#lib/service/use-cases/list-codes.ts';
import { recordWaitingForCode } from '#lib/service/use-cases/record-waiting-for-code.ts';
import { CodeChangeFields } from '#lib/wire/requests/code.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  // Reads the counters first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) => withCodeCounts(deps, await codeOf(deps, program.id, path.code)),
  input: ({ json }) => ({ change: codeChange(json()), seen: seenIn(json(), Object.keys(CodeChangeFields.shape)) }),
  async run(deps, { program }, { change, seen }, found) {
    const compare = comparedWith(seen, (code: Code) => codeReply({ ...found, code }));
    const code = await changeCode(deps, program.id, found.code.code, change, compare);
    await recordWaitingForCode(deps, code);
    return codeReply({ ...found, code });
  },
});
