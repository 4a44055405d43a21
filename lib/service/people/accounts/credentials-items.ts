import {
  type AgentKey,
  type Credential,
  type IssuedAgentKey,
  sha256,
} from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Finds the credential with this secret. Only the secret's SHA-256 hash is stored. */
export const findCredential = (table: Table, secret: string): Promise<Credential | undefined> =>
  findCredentialByHash(table, sha256(secret));

export const findCredentialByHash = (table: Table, hash: string): Promise<Credential | undefined> =>
  table.get<Credential>(keys.credential(hash));

/** An entry in the list of all agent keys. It stays after the key is revoked and can no longer be used. */
type RegisteredAgentKey = IssuedAgentKey & { readonly hash: string };

/** Writes of a new agent key: its hash with its permissions, and its entry in the list of all agent keys. */
export function newAgentKeyWrites(issued: IssuedAgentKey, secret: string): Write[] {
  const { id, workspaceId, name, scopes } = issued;
  const hash = sha256(secret);
  return [
    {
      name: 'key',
      key: keys.credential(hash),
      put: { class: 'agentKey', id, workspaceId, name, scopes } satisfies AgentKey,
      condition: { isNew: true },
    },
    {
      name: 'register',
      key: keys.agentKey(id),
      put: { ...issued, hash } satisfies RegisteredAgentKey,
      condition: { isNew: true },
    },
  ];
}

export const findAgentKey = (table: Table, id: number): Promise<RegisteredAgentKey | undefined> =>
  table.get<RegisteredAgentKey>(keys.agentKey(id));

/** Every agent key ever issued, oldest first. There are few, so they are in one partition and read consistently. */
export const allAgentKeys = (table: Table): Promise<IssuedAgentKey[]> =>
  table.query<IssuedAgentKey>(keys.agentKey(0).pk);

/** Writes that revoke an agent key with immediate effect. */
export const revokedAgentKeyWrites = ({ id, hash }: RegisteredAgentKey, revokedAt: string): Write[] => [
  { name: 'key', key: keys.credential(hash), remove: true },
  {
    name: 'register',
    key: keys.agentKey(id),
    change: { set: { revokedAt } },
    // If two requests revoke the key, the time of the first one stays. The second one finds the key revoked.
    condition: { exists: true, equals: { revokedAt: undefined } },
  },
];
