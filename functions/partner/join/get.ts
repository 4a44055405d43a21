import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { programToJoinReply } from '#lib/service/http/partners/portal-reply.ts';
import { programToJoin } from '#lib/service/programs/joining/program-to-join.ts';

export const handler = partnerEndpoint({
  needs: 'anyone',
  input: ({ path }) => numericIdOf(path.program_id),
  run: async (deps, _, programId) => programToJoinReply(await programToJoin(deps, programId)),
});
