import { agentProgramEndpoint } from '#lib/service/http/callers/agent-endpoint.ts';
import { programReply } from '#lib/service/http/programs/program-reply.ts';
import { agentProgramChange, seenByAgent } from '#lib/service/http/programs/program-request.ts';
import { comparedWith } from '#lib/service/http/messages/seen-request.ts';
import { changeProgram } from '#lib/service/programs/program/change-program.ts';
import { withKey } from '#lib/service/programs/keys/key-in-force.ts';
import { ownerFields } from '#lib/wire/programs/settings/program-request.ts';

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
