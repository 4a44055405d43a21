import { numericIdOf } from '#lib/domain/identifier.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { explainedCommissionReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { explainCommission, ownCommission } from '#lib/service/use-cases/explain-commission.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  subject: (deps, { partner }, path) => ownCommission(deps, partner, numericIdOf(path.commission_id)),
  input: () => undefined,
  run: async (deps, { program, partner }, _, commission) =>
    explainedCommissionReply(await explainCommission(deps, program, partner, commission), partner),
});
