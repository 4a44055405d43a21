import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { searchProgram } from '#lib/service/use-cases/search-program.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ query }) => query.q ?? '',
  run: (deps, { program }, text) => searchProgram(deps, program, text),
});
