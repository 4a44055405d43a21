import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { markedText } from '#lib/service/http/messages/csv.ts';
import { exportedReply } from '#lib/service/http/messages/exported-reply.ts';
import { ownCommissionsCsv } from '#lib/service/http/reports/portal-figures-reply.ts';
import { exportOwnCommissions } from '#lib/service/reports/exports/export-commissions.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: ({ query }) => query,
  async run(deps, { program, partner }, query) {
    const spelling = { ...ownCommissionsCsv, header: markedText(query, ownCommissionsCsv.header) };
    const request = { files: exportFiles(deps), spelling, cursor: query['cursor'] };
    const exported = await exportOwnCommissions(deps, program, partner, request);
    const file = { name: `commissions-${program.id}.csv` };
    const path = `/api/partner/v1/programs/${program.id}/commissions.csv`;
    return exportedReply(deps, exported, file, { path, query, filters: ['as'] });
  },
});
