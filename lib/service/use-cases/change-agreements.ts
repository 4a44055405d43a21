import {
  type Agreements,
  type AgreementsChange,
  type Group,
  type PartnerTermsChange,
  withChangedGroup,
  withNewGroup,
  withPartnerTerms,
} from '#lib/domain/agreements.ts';
import type { Program } from '#lib/domain/program.ts';
import { programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { changedAgreementsWrites, findAgreements } from '#lib/service/store/agreements.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** @throws Refusal when there is a group of this name, or no place for one more */
export const createGroup = async (
  deps: Deps,
  programId: number,
  wanted: Pick<Group, 'name' | 'terms'>,
): Promise<Group> => {
  const createdAt = deps.now.toISOString();
  const { group } = await changeAgreements(deps, programId, (program, agreements) =>
    withNewGroup(program, agreements, { ...wanted, createdAt }),
  );
  return group;
};

/** Changes what is sent. @throws Refusal when another group has the name */
export const changeGroup = async (
  deps: Deps,
  programId: number,
  groupId: number,
  wanted: Partial<Pick<Group, 'name' | 'terms'>>,
): Promise<Group> => {
  const { group } = await changeAgreements(deps, programId, (program, agreements) =>
    withChangedGroup(program, agreements, groupId, wanted),
  );
  return group;
};

/** Changes the group or the personal terms of a partner. @throws Refusal */
export const changePartnerTerms = async (
  deps: Deps,
  programId: number,
  partnerId: number,
  wanted: PartnerTermsChange,
): Promise<Agreements> => {
  const { after } = await changeAgreements(deps, programId, (program, agreements) =>
    withPartnerTerms(program, agreements, partnerId, wanted),
  );
  return after;
};

/** Decides and writes a change of the agreements of a program. @param decide may refuse */
const changeAgreements = <Change extends AgreementsChange>(
  deps: Deps,
  programId: number,
  decide: (program: Program, agreements: Agreements) => Change,
): Promise<Change> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [program, before] = await Promise.all([findProgram(table, programId), findAgreements(table, programId)]);
    if (!program) throw programNotFound();
    const change = decide(program, before);
    await table.transact(changedAgreementsWrites(program, before, change));
    return change;
  });
