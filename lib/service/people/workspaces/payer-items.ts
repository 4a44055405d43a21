import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import type { Payer } from '#lib/service/people/workspaces/payer.ts';

export const findPayer = (table: Table, workspaceId: number): Promise<Payer | undefined> =>
  table.get<Payer>(keys.workspacePayer(workspaceId));

/** Closes the race between two changes: the second one reloads and decides again. */
export const payerWrite = (workspaceId: number, before: Payer | undefined, after: Payer): Write => ({
  name: 'payer',
  key: keys.workspacePayer(workspaceId),
  put: after,
  condition: { equals: { version: before?.version } },
});
