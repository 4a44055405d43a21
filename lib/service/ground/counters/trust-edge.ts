import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { trustEdgeSecret } from '#lib/service/ground/counters/edge-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** Creates a secret by which requests from CloudFront are recognised. Only its hash is stored. @returns the secret */
export async function trustEdge(deps: OperatorDeps): Promise<string> {
  const secret = deps.random.edgeSecret();
  await retryOnConflict(deps, () => trustEdgeSecret(deps.table, secret));
  return secret;
}
