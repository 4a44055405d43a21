import type { AuditTarget } from '#lib/service/ground/changes/audit.ts';
import { changedMeanwhile } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { lastChangeOf } from '#lib/service/ground/changes/last-changes-items.ts';

/**
 * Refuses a change that was based on outdated values. Call it where a change is decided before a conditional write: if
 * two such changes race, the second one is decided again with the new values and then refused here.
 * @param compare undefined if the caller did not send the values it saw
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

/** The name under which changes of a field are recorded. Of the partner terms, only the version is recorded. */
const storedName = (field: string): string =>
  field === 'partner_terms'
    ? 'partnerTermsVersion'
    : field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
