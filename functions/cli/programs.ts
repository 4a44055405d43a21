import { cliEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { listedProgramReply } from '#lib/service/http/programs/program-reply.ts';
import { listAllPrograms } from '#lib/service/reports/lists/list-programs.ts';

export const handler = cliEndpoint('Failed to list programs', {
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) =>
    account.workspaceId === undefined ? [] : (await listAllPrograms(deps, account.workspaceId)).map(listedProgramReply),
});
