import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { explainedSaleReply } from '#lib/service/http/conversions/explained-sale-reply.ts';
import { explainSale, saleOf } from '#lib/service/reports/stories/explain-sale.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => saleOf(deps, program.id, path.transaction_id),
  input: () => undefined,
  run: async (deps, { program }, _, sale) => explainedSaleReply(await explainSale(deps, program, sale)),
});
