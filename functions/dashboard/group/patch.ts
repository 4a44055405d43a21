import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { groupReply } from '#lib/service/triggers/http/replies/terms.ts';
import { comparedWith, seenIn } from '#lib/service/triggers/http/requests/seen.ts';
import { groupChange } from '#lib/service/triggers/http/requests/terms.ts';
import { changeGroup } from '#lib/service/use-cases/change-agreements.ts';
import { groupOf } from '#lib/service/use-cases/list-groups.ts';
import { REQUIRED_OF_GROUP } from '#lib/wire/requests/terms.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => groupOf(deps, program.id, numericIdOf(path.group_id)),
  input: ({ json }) => ({ wanted: groupChange(json()), seen: seenIn(json(), REQUIRED_OF_GROUP) }),
  run: async (deps, { program }, { wanted, seen }, { id }) =>
    groupReply(await changeGroup(deps, program.id, id, wanted, comparedWith(seen, groupReply))),
});
