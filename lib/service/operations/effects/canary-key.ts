import * as z from 'zod/mini';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { readSecret } from '#lib/service/ground/effects/secret-store.ts';

const StoredKey = z.object({ PROGRAM_API_KEY: z.string().check(z.minLength(1)) });

/**
 * The key of the program that the operator created for the canary. Read at every run, so that a new key needs no
 * deployment.
 * @throws Error that says what to store. It does not quote the secret, because it is logged
 */
export async function canaryKey(deps: Pick<Deps, 'config' | 'once' | 'deadline'>): Promise<string> {
  const { canarySecretId } = deps.config;
  if (canarySecretId === undefined) throw new Error('The canary needs CANARY_SECRET_ID');
  const text = await readSecret(deps, canarySecretId);
  try {
    return StoredKey.parse(JSON.parse(text)).PROGRAM_API_KEY;
  } catch {
    throw new Error('Put {"PROGRAM_API_KEY":"aff_…"} into the secret that the output CanarySecretName names');
  }
}
