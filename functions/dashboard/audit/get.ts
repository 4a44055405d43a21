import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { rangeQuery } from '#lib/service/triggers/http/query.ts';
import { auditEntryReply } from '#lib/service/triggers/http/replies/audit.ts';
import { listAudit } from '#lib/service/use-cases/list-audit.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  // It names members with their addresses.
  terminal: false,
  input: (sent) => ({ page: pageRequest(sent, 'audit', ['from', 'to']), range: rangeQuery(sent) }),
  run: async (deps, { workspace }, { page, range }) =>
    pageBody(page, await listAudit(deps, workspace.id, range, page), auditEntryReply),
});
