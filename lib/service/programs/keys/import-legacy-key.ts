import { maskKey, sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keyInUse, programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { findCredential } from '#lib/service/people/accounts/credentials-items.ts';
import { findProgram, keyReplacementWrites } from '#lib/service/programs/program/programs-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Replaces a program's key by an older key, which was issued before keys had a prefix. The mark that the replaced key
 * must be rotated is removed; the time at which an owner last generated a key stays.
 * @param key must satisfy `mayBeOlderKey`
 * @returns the key's mask
 * @throws Refusal when there is no such program, or a program, including this one, uses the key
 */
export const importLegacyKey = (deps: OperatorDeps, programId: number, key: string): Promise<string> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const [program, holder] = await Promise.all([findProgram(table, programId), findCredential(table, key)]);
    if (!program) throw programNotFound();
    if (holder) throw keyInUse();
    const keyMasked = maskKey(key);
    const after = { ...program, keyHash: sha256(key), keyMasked, updatedAt: now.toISOString() };
    await table.transact(keyReplacementWrites(program, after));
    return keyMasked;
  });
