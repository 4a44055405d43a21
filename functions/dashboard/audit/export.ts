import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { markedText } from '#lib/service/http/messages/csv.ts';
import { exportedReply } from '#lib/service/http/messages/exported-reply.ts';
import { auditCsv, auditEntryReply } from '#lib/service/http/people/audit-reply.ts';
import { auditFilter, auditFilters } from '#lib/service/http/people/audit-request.ts';
import { listAudit } from '#lib/service/people/workspaces/list-audit.ts';
import { exportRows } from '#lib/service/reports/exports/export-rows.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  terminal: false,
  input: (sent) => ({ filter: auditFilter(sent), query: sent.query }),
  async run(deps, { workspace }, { filter, query }) {
    const exported = await exportRows(
      deps,
      {
        list: ['audit', workspace.id, filter],
        savedAs: 'audit.csv',
        header: markedText(query, auditCsv.header),
        async lines(page) {
          const { items, next } = await listAudit(deps, workspace.id, filter, page);
          return { text: auditCsv.lines(items.map(auditEntryReply)), next };
        },
      },
      { files: exportFiles(deps), cursor: query['cursor'] },
    );
    const path = '/api/dashboard/v1/workspace/audit.csv';
    return exportedReply(deps, exported, { name: 'audit.csv' }, { path, query, filters: auditFilters });
  },
});
