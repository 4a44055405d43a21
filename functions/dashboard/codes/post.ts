import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { codeReply } from '#lib/service/triggers/http/replies/code.ts';
import { newCode } from '#lib/service/triggers/http/requests/code.ts';
import { createCode } from '#lib/service/use-cases/create-code.ts';
import { withCodeCounts } from '#lib/service/use-cases/list-codes.ts';
import { recordWaitingForCode } from '#lib/service/use-cases/record-waiting-for-code.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => newCode(json()),
  async run(deps, { program }, wanted) {
    const code = await createCode(deps, program.id, wanted);
    await recordWaitingForCode(deps, code);
    return codeReply(await withCodeCounts(deps, code));
  },
});
