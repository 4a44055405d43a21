import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { programReply } from '#lib/service/http/programs/program-reply.ts';
import { programChange, seenProgram } from '#lib/service/http/programs/program-request.ts';
import { comparedWith } from '#lib/service/http/messages/seen-request.ts';
import { changeProgram } from '#lib/service/programs/program/change-program.ts';
import { withKey } from '#lib/service/programs/keys/key-in-force.ts';
import { clearableFields, ownerFields } from '#lib/wire/programs/settings/program-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  ownerFields,
  clearable: clearableFields,
  input: ({ json }) => ({ json: json(), seen: seenProgram(json()) }),
  async run(deps, { program: before }, { json, seen }) {
    // The key is read first: a failed read after the write would hide that the write succeeded.
    const { key } = await withKey(deps, before);
    const changed = await changeProgram(
      deps,
      before.id,
      (present) => programChange(json, deps.config.currencies, present),
      comparedWith(seen, programReply),
    );
    return programReply({ ...changed, key });
  },
});
