import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { programChange } from '#lib/http/requests/program.ts';
import { changeProgram } from '#lib/use-cases/change-program.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => json(),
  run: async (deps, { program }, json) =>
    programReply(await changeProgram(deps, program.id, (present) => programChange(json, present))),
});
