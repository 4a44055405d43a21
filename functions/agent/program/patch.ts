import { agentProgramEndpoint } from '#lib/service/triggers/http/agent-endpoint.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { agentProgramChange, seenByAgent } from '#lib/service/triggers/http/requests/program.ts';
import { comparedWith } from '#lib/service/triggers/http/requests/seen.ts';
import { changeProgram } from '#lib/service/use-cases/change-program.ts';
import { withKey } from '#lib/service/use-cases/key-in-force.ts';
import { ownerFields } from '#lib/wire/requests/owner-fields.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:update',
  fields: { names: ownerFields, scope: 'program:terms' },
  input: ({ json }) => ({ json: json(), seen: seenByAgent(json()) }),
  async run(deps, before, { json, seen }) {
    const { key } = await withKey(deps, before);
    const changed = await changeProgram(
      deps,
      before.id,
      (present) => agentProgramChange(json, deps.config.currencies, present),
      comparedWith(seen, programReply),
    );
    return programReply({ ...changed, key });
  },
});
