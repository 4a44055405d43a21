import type { IssuedAgentKey } from '#lib/service/ground/addresses/credential.ts';
import { workspaceNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { newAgentKeyWrites } from '#lib/service/people/accounts/credentials-items.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';

/** Issues an agent key. The key is returned once and is not stored. @throws Refusal when there is no such workspace */
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
