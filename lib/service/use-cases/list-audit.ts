import type { AuditEntry } from '#lib/domain/audit.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Deps } from '#lib/service/deps.ts';
import { auditEntriesOf, type DayRange } from '#lib/service/store/audit.ts';

/** Who changed what in a workspace, newest first. */
export const listAudit = (
  { table, now }: Deps,
  workspaceId: number,
  range: DayRange,
  page: PageRequest,
): Promise<Page<AuditEntry>> => auditEntriesOf(table, workspaceId, range, page, now);
