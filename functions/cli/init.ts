import { foreignAdvertiser, noAdvertiser } from '#lib/service/ground/values/refusals.ts';
import { cliEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { createdProgramReply } from '#lib/service/http/programs/program-reply.ts';
import { initBody, namedAdvertiser } from '#lib/service/http/programs/init-request.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';

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
