import { type Day } from '#lib/service/ground/values/day.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { dueMailWrite } from '#lib/service/people/mail/due-mails-items.ts';
import { beginningOf, nextPayoutDay } from '#lib/service/programs/program/payout-days.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/**
 * Writes that schedule the mail for the next payout day of a program, on or after a day. They may be repeated. A
 * sandbox pays nothing, so it gets none. If the owner removes the day later, the mail is not sent when its time comes.
 */
export function payoutDueWrites(program: Program, from: Day): Write[] {
  const day = program.isSandbox ? undefined : nextPayoutDay(program, from);
  return day === undefined
    ? []
    : [dueMailWrite({ kind: 'payout_due', dueAt: beginningOf(day), programId: program.id })];
}
