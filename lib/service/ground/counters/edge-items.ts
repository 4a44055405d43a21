import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

interface Edge {
  /** Hashes of the valid secrets, newest first. */
  readonly hashes: readonly string[];
}

/**
 * The maximum number of valid secrets. Earlier secrets stay valid, because CloudFront distributes a new one over
 * several minutes, and a rolled-back deployment still uses the previous one.
 */
const MOST_SECRETS = 4;

const hashesOf = async (table: Table): Promise<readonly string[]> => (await table.get<Edge>(keys.edge))?.hashes ?? [];

export const isEdgeSecret = async (table: Table, secret: string): Promise<boolean> =>
  (await hashesOf(table)).includes(sha256(secret));

/** Makes CloudFront requests with this secret valid. @throws ConditionFailed after a concurrent change */
export async function trustEdgeSecret(table: Table, secret: string): Promise<void> {
  const existing = await hashesOf(table);
  const hashes = [sha256(secret), ...existing].slice(0, MOST_SECRETS);
  // Race: two deployments at once. The loser fails and reads again, so that both secrets are kept.
  await table.update(
    keys.edge,
    { set: { hashes } },
    { equals: { hashes: existing.length > 0 ? existing : undefined } },
  );
}
