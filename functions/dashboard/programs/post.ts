import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { programReply } from '#lib/service/http/programs/program-reply.ts';
import { newProgram } from '#lib/service/http/programs/program-request.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: ({ json }, _, { currencies }) => newProgram(json(), currencies),
  run: async (deps, { workspace }, wanted) =>
    programReply({
      program: await createProgram(deps, workspace.id, wanted),
      partnerTerms: wanted.partnerTerms || null,
    }),
});
