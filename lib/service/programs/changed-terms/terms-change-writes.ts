import { actorText } from '#lib/service/ground/changes/audit.ts';
import type { Agreements } from '#lib/service/programs/terms/agreements.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { TermsChange, TermsInForce } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { endedTermsWrite, newTermsWrite, termsChangeWrite } from '#lib/service/programs/terms/terms-items.ts';
import { termsNoticeWrites } from '#lib/service/programs/changed-terms/terms-notices-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

type WriteDeps = Pick<Deps, 'actor' | 'now' | 'random'>;

/** A version of terms that ends, or the one that begins, or both. */
interface Succession {
  /** Id of the group or partner; absent for the program. */
  readonly id?: number;
  readonly former?: TermsInForce;
  readonly begun?: TermsInForce;
}

/** Writes that store when versions of terms end and begin. They belong in the transaction of the change. */
export const termsVersionWrites = (
  { actor, now }: Pick<WriteDeps, 'actor' | 'now'>,
  programId: number,
  { id, former, begun }: Succession,
): Write[] => {
  const at = now.toISOString();
  const by = actor && { name: actorText(actor), accountId: actor.accountId };
  return [
    ...(former ? [endedTermsWrite(programId, former, { id, endedAt: at })] : []),
    ...(begun ? [newTermsWrite(programId, begun, { id, effectiveAt: at, by })] : []),
  ];
};

/**
 * Writes for a change that affects terms of partners. They must be in the transaction that stores the change. The
 * affected partners get one mail when the terms have not changed again for some time.
 * @param program before the change @param agreements before the change
 */
export const termsChangeWrites = (
  { actor, now, random }: WriteDeps,
  program: Program,
  agreements: Agreements,
  changed: Pick<TermsChange, 'from' | 'id' | 'name'>,
): Write[] => [
  termsChangeWrite(program.id, random.auditId(), {
    ...changed,
    at: now.toISOString(),
    by: actor && actorText(actor),
  }),
  ...termsNoticeWrites(program, agreements, now),
];
