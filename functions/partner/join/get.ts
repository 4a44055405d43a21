import { numericIdOf } from '#lib/domain/identifier.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { programToJoinReply } from '#lib/service/triggers/http/replies/portal.ts';
import { programToJoin } from '#lib/service/use-cases/program-to-join.ts';

export const handler = partnerEndpoint({
  needs: 'nobody',
  input: ({ path }) => numericIdOf(path.program_id),
  run: async (deps, _, programId) => programToJoinReply(await programToJoin(deps, programId)),
});
