import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { dueMailWrite } from '#lib/service/people/mail/due-mails-items.ts';
import { findMailing, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Writes that notify the partners of a program of its changed terms: at most one mail a day (UTC). Later changes on the
 * same day are reported together, in one mail when the next day begins.
 */
export async function termsMailWrites(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id: programId, name: programName, partnerTermsVersion: version, isSandbox }: Program,
): Promise<Write[]> {
  // Partners of a sandbox get no mails.
  if (version === undefined || isSandbox) return [];
  const day = dayOf(now);
  const told = { kind: 'terms_changed', fact: `${programId} ${day}` } as const;
  if (await findMailing(table, mailIdOf(told))) {
    const dueAt = new Date(Date.parse(day) + DAY_MS).toISOString();
    return [dueMailWrite({ kind: 'terms_changed', dueAt, programId })];
  }
  // Closes the race between two changes of the partner terms: the second one reloads and finds the mail of the first.
  return mailWrites({ ...told, to: { activePartnersOf: programId }, data: { programId, programName, version }, now });
}
