import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { explainedSaleReply } from '#lib/service/triggers/http/replies/explained-sale.ts';
import { explainSale, saleOf } from '#lib/service/use-cases/explain-sale.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => saleOf(deps, program.id, path.transaction_id),
  input: () => undefined,
  run: async (deps, { program }, _, sale) => explainedSaleReply(await explainSale(deps, program, sale)),
});
