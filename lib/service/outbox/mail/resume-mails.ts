import type { Key } from '#lib/service/ground/table/keys.ts';
import {
  createdAtOf,
  endMail,
  failMailing,
  findUnsent,
  noticeAttempt,
  type StoredMail,
  unsentList,
} from '#lib/service/people/mail/mails-items.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { deliverMail, type MailDeps } from '#lib/service/outbox/mail/deliver-mail.ts';
import { makeMails } from '#lib/service/outbox/mail/make-mails.ts';
import { isFinal } from '#lib/service/outbox/mail/send-mails.ts';

const MINUTE_MS = 60_000;
/** A mailing younger than this is left to the function that reads the table's stream, which normally starts it. */
const BEGIN_MS = MINUTE_MS;
/** An attempt that is not older than this may still be in progress. */
const OWN_TIME_MS = 10 * MINUTE_MS;
/** An e-mail older than this is outdated and is not sent any more. */
const LATEST_MS = 3 * 24 * 60 * MINUTE_MS;
const MOST_ATTEMPTS = 2;

/**
 * Continues interrupted work, oldest first: sends e-mails whose attempt did not finish, and e-mails postponed by a
 * problem with the SES account. Stops when SES throttles or the time is over.
 */
export async function resumeMails(deps: MailDeps): Promise<void> {
  const { table, now, config } = deps;
  if (config.mail.from === undefined) return;
  const since = (ms: number): string => new Date(now.getTime() - ms).toISOString();
  for await (const page of pagesOf(table, unsentList)) {
    for (const entry of page) {
      const createdAt = createdAtOf(entry);
      if (createdAt > since(BEGIN_MS) || deps.ending?.aborted) return;
      if (!(await resumed(deps, entry, createdAt < since(LATEST_MS)))) return;
    }
  }
}

/** Tries an unfinished e-mail or mailing again, or gives up if it is too late. @returns false if SES throttles */
async function resumed(deps: MailDeps, key: Key, isLate: boolean): Promise<boolean> {
  try {
    const found = await findUnsent(deps.table, key);
    if (found && 'mail' in found) {
      const isThrottled = (await resumeMail(deps, found.mail, isLate)) === 'throttled';
      if (isThrottled) deps.log.error('mails_delayed', new Error('Amazon SES takes no more mails for the moment'));
      return !isThrottled;
    }
    if (found && isLate) await failMailing(deps.table, found.mailing);
    else if (found) await resumeMailing(deps, found.mailing.id);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) deps.log.error(isFinal(error) ? 'mail_failed' : 'mails_delayed', error);
  }
  return true;
}

async function resumeMailing(deps: MailDeps, id: string): Promise<void> {
  while (!deps.ending?.aborted && (await makeMails(deps, id)));
}

async function resumeMail(deps: MailDeps, mail: StoredMail, isLate: boolean): Promise<unknown> {
  const { table, now, log } = deps;
  const { status, attempts = 0, noticedAt, notBefore = '', createdAt } = mail;
  if (status !== 'waiting' && status !== 'sending') return undefined;
  if (isLate) return giveUp(deps, mail, 'late');
  if (status === 'waiting') return notBefore > now.toISOString() ? undefined : deliverMail(deps, mail);
  if (now.getTime() - Date.parse(createdAt) < OWN_TIME_MS) return undefined;
  // A mail is tried again only some time after a run has noted that its attempt was unfinished. By then the attempt
  // must have ended, even if the clocks of the two runs differ.
  if (noticedAt === undefined) return noticeAttempt(table, mail, now);
  if (now.getTime() - Date.parse(noticedAt) < OWN_TIME_MS) return undefined;
  if (attempts < MOST_ATTEMPTS) return deliverMail(deps, mail);
  return giveUp(deps, mail, 'failed');

  function giveUp(of: MailDeps, one: StoredMail, as: 'late' | 'failed'): Promise<unknown> {
    log.error('mail_failed', new Error(`It is ${as}`), { mail_id: one.id });
    return endMail(of.table, one, as, now);
  }
}
