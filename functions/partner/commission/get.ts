import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { explainedCommissionReply } from '#lib/service/http/reports/portal-figures-reply.ts';
import { explainCommission, ownCommission } from '#lib/service/reports/stories/explain-commission.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  subject: (deps, { partner }, path) => ownCommission(deps, partner, numericIdOf(path.commission_id)),
  input: () => undefined,
  run: async (deps, { program, partner }, _, commission) =>
    explainedCommissionReply(await explainCommission(deps, program, partner, commission), partner),
});
