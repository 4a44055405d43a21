import { choice, period } from '#lib/apps/web/lists/filters.tsx';
import { actionOptions } from '#lib/apps/dashboard/audit/audit-actions.ts';
import type { ListFilter } from '#lib/apps/web/lists/list.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import type { ListedProgram } from '#lib/wire/programs/program.ts';

/** Names of the types of objects. The compiler checks that all types are here. */
const targetTypes: Readonly<Record<AuditEntry['target']['type'], string>> = {
  workspace: 'Workspace',
  member: 'Members',
  program: 'Programs',
  group: 'Groups of partners',
  partner: 'Partners',
  link: 'Links',
  code: 'Codes',
  sale: 'Sales',
  commission: 'Commissions',
  payout: 'Payouts',
  customer: 'Customers',
  payment: 'Payments',
  webhook: 'Webhooks',
};

/** The filters of the audit list. @param programs those of the workspace @param actors to choose from */
export const auditFilters = (
  programs: readonly Pick<ListedProgram, 'id' | 'name'>[],
  actors: readonly Option[] = [],
): readonly ListFilter[] => [
  choice('actor_id', 'Who', [['', 'Everybody'], ...actors]),
  choice('action', 'What', [['', 'All'], ...actionOptions]),
  choice('target_type', 'About', [['', 'All'], ...Object.entries(targetTypes)]),
  choice('program_id', 'Program', [['', 'All'], ...programs.map(({ id, name }): Option => [String(id), name])]),
  period,
];
