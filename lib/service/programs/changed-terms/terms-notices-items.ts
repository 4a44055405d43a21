import type { Day } from '#lib/service/ground/values/day.ts';
import type { Agreements } from '#lib/service/programs/terms/agreements.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { type AgreedVersions, versionsOf } from '#lib/service/programs/changed-terms/agreed-versions.ts';
import { dueMailWrite } from '#lib/service/people/mail/due-mails-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The changes of a program's terms that its partners have not been notified of. Times are ISO 8601. */
export interface TermsNotice {
  /** The terms before the first of these changes; absent if partners have been notified of all changes. */
  readonly before?: AgreedVersions;
  /** When the last of these changes was made. */
  readonly changedAt: string;
  /** When the mails will be created; absent if partners have been notified of all changes. */
  readonly dueAt?: string;
  /** The latest UTC day on which mails about changed terms were created. */
  readonly notifiedOn?: Day;
}

export const findTermsNotice = (table: Table, programId: number): Promise<TermsNotice | undefined> =>
  table.get<TermsNotice>(keys.termsNotice(programId));

/** How long the mails wait after a change, because an owner often makes several changes or reverts one. */
const CALM_MS = 10 * 60_000;

/**
 * Writes that schedule the mail about changed terms. A later change postpones it.
 * @param program before the change @param agreements before the change
 */
export function termsNoticeWrites(program: Program, agreements: Agreements, now: Date): Write[] {
  // Partners of a sandbox get no mails.
  if (program.isSandbox) return [];
  const dueAt = new Date(now.getTime() + CALM_MS).toISOString();
  return [
    {
      name: 'termsNotice',
      key: keys.termsNotice(program.id),
      change: { setOnce: { before: versionsOf(program, agreements) }, set: { changedAt: now.toISOString(), dueAt } },
    },
    dueMailWrite({ kind: 'commission_terms_changed', dueAt, programId: program.id }),
  ];
}

/**
 * The write that records that the mails about changed terms were queued. Fails if an owner has changed terms again in
 * the meantime, which postpones the mails.
 */
export const notifiedWrite = (
  programId: number,
  before: TermsNotice,
  after: Omit<TermsNotice, 'changedAt'>,
): Write => ({
  name: 'termsNotice',
  key: keys.termsNotice(programId),
  change: { set: { ...after } },
  condition: { equals: { dueAt: before.dueAt } },
});

/** The changes that a mailing reports. They are stored separately from the mailing, because they may be long. */
export interface TermsReport {
  readonly before: AgreedVersions;
  readonly after: AgreedVersions;
  /**
   * When the last of the changes was made, ISO 8601. People who accepted the partnership later have already seen the
   * new terms.
   */
  readonly changedAt: string;
  /** The day of the mailing, in UTC. */
  readonly day: Day;
  /** The day of the previous mailing, which may be the same day. */
  readonly notifiedOn?: Day;
}

/** How long a report is stored: as long as its mailing. */
const KEPT_SECONDS = 30 * 86_400;

/** The write of a report. @param dueAt when the report was due, which identifies it */
export const termsReportWrite = (programId: number, dueAt: string, report: TermsReport): Write => ({
  name: 'termsReport',
  key: keys.termsReport(programId, dueAt),
  put: { ...report, expires_at: Date.parse(report.day) / 1_000 + KEPT_SECONDS },
});

export const findTermsReport = (table: Table, programId: number, dueAt: string): Promise<TermsReport | undefined> =>
  table.get<TermsReport>(keys.termsReport(programId, dueAt));
