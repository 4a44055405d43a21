import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { auditEntryReply } from '#lib/service/http/people/audit-reply.ts';
import { auditFilter, auditFilters } from '#lib/service/http/people/audit-request.ts';
import { listAudit } from '#lib/service/people/workspaces/list-audit.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  // A terminal's token may not read the list, because the list shows addresses of members.
  terminal: false,
  input: (sent) => ({ page: pageRequest(sent, 'audit', auditFilters), filter: auditFilter(sent) }),
  run: async (deps, { workspace }, { page, filter }) =>
    pageBody(page, await listAudit(deps, workspace.id, filter, page), auditEntryReply),
});
