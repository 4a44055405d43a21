import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

interface Edge {
  /** Hashes of the valid secrets, the newest first. */
  readonly hashes: readonly string[];
}

/**
 * Former secrets stay valid: the edge locations get the new one over minutes, and a rolled back deployment leaves them
 * with the former one.
 */
const MOST_SECRETS = 4;

const hashesOf = async (table: Table): Promise<readonly string[]> => (await table.get<Edge>(keys.edge))?.hashes ?? [];

export const isEdgeSecret = async (table: Table, secret: string): Promise<boolean> =>
  (await hashesOf(table)).includes(sha256(secret));

/** Makes this secret valid for requests from the edge. @throws ConditionFailed after a concurrent change */
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
