import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { searchProgram } from '#lib/service/reports/stories/search-program.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ query }) => query.q ?? '',
  run: (deps, { program }, text) => searchProgram(deps, program, text),
});
