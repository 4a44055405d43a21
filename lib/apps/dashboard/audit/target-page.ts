import { salePath } from '#lib/apps/dashboard/lists/query-paths.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { pagePaths, programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';

type Target = AuditEntry['target'];

const pagesOfProgram: Partial<Record<Target['type'], (programId: number, id: string) => string>> = {
  program: (programId) => programPath('settings', programId),
  group: (programId) => sectionPath(programId, 'groups'),
  partner: (programId, id) => programPath('partner', programId, id),
  link: (programId, id) => programPath('link', programId, id),
  code: (programId) => programPath('codes', programId),
  sale: salePath,
  payout: (programId, id) => programPath('payout', programId, id),
  customer: (programId, id) => programPath('customer', programId, id),
  payment: (programId) => programPath('payments', programId),
};

/** The address of the page that shows the changed object; undefined if there is none. */
export function targetPage({ type, id, program_id: programId }: Target): string | undefined {
  if (type === 'member') return pagePaths.members;
  return programId === null ? undefined : pagesOfProgram[type]?.(programId, id);
}
