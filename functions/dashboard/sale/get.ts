import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { explainedSaleReply } from '#lib/http/replies/explained-sale.ts';
import { explainSale, saleOf } from '#lib/use-cases/explain-sale.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => saleOf(deps, program.id, path.transaction_id),
  input: () => undefined,
  run: async (deps, { program }, _, sale) => explainedSaleReply(await explainSale(deps, program, sale)),
});
