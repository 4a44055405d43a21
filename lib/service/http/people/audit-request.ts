import { type AuditFilter, auditActions, auditTargets } from '#lib/service/ground/changes/audit.ts';
import type { DayRange } from '#lib/service/ground/changes/audit-items.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import { chosenQuery, idQuery, rangeQuery } from '#lib/service/http/messages/query.ts';

/** Query parameters that filter the audit list. */
export const auditFilters = ['actor_id', 'action', 'target_type', 'target_id', 'program_id', 'from', 'to'] as const;

/** The filter of the list or its file. @throws Refusal */
export const auditFilter = (sent: RequestInput): DayRange & AuditFilter => ({
  actorId: idQuery(sent, 'actor_id'),
  action: chosenQuery(sent, 'action', auditActions),
  targetType: chosenQuery(sent, 'target_type', auditTargets),
  targetId: sent.query['target_id'],
  programId: idQuery(sent, 'program_id'),
  ...rangeQuery(sent),
});
