import { exportAddress, exportFiles } from '#lib/service/ground/effects/exports.ts';
import { Redirect, TextFile } from '#lib/service/http/callers/account-endpoint.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { markedText } from '#lib/service/http/messages/csv.ts';
import { ownCommissionsCsv } from '#lib/service/http/reports/portal-figures-reply.ts';
import { exportOwnCommissions } from '#lib/service/reports/exports/export-commissions.ts';

/**
 * Replies with the file if it fits into a reply; otherwise redirects to the next part of the export, and finally to the
 * file.
 */
export const handler = partnerEndpoint({
  needs: 'partner',
  input: ({ query }) => query,
  async run(deps, { program, partner }, query) {
    const { cursor, as } = query;
    const spelling = { ...ownCommissionsCsv, header: markedText(query, ownCommissionsCsv.header) };
    const request = { files: exportFiles(deps), spelling, cursor };
    const exported = await exportOwnCommissions(deps, program, partner, request);
    if ('text' in exported) {
      return new TextFile(`commissions-${program.id}.csv`, 'text/csv; charset=utf-8', exported.text);
    }
    if ('file' in exported) return new Redirect(exportAddress(deps, exported.file));
    const next = new URLSearchParams({ cursor: exported.cursor, ...(as !== undefined && { as }) });
    return new Redirect(`/api/partner/v1/programs/${program.id}/commissions.csv?${next.toString()}`);
  },
});
