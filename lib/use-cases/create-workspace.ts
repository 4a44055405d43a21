import type { Deps } from '#lib/deps.ts';
import { keys } from '#lib/store/keys.ts';
import { nextNumber } from '#lib/store/sequence.ts';

/** A brand. Times are ISO 8601. */
export interface Workspace {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
}

/** Creates a workspace. @param name 1 to 120 characters */
export async function createWorkspace({ table, now }: Deps, name: string): Promise<Workspace> {
  const workspace: Workspace = { id: await nextNumber(table, 'workspace'), name, createdAt: now.toISOString() };
  await table.put(keys.workspace(workspace.id), workspace, { isNew: true });
  return workspace;
}
