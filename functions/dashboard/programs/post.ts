import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { newProgram } from '#lib/service/triggers/http/requests/program.ts';
import { createProgram } from '#lib/service/use-cases/create-program.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: ({ json }, _, { currencies }) => newProgram(json(), currencies),
  run: async (deps, { workspace }, wanted) =>
    programReply({
      program: await createProgram(deps, workspace.id, wanted),
      partnerTerms: wanted.partnerTerms || null,
    }),
});
