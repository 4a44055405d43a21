import { actorText, changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { changedMeanwhile } from '#lib/service/ground/values/refusals.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import type { Brand } from '#lib/service/programs/brand/brand.ts';
import { brandWrite, findBrand } from '#lib/service/programs/brand/brands-items.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** Fields to set; a field that is present and undefined is removed. */
type BrandFields = Partial<Omit<Brand, 'version' | 'updatedAt' | 'changedBy'>>;

interface Change {
  readonly fields: BrandFields;
  /** Further writes of the same transaction. */
  readonly writes?: readonly Write[];
  /** If set, a function that compares the brand with the values that the caller has read. */
  readonly compare?: Comparison<Brand | undefined>;
}

/**
 * Changes the brand of a program. Sending the stored values changes nothing.
 * @throws Refusal if the fields have changed since the caller read them
 */
export const changeBrand = (
  deps: Deps,
  { id: programId, name, workspaceId }: Program,
  { fields, writes = [], compare }: Change,
): Promise<Brand | undefined> =>
  retryOnConflict(deps, async () => {
    const { table, now, actor } = deps;
    const before = await findBrand(table, programId);
    const changed = compare?.(before) ?? {};
    if (Object.keys(changed).length > 0) {
      throw changedMeanwhile(changed, before?.changedBy ?? null, before?.updatedAt ?? null);
    }
    const differences = changesBetween(before ?? {}, fields);
    if (Object.keys(differences).length === 0) return before;
    const after: Brand = {
      ...before,
      ...fields,
      version: (before?.version ?? 0) + 1,
      updatedAt: now.toISOString(),
      changedBy: actor && actorText(actor),
    };
    // The accent colors are computed from the owner's color, so the audit entry does not list them as a change.
    const { accent: _, ...changes } = differences;
    await table.transact([
      brandWrite(programId, before, after),
      ...writes,
      ...auditWrites(deps, workspaceId, {
        action: 'brand.changed',
        target: { type: 'program', id: programId, name, programId },
        changes,
      }),
    ]);
    return after;
  });
