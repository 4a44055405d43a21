import { randomBytes } from 'node:crypto';
import { readSecretFile, writeSecretFile } from '#infra/local/run/secret-file.ts';

/** Creates the key that encrypts signing secrets in a local run. A key from an earlier run is kept. */
export async function ensureVaultKey(file: string): Promise<void> {
  const existing = await readSecretFile<{ key: string }>(file);
  if (!existing) await writeSecretFile(file, { key: randomBytes(32).toString('base64') });
}
