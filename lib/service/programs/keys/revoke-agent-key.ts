import { agentKeyNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { findAgentKey, revokedAgentKeyWrites } from '#lib/service/people/accounts/credentials-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Revokes an agent key: from this moment, requests with the key fail. A repeated call changes nothing.
 * @throws Refusal when no key has the id
 */
export const revokeAgentKey = (deps: OperatorDeps, id: number): Promise<void> =>
  retryOnConflict(deps, async () => {
    const issued = await findAgentKey(deps.table, id);
    if (!issued) throw agentKeyNotFound();
    if (!issued.revokedAt) await deps.table.transact(revokedAgentKeyWrites(issued, deps.now.toISOString()));
  });
