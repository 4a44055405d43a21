import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { auditItemReply } from '#lib/service/http/people/audit-reply.ts';
import { auditEntryOf, listAuditItems } from '#lib/service/people/workspaces/list-audit.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  terminal: false,
  subject: (deps, { workspace }, { entry_id: id }) => auditEntryOf(deps, workspace.id, id),
  input: (sent) => pageRequest({ ...sent, path: { id: sent.path['entry_id'] } }, 'audit items'),
  run: async (deps, { workspace }, page, entry) =>
    pageBody(page, await listAuditItems(deps, workspace.id, entry, page), auditItemReply),
});
