import { dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { isAnythingDue } from '#lib/service/earnings/recording/is-anything-due.ts';
import { planOf } from '#lib/service/earnings/recording/plan-payout.ts';
import type { DueMail } from '#lib/service/people/mail/due-mails-items.ts';
import { isMailingQueued, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { hasFrozenPayouts } from '#lib/service/people/workspaces/workspace.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { isPayoutDay } from '#lib/service/programs/program/payout-days.ts';
import { payoutDueWrites } from '#lib/service/programs/program/payout-due-writes.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

type Due = Extract<DueMail, { readonly kind: 'payout_due' }>;

/**
 * Writes on a payout day of a program: a mail to its owners if something is due, and the schedule of the next day.
 * Empty if the owner has removed this payout day; that change has scheduled the next one.
 */
export async function payoutDueMailWrites(deps: Deps, { programId, dueAt }: Due): Promise<Write[]> {
  const program = await findProgram(deps.table, programId);
  const [day, today] = [dayOf(new Date(dueAt)), dayOf(deps.now)];
  if (!program || !isPayoutDay(program, day)) return [];
  // The payout day is already over, for example after a restore. A mail about it would be misleading, so only the next
  // day is scheduled.
  if (day !== today) return payoutDueWrites(program, today);
  return [...(await mailOf(deps, program, day)), ...payoutDueWrites(program, dayLater(day, 1))];
}

async function mailOf(deps: Deps, program: Program, day: string): Promise<Write[]> {
  const { id: programId, name: programName, workspaceId } = program;
  const told = { kind: 'payout_due', fact: `${programId} ${day}` } as const;
  // The payout days were changed after the mail of this day was created.
  if (await isMailingQueued(deps.table, told)) return [];
  if (!(await isAnythingDue(deps, await planOf(deps, programId, {}, 'operator')))) return [];
  const workspace = await findWorkspace(deps.table, workspaceId);
  const areFrozen = workspace !== undefined && hasFrozenPayouts(workspace);
  const data = { programId, programName, day, ...(areFrozen && { areFrozen: true as const }) };
  return mailWrites({ ...told, to: { ownersOf: workspaceId }, data, now: deps.now });
}
