import {
  agreedTerms,
  type Agreements,
  type AgreementsChange,
  type Group,
  groupWithId,
  type PartnerTermsChange,
  termsOfPartner,
  termsWithVersion,
  withChangedGroup,
  withNewGroup,
  withPartnerTerms,
} from '#lib/service/programs/terms/agreements.ts';
import { type AuditedAct, changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import { areSameTerms, type TermsChange, termsIn } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { changedAgreementsWrites, findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { termsChangeWrites, termsVersionWrites } from '#lib/service/programs/changed-terms/terms-change-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** Creates a group of partners. @throws Refusal when there is a group of this name, or too many groups */
export const createGroup = async (
  deps: Deps,
  programId: number,
  wanted: Pick<Group, 'name' | 'terms'>,
): Promise<Group> => {
  const createdAt = deps.now.toISOString();
  const { group } = await changeAgreements(
    deps,
    programId,
    (program, agreements) => withNewGroup(program, agreements, { ...wanted, createdAt }),
    (_program, _before, { group: after }) => ({
      action: 'group.created',
      target: { type: 'group', id: after.id, name: after.name, programId },
      changes: changesBetween({}, nameAndTerms(after)),
    }),
  );
  return group;
};

/**
 * Changes the fields of a group that were sent.
 * @throws Refusal when another group has the name, or the group has changed since the caller read it
 */
export const changeGroup = async (
  deps: Deps,
  programId: number,
  groupId: number,
  wanted: Partial<Pick<Group, 'name' | 'terms'>>,
  seen?: Comparison<Group>,
): Promise<Group> => {
  const { group } = await changeAgreements(
    deps,
    programId,
    (program, agreements) => withChangedGroup(program, agreements, groupId, wanted),
    (_, agreements, { group: after }) => {
      const before = groupWithId(agreements, groupId);
      return {
        action: 'group.changed',
        target: { type: 'group', id: groupId, name: before.name, programId },
        changes: changesBetween(nameAndTerms(before), nameAndTerms(after)),
      };
    },
    (_program, _before, { former, group: after }) => former && { from: 'group', id: groupId, name: after.name },
    (_, agreements) =>
      checkSeen(deps, { type: 'group', id: groupId, programId }, seen, groupWithId(agreements, groupId)),
  );
  return group;
};

/** Computes a change of a partner's group or personal terms, and the writes for it. @throws Refusal */
export function partnerTermsChange(
  deps: Deps,
  program: Program,
  before: Agreements,
  partnerId: number,
  wanted: PartnerTermsChange,
): { readonly agreements: Agreements; readonly writes: readonly Write[] } {
  const change = withPartnerTerms(program, before, partnerId, wanted);
  const { after: agreements } = change;
  const act: AuditedAct = {
    action: 'partner.changed',
    target: { type: 'partner', id: partnerId, programId: program.id },
    changes: changesBetween(groupAndTerms(program, before, partnerId), groupAndTerms(program, agreements, partnerId)),
  };
  const isSame = areSameTerms(agreedTerms(program, before, partnerId), agreedTerms(program, agreements, partnerId));
  const changed: ChangedTerms | undefined = isSame ? undefined : { from: 'partner', id: partnerId };
  return { agreements, writes: changeWrites(deps, program, before, { change, act, changed }) };
}

type ChangedTerms = Pick<TermsChange, 'from' | 'id' | 'name'>;

const nameAndTerms = ({ name, terms }: Group) => ({ name, terms: termsIn(terms) });

function groupAndTerms(program: Program, agreements: Agreements, partnerId: number) {
  const { group, personal } = termsOfPartner(program, agreements, { id: partnerId });
  return { groupId: group?.id, terms: personal && termsIn(personal) };
}

/**
 * Decides a change of a program's agreements and writes it.
 * @param decide returns the change, or refuses it
 * @param actOf returns the audit row of the change
 * @param changedOf returns the group or partner whose terms change, if any
 * @param check called before the change is written; may refuse it
 */
const changeAgreements = <Change extends AgreementsChange>(
  deps: Deps,
  programId: number,
  decide: (program: Program, agreements: Agreements) => Change,
  actOf: (program: Program, before: Agreements, change: Change) => AuditedAct,
  changedOf: (program: Program, before: Agreements, change: Change) => ChangedTerms | undefined = () => undefined,
  check: (program: Program, before: Agreements) => Promise<void> = async () => {},
): Promise<Change> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [program, before] = await Promise.all([findProgram(table, programId), findAgreements(table, programId)]);
    if (!program) throw programNotFound();
    const change = decide(program, before);
    await check(program, before);
    const changed = changedOf(program, before, change);
    await table.transact(changeWrites(deps, program, before, { change, act: actOf(program, before, change), changed }));
    return change;
  });

interface DecidedChange {
  readonly change: AgreementsChange;
  readonly act: AuditedAct;
  readonly changed: ChangedTerms | undefined;
}

const changeWrites = (
  deps: Deps,
  program: Program,
  before: Agreements,
  { change, act, changed }: DecidedChange,
): Write[] => [
  ...changedAgreementsWrites(program, before, change),
  ...termsVersionWrites(deps, program.id, {
    id: Number(act.target.id),
    former: change.former,
    begun: change.version === undefined ? undefined : termsWithVersion(program, change.after, change.version),
  }),
  ...(changed ? termsChangeWrites(deps, program, before, changed) : []),
  ...auditWrites(deps, program.workspaceId, act),
];
