import { actorText } from '#lib/service/ground/changes/audit.ts';
import type { TermsChange } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { termsChangeWrite } from '#lib/service/programs/terms/terms-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Writes for a change of terms by the caller; they belong in the transaction of the change. */
export const termsChangeWrites = (
  { actor, now, random }: Pick<Deps, 'actor' | 'now' | 'random'>,
  programId: number,
  changed: Pick<TermsChange, 'from' | 'id' | 'name'>,
): Write[] => [
  termsChangeWrite(programId, random.auditId(), {
    ...changed,
    at: now.toISOString(),
    by: actor && actorText(actor),
  }),
];
