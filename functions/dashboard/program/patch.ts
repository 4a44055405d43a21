import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { CLEARABLE_SETTINGS, programChange, seenProgram } from '#lib/service/triggers/http/requests/program.ts';
import { comparedWith } from '#lib/service/triggers/http/requests/seen.ts';
import { changeProgram } from '#lib/service/use-cases/change-program.ts';
import { withKey } from '#lib/service/use-cases/key-in-force.ts';
import { ownerFields } from '#lib/wire/requests/owner-fields.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  ownerFields,
  clearable: CLEARABLE_SETTINGS,
  input: ({ json }) => ({ json: json(), seen: seenProgram(json()) }),
  async run(deps, { program: before }, { json, seen }) {
    // Read first: a successful change must not be answered as a failure.
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
