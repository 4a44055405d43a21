import { sha256 } from '#lib/domain/credential.ts';
import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';

interface Edge {
  /** Of the secrets that count, the newest first. */
  readonly hashes: readonly string[];
}

/**
 * Former secrets count too: the edge's places around the world learn the new one over minutes, and a deployment that is
 * rolled back leaves them the one before, however often it is tried.
 */
const MOST_SECRETS = 4;

const hashesOf = async (table: Table): Promise<readonly string[]> => (await table.get<Edge>(keys.edge))?.hashes ?? [];

export const isEdgeSecret = async (table: Table, secret: string): Promise<boolean> =>
  (await hashesOf(table)).includes(sha256(secret));

/** From now on requests with this secret come from the edge. @throws ConditionFailed when another one came between */
export async function trustEdgeSecret(table: Table, secret: string): Promise<void> {
  const existing = await hashesOf(table);
  const hashes = [sha256(secret), ...existing].slice(0, MOST_SECRETS);
  // Two deployments at once: the loser reads again, so that neither's secret is lost.
  await table.update(
    keys.edge,
    { set: { hashes } },
    { equals: { hashes: existing.length > 0 ? existing : undefined } },
  );
}
