import { type Agreements, allTermsOf } from '#lib/service/programs/terms/agreements.ts';
import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import {
  checkLeadCommissions,
  nextTermsVersion,
  ownTerms,
  type Program,
  withTermsText,
} from '#lib/service/programs/program/program.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import { rulesOf } from '#lib/service/programs/terms/rules.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import { areSameTerms } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findPartnerTerms, partnerTermsWrite } from '#lib/service/programs/joining/partner-terms-items.ts';
import { changedProgramWrites, findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { termsChangeWrites, termsVersionWrites } from '#lib/service/programs/changed-terms/terms-change-writes.ts';
import type { NewProgram } from '#lib/service/programs/program/create-program.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { payoutDueWrites } from '#lib/service/programs/program/payout-due-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { termsMailWrites } from '#lib/service/programs/terms/terms-mail-writes.ts';

export interface ChangedProgram {
  readonly program: Program;
  /** The text that partners must accept; null = there is no text. */
  readonly partnerTerms: string | null;
}

interface DecidedChange {
  readonly before: Program;
  readonly agreements: Agreements;
  readonly change: Partial<NewProgram>;
  /** The program with the change, without new versions of terms. */
  readonly changed: Program;
}

/**
 * Decides how the settings of a program change, but writes nothing.
 * @param changeOf computes the change from the current program
 * @throws Refusal
 */
export async function decidedChange(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  programId: number,
  changeOf: (present: Program) => Partial<NewProgram>,
): Promise<DecidedChange> {
  const before = await findProgram(table, programId);
  if (!before) throw programNotFound();
  const change = changeOf(before);
  const { partnerTerms: _, ...settings } = change;
  const changed: Program = { ...before, ...settings, updatedAt: now.toISOString() };
  // The agreements are read after the program. If an owner changes them between the two reads, the version check of the
  // write fails and the change is decided again.
  const agreements = await findAgreements(table, programId);
  if (change.leadAuth !== undefined || change.leadCommissionCents !== undefined) {
    checkLeadCommissions(changed, allTermsOf(changed, agreements));
  }
  return { before, agreements, change, changed };
}

/**
 * Changes the settings of a program; existing commissions keep their terms.
 * @param changeOf computes the change from the current program; an empty change writes nothing
 * @throws Refusal, also when the program has changed since the caller read it
 */
export const changeProgram = (
  deps: Deps,
  programId: number,
  changeOf: (present: Program) => Partial<NewProgram>,
  seen?: Comparison<ChangedProgram>,
): Promise<ChangedProgram> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const { before, change: wanted, changed, agreements } = await decidedChange(deps, programId, changeOf);
    const present = await findPartnerTerms(table, before);
    const { partnerTerms: text = present?.text ?? '', ...change } = wanted;
    const hasNewText = text !== (present?.text ?? '');
    const partnerTerms = text || null;
    const target = { type: 'program', id: programId, name: before.name, programId } as const;
    await checkSeen(deps, target, seen, { program: before, partnerTerms: present?.text ?? null });
    if (Object.keys(change).length === 0 && !hasNewText) return { program: before, partnerTerms };
    const hasNewTerms = !areSameTerms(before, changed);
    const agreed = hasNewTerms ? withNewTerms(changed) : changed;
    const program = hasNewText ? withTermsText(agreed, text) : agreed;
    const { partnerTermsVersion } = program;
    await table.transact([
      ...changedProgramWrites(before, program),
      ...(hasNewTerms
        ? [
            ...termsVersionWrites(deps, programId, { former: ownTerms(before), begun: ownTerms(program) }),
            ...termsChangeWrites(deps, before, agreements, { from: 'program', id: programId, name: program.name }),
          ]
        : []),
      ...(hasNewText ? await newTextWrites(deps, program, text) : []),
      ...(change.payoutDays ? payoutDueWrites(program, dayOf(deps.now)) : []),
      ...auditWrites(deps, before.workspaceId, {
        action: 'program.changed',
        target,
        // The audit row contains only the version numbers of the partner terms, not their texts.
        changes: changesBetween(
          { ...before, rules: rulesOf(before) },
          { ...change, ...(change.rules && { rules: rulesOf(change) }), ...(hasNewText && { partnerTermsVersion }) },
        ),
      }),
    ]);
    return { program, partnerTerms };
  });

/** Writes that store a new text of the partner terms and notify the partners. */
async function newTextWrites(deps: Deps, program: Program, text: string): Promise<Write[]> {
  const { id, partnerTermsVersion: version } = program;
  if (version === undefined) return [];
  return [partnerTermsWrite(id, { version, text }), ...(await termsMailWrites(deps, program))];
}

function withNewTerms(program: Program): Program {
  const version = nextTermsVersion(program);
  return { ...program, termsVersion: version, lastTermsVersion: version };
}
