import { commissionStatuses } from '#lib/domain/commission.ts';
import { dashboardEndpoint, TextFile } from '#lib/http/account-endpoint.ts';
import { chosenQuery, idQuery } from '#lib/http/query.ts';
import { commissionsCsv } from '#lib/http/replies/commission.ts';
import { listAllCommissions } from '#lib/use-cases/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    status: chosenQuery(sent, 'status', commissionStatuses),
    partnerId: idQuery(sent, 'partner_id'),
  }),
  run: async (deps, { program }, filter) =>
    new TextFile(
      `commissions-${program.id}.csv`,
      'text/csv; charset=utf-8',
      commissionsCsv(await listAllCommissions(deps, program, filter)),
    ),
});
