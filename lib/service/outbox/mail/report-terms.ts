import { dayLater, dayOf, type Day } from '#lib/service/ground/values/day.ts';
import { versionFor, versionsOf } from '#lib/service/programs/changed-terms/agreed-versions.ts';
import { areSameTerms, type TermsInForce } from '#lib/service/programs/terms/terms.ts';
import { type Addressee, mailIdOf } from '#lib/service/people/mail/mail.ts';
import { beginningOf } from '#lib/service/programs/program/payout-days.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { dueMailWrite, type DueMail } from '#lib/service/people/mail/due-mails-items.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findMail, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import {
  findTermsNotice,
  type TermsReport,
  termsReportWrite,
  notifiedWrite,
} from '#lib/service/programs/changed-terms/terms-notices-items.ts';
import { termsOfVersion } from '#lib/service/programs/terms/terms-in-force.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

const kind = 'commission_terms_changed';

/**
 * Writes that notify partners of changed terms; empty if a later change has postponed the mails. A partner gets one
 * mail a day. So the first mailing of a day goes to all partners whose terms have changed. Later mailings of the day
 * skip partners who already got a mail; they get the next one at the beginning of the next day.
 */
export async function reportWrites(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { programId, dueAt }: Extract<DueMail, { readonly kind: typeof kind }>,
): Promise<Write[]> {
  // The notice is read before everything else. If an owner changes terms after this read, which postpones the mails,
  // these writes fail.
  const notice = await findTermsNotice(table, programId);
  if (notice?.dueAt !== dueAt || notice.before === undefined) return [];
  const [program, agreements] = await Promise.all([findProgram(table, programId), findAgreements(table, programId)]);
  if (!program) return [];
  const { before, changedAt, notifiedOn } = notice;
  const day = dayOf(now);
  const isFirst = notifiedOn !== day;
  const tomorrow = beginningOf(dayLater(day, 1));
  return [
    notifiedWrite(programId, notice, {
      before: isFirst ? undefined : before,
      dueAt: isFirst ? undefined : tomorrow,
      notifiedOn: day,
    }),
    ...(isFirst ? [] : [dueMailWrite({ kind, dueAt: tomorrow, programId })]),
    termsReportWrite(programId, dueAt, { before, after: versionsOf(program, agreements), changedAt, day, notifiedOn }),
    ...mailWrites({
      kind,
      fact: `${programId} ${dueAt}`,
      to: { activePartnersOf: programId },
      data: { programId, programName: program.name, dueAt },
      now,
    }),
  ];
}

/** The fact id of a partner's mail. It is the same for all mailings of a day, so that a partner gets only one mail. */
export const factOfDay = (programId: number, day: Day): string => `${programId} ${day}`;

/**
 * A partner's terms before and after the changes of a report; undefined if they pay the same, or if the partner already
 * had a mail today.
 * @param to the address to which the partner's mails are sent
 */
export async function reportedTerms(
  deps: Pick<Deps, 'table'>,
  program: Program,
  { before, after, day, notifiedOn }: TermsReport,
  { id }: Partner,
  to: Addressee,
): Promise<{ readonly before: TermsInForce; readonly after: TermsInForce } | undefined> {
  const earlier =
    notifiedOn === undefined
      ? undefined
      : await findMail(deps.table, mailIdOf({ kind, fact: factOfDay(program.id, notifiedOn) }, to.email));
  if (earlier && notifiedOn === day) return undefined;
  // The mail compares the new terms with those that the partner's last mail has shown, even if those were soon
  // replaced.
  const known = earlier?.kind === kind ? earlier.data.version : versionFor(before, id);
  const [was, is] = await Promise.all(
    [known, versionFor(after, id)].map((version) => termsOfVersion(deps, program, version)),
  );
  return was && is && !areSameTerms(was, is) ? { before: was, after: is } : undefined;
}
