import { checkStep, type membershipStatuses, type Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import { partnerNotFound, programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartner, partnerStatusWrites } from '#lib/service/store/partners.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** The partner of a program. @param partnerId undefined when what was sent cannot be an id @throws Refusal */
export async function partnerOf({ table }: Deps, programId: number, partnerId: number | undefined): Promise<Partner> {
  const partner = partnerId === undefined ? undefined : await findPartner(table, programId, partnerId);
  if (!partner) throw partnerNotFound();
  return partner;
}

/** A partner and its program, as they are now. @throws Refusal */
export async function relationOf(
  deps: Deps,
  programId: number,
  partnerId: number,
): Promise<{ readonly program: Program; readonly partner: Partner }> {
  const [program, partner] = await Promise.all([
    findProgram(deps.table, programId),
    partnerOf(deps, programId, partnerId),
  ]);
  if (!program) throw programNotFound();
  return { program, partner };
}

export const stepTo = { active: 'restore', removed: 'remove' } as const;

/**
 * Removes a partner from a program, or restores it: its links answer 410 and its customers' sales are refused while it
 * is removed. Repeating an interrupted change completes it.
 * @throws Refusal for who never was a partner
 */
export const setPartnerStatus = (
  deps: Deps,
  programId: number,
  partnerId: number,
  status: (typeof membershipStatuses)[number],
): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner: before } = await relationOf(deps, programId, partnerId);
    checkStep(stepTo[status], before, deps.now);
    const after: Partner = { ...before, status, leftAt: status === 'removed' ? before.leftAt : undefined };
    await deps.table.transactLong(partnerStatusWrites(program, before, after), []);
    return after;
  });

/** The partner leaves by itself. */
export const leaveProgram = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner: before } = await relationOf(deps, programId, partnerId);
    checkStep('leave', before, deps.now);
    const after: Partner = { ...before, status: 'removed', leftAt: deps.now.toISOString() };
    await deps.table.transactLong(partnerStatusWrites(program, before, after), []);
    return after;
  });
