import { randomBytes } from 'node:crypto';
import { readSecretFile, writeSecretFile } from '#infra/local/run/secret-file.ts';

/** Makes the key with which a local run seals signing secrets, unless an earlier run has created one. */
export async function ensureVaultKey(file: string): Promise<void> {
  const existing = await readSecretFile<{ key: string }>(file);
  if (!existing) await writeSecretFile(file, { key: randomBytes(32).toString('base64') });
}
