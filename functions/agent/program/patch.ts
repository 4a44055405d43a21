import { agentProgramEndpoint } from '#lib/service/triggers/http/agent-endpoint.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { agentProgramChange } from '#lib/service/triggers/http/requests/program.ts';
import { changeProgram } from '#lib/service/use-cases/change-program.ts';
import { withKey } from '#lib/service/use-cases/key-in-force.ts';
import { ownerFields } from '#lib/wire/requests/owner-fields.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:update',
  fields: { names: ownerFields, scope: 'program:terms' },
  input: ({ json }) => json(),
  async run(deps, before, json) {
    const { key } = await withKey(deps, before);
    const changed = await changeProgram(deps, before.id, (present) =>
      agentProgramChange(json, deps.config.currencies, present),
    );
    return programReply({ ...changed, key });
  },
});
