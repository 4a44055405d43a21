import { foreignAdvertiser, noAdvertiser } from '#lib/domain/refusals.ts';
import { cliEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { createdProgramReply } from '#lib/service/triggers/http/replies/program.ts';
import { initBody, namedAdvertiser } from '#lib/service/triggers/http/requests/init.ts';
import { createProgram } from '#lib/service/use-cases/create-program.ts';

export const handler = cliEndpoint('Failed to create program', {
  needs: 'account',
  input: ({ json }) => json,
  async run(deps, { account }, sentJson) {
    const { workspaceId } = account;
    if (workspaceId === undefined) throw noAdvertiser();
    const json = sentJson();
    if ((namedAdvertiser(json) ?? workspaceId) !== workspaceId) throw foreignAdvertiser();
    const program = await createProgram(deps, workspaceId, initBody(json));
    return createdProgramReply(program, deps.config.dashboardUrl);
  },
});
