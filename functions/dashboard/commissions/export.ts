import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { commissionsCsv } from '#lib/service/http/earnings/commission-reply.ts';
import { commissionFilter, commissionFilters } from '#lib/service/http/earnings/commissions-request.ts';
import { markedText } from '#lib/service/http/messages/csv.ts';
import { exportedReply } from '#lib/service/http/messages/exported-reply.ts';
import { exportCommissions } from '#lib/service/reports/exports/export-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, _, { currencies }) => ({ filter: commissionFilter(sent, currencies), query: sent.query }),
  async run(deps, { program }, { filter, query }) {
    const exported = await exportCommissions(deps, program, filter, {
      files: exportFiles(deps),
      spelling: { ...commissionsCsv, header: markedText(query, commissionsCsv.header) },
      cursor: query['cursor'],
    });
    const file = { name: `commissions-${program.id}.csv` };
    const path = `/api/dashboard/v1/programs/${program.id}/commissions.csv`;
    return exportedReply(deps, exported, file, { path, query, filters: commissionFilters });
  },
});
