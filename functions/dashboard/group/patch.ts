import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { groupReply } from '#lib/service/http/programs/terms-reply.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { groupChange } from '#lib/service/http/programs/terms-request.ts';
import { changeGroup } from '#lib/service/programs/terms/change-agreements.ts';
import { groupOf } from '#lib/service/programs/terms/list-groups.ts';
import { REQUIRED_OF_GROUP } from '#lib/wire/programs/terms-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => groupOf(deps, program.id, numericIdOf(path.group_id)),
  input: ({ json }) => ({ wanted: groupChange(json()), seen: seenIn(json(), REQUIRED_OF_GROUP) }),
  run: async (deps, { program }, { wanted, seen }, { id }) =>
    groupReply(await changeGroup(deps, program.id, id, wanted, comparedWith(seen, groupReply))),
});
