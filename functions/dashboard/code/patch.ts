import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { codeReply } from '#lib/service/triggers/http/replies/code.ts';
import { codeChange } from '#lib/service/triggers/http/requests/code.ts';
import { changeCode, codeOf } from '#lib/service/use-cases/change-code.ts';
import { withCodeCounts } from '#lib/service/use-cases/list-codes.ts';
import { recordWaitingForCode } from '#lib/service/use-cases/record-waiting-for-code.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  // Reads the counters first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) => withCodeCounts(deps, await codeOf(deps, program.id, path.code)),
  input: ({ json }) => codeChange(json()),
  async run(deps, { program }, change, found) {
    const code = await changeCode(deps, program.id, found.code.code, change);
    await recordWaitingForCode(deps, code);
    return codeReply({ ...found, code });
  },
});
