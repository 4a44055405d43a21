import { agentProgramEndpoint } from '#lib/http/agent-endpoint.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { agentProgramChange } from '#lib/http/requests/program.ts';
import { changeProgram } from '#lib/use-cases/change-program.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:update',
  input: ({ json }) => json(),
  run: async (deps, { id }, json) =>
    programReply(await changeProgram(deps, id, (present) => agentProgramChange(json, present))),
});
