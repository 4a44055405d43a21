import type { AuditTarget } from '#lib/service/ground/changes/audit.ts';
import { changedMeanwhile } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { lastChangeOf } from '#lib/service/ground/changes/last-changes-items.ts';

/**
 * Refuses a change that is built on what is no longer so. It belongs into the decision that is written under a condition:
 * of two such changes at once the loser is decided again, and refused.
 * @param compare absent: the caller does not say what it saw
 * @throws Refusal
 */
export async function checkSeen<Thing>(
  { table }: Pick<Deps, 'table'>,
  target: AuditTarget,
  compare: Comparison<Thing> | undefined,
  present: Thing,
): Promise<void> {
  const changed = compare?.(present) ?? {};
  const fields = Object.keys(changed);
  if (fields.length === 0) return;
  const last = await lastChangeOf(table, target, fields.map(storedName));
  throw changedMeanwhile(changed, last?.by ?? null, last?.at ?? null);
}

/** The text that partners accept is changed by its version. */
const storedName = (field: string): string =>
  field === 'partner_terms'
    ? 'partnerTermsVersion'
    : field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
