import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

interface Edge {
  /** Hashes of the valid secrets, newest first. */
  readonly hashes: readonly string[];
}

/**
 * The maximum number of valid secrets. Earlier secrets stay valid, because CloudFront takes several minutes to
 * distribute a new one, and because a rolled-back deployment uses the previous one again.
 */
const MOST_SECRETS = 4;

const hashesOf = async (table: Table): Promise<readonly string[]> => (await table.get<Edge>(keys.edge))?.hashes ?? [];

export const isEdgeSecret = async (table: Table, secret: string): Promise<boolean> =>
  (await hashesOf(table)).includes(sha256(secret));

/**
 * From now on, requests from CloudFront that contain this secret are accepted.
 * @throws ConditionFailed after a concurrent change
 */
export async function trustEdgeSecret(table: Table, secret: string): Promise<void> {
  const existing = await hashesOf(table);
  const hashes = [sha256(secret), ...existing].slice(0, MOST_SECRETS);
  // Closes the race between two deployments: the second one fails and reads again, so that both secrets stay valid.
  await table.update(
    keys.edge,
    { set: { hashes } },
    { equals: { hashes: existing.length > 0 ? existing : undefined } },
  );
}
