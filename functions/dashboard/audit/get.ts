import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { auditEntryReply } from '#lib/service/triggers/http/replies/audit.ts';
import { listAudit } from '#lib/service/use-cases/list-audit.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: (sent) => pageRequest(sent, 'audit'),
  run: async (deps, { workspace }, page) => pageBody(page, await listAudit(deps, workspace.id, page), auditEntryReply),
});
