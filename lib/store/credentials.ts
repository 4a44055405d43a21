import { type Credential, sha256 } from '#lib/domain/credential.ts';
import { keys } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';

/** Whoever holds this secret; the table knows only its SHA-256. */
export const findCredential = (table: Table, secret: string): Promise<Credential | undefined> =>
  table.get<Credential>(keys.credential(sha256(secret)));
