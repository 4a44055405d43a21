import { exportAddress, exportFiles } from '#lib/service/ground/effects/exports.ts';
import { dashboardEndpoint, Redirect, TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import { commissionsCsv } from '#lib/service/http/earnings/commission-reply.ts';
import { commissionFilter, commissionFilters } from '#lib/service/http/earnings/commissions-request.ts';
import { markedText } from '#lib/service/http/messages/csv.ts';
import { exportCommissions } from '#lib/service/reports/exports/export-commissions.ts';

/**
 * Replies with the file if it fits into a reply; otherwise redirects to the next part of the export, and finally to the
 * file.
 */
export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, _, { currencies }) => ({ filter: commissionFilter(sent, currencies), query: sent.query }),
  async run(deps, { program }, { filter, query }) {
    const { cursor } = query;
    const exported = await exportCommissions(deps, program, filter, {
      files: exportFiles(deps),
      spelling: { ...commissionsCsv, header: markedText(query, commissionsCsv.header) },
      cursor,
    });
    const name = `commissions-${program.id}.csv`;
    if ('text' in exported) return new TextFile(name, 'text/csv; charset=utf-8', exported.text);
    if ('file' in exported) return new Redirect(exportAddress(deps, exported.file));
    const next = new URLSearchParams({ cursor: exported.cursor });
    for (const field of commissionFilters) if (query[field] !== undefined) next.set(field, query[field]);
    return new Redirect(`/api/dashboard/v1/programs/${program.id}/commissions.csv?${next.toString()}`);
  },
});
