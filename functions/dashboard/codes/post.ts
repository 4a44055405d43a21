import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { codeReply } from '#lib/service/http/programs/code-reply.ts';
import { newCode } from '#lib/service/http/programs/code-request.ts';
import { createCode } from '#lib/service/programs/links/create-code.ts';
import { withCodeCounts } from '#lib/service/reports/lists/list-codes.ts';
import { recordWaitingForCode } from '#lib/service/conversions/waiting/record-waiting-for-code.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => newCode(json()),
  async run(deps, { program }, wanted) {
    const code = await createCode(deps, program.id, wanted);
    await recordWaitingForCode(deps, code);
    return codeReply(await withCodeCounts(deps, code));
  },
});
