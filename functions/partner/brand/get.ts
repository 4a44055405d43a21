import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { brandShownReply } from '#lib/service/http/programs/brand-reply.ts';
import { publicBrand } from '#lib/service/programs/brand/read-brand.ts';

export const handler = partnerEndpoint({
  needs: 'anyone',
  input: ({ path }) => numericIdOf(path.program_id),
  run: async (deps, _, programId) => brandShownReply(await publicBrand(deps, programId)),
});
