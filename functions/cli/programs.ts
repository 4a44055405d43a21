import { cliEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { listedProgramReply } from '#lib/service/triggers/http/replies/program.ts';
import { listAllPrograms } from '#lib/service/use-cases/list-programs.ts';

export const handler = cliEndpoint('Failed to list programs', {
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) =>
    account.workspaceId === undefined ? [] : (await listAllPrograms(deps, account.workspaceId)).map(listedProgramReply),
});
