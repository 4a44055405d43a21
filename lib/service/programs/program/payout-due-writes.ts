import { type Day } from '#lib/service/ground/values/day.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { dueMailWrite } from '#lib/service/people/mail/due-mails-items.ts';
import { beginningOf, nextPayoutDay } from '#lib/service/programs/program/payout-days.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/**
 * Schedules the mail for the next payout day of a program, from a day on; safe to repeat. A sandbox pays nothing. The
 * entry of a day that is removed later is dropped when its time comes.
 */
export function payoutDueWrites(program: Program, from: Day): Write[] {
  const day = program.isSandbox ? undefined : nextPayoutDay(program, from);
  return day === undefined
    ? []
    : [dueMailWrite({ kind: 'payout_due', dueAt: beginningOf(day), programId: program.id })];
}
