import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { newProgram } from '#lib/http/requests/program.ts';
import { createProgram } from '#lib/use-cases/create-program.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: ({ json }) => newProgram(json()),
  run: async (deps, { workspace }, wanted) =>
    programReply({ program: await createProgram(deps, workspace.id, wanted) }),
});
