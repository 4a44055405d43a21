import type { IssuedAgentKey } from '#lib/domain/credential.ts';
import { workspaceNotFound } from '#lib/domain/refusals.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { newAgentKeyWrites } from '#lib/service/store/credentials.ts';
import { nextNumber } from '#lib/service/store/sequence.ts';
import { findWorkspace } from '#lib/service/store/workspaces.ts';

/**
 * Issues an agent key. Its full value is returned once and not stored.
 * @throws Refusal when there is no such workspace
 */
export async function issueAgentKey(
  { table, now, random }: OperatorDeps,
  wanted: Pick<IssuedAgentKey, 'workspaceId' | 'name' | 'scopes'>,
): Promise<{ readonly id: number; readonly key: string }> {
  if (!(await findWorkspace(table, wanted.workspaceId))) throw workspaceNotFound();
  const id = await nextNumber(table, 'agentKey');
  const key = random.agentKey();
  await table.transact(newAgentKeyWrites({ ...wanted, id, createdAt: now.toISOString() }, key));
  return { id, key };
}
