import type { OperatorDeps } from '#lib/service/deps.ts';
import { trustEdgeSecret } from '#lib/service/store/edge.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** Makes a secret for the edge, of which the table keeps the hash only. @returns the secret, this once */
export async function trustEdge(deps: OperatorDeps): Promise<string> {
  const secret = deps.random.edgeSecret();
  await retryOnConflict(deps, () => trustEdgeSecret(deps.table, secret));
  return secret;
}
