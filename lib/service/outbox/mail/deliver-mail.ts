import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { mayBeRefused, mayBlockSender } from '#lib/service/people/mail/mail.ts';
import { type MailMessage, messageOf } from '#lib/service/outbox/mail/mail-message.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type Delivery, sendMail } from '#lib/service/outbox/effects/mailer.ts';
import { claimMail, endMail, releaseMail, type StoredMail } from '#lib/service/people/mail/mails-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { mailBarrier, showMailState } from '#lib/service/programs/partners/mail-barrier.ts';

export type MailDeps = Pick<Deps, 'table' | 'now' | 'random' | 'config' | 'log' | 'once' | 'deadline'>;

/** What the sender lacks, a person has to give it. */
const POSTPONED_MS = 15 * 60_000;

/** The mail is claimed before it is sent, and marked afterwards: so two runs never send it both. */
export async function deliverMail(deps: MailDeps, mail: StoredMail): Promise<Delivery | 'ended'> {
  const { table, now, log } = deps;
  const senderId = await senderOf(deps, mail);
  const barrier = await mailBarrier(deps, mail, senderId);
  if (barrier) {
    await endMail(table, mail, barrier, now);
    await showMailState(deps, mail.to);
    return 'ended';
  }
  const token = deps.random.refusalToken();
  // Who does not know the sender says so by the same token.
  const blockableId = mayBlockSender(mail) ? senderId : undefined;
  const message = composed(deps, mail, token, blockableId !== undefined);
  if (!message) {
    await endMail(table, mail, 'failed', now);
    return 'ended';
  }
  const claimed = await claimMail(
    table,
    mail,
    now,
    mayBeRefused(mail.kind) || blockableId !== undefined ? { hash: sha256(token), senderId: blockableId } : undefined,
  );
  if (!claimed) return 'ended';
  const delivery = await sent(deps, claimed, message);
  if (delivery === 'sent' || delivery === 'rejected') await endMail(table, claimed, delivery, now);
  if (delivery === 'throttled') await releaseMail(table, claimed);
  if (delivery === 'postponed') await releaseMail(table, claimed, new Date(now.getTime() + POSTPONED_MS));
  if (delivery === 'rejected' || delivery === 'postponed') log.warn(`mail_${delivery}`, { mail_id: mail.id });
  return delivery;
}

/** The workspace whose program has a mail sent; what a partner may neither refuse nor block is the service's own. */
async function senderOf({ table }: MailDeps, mail: StoredMail): Promise<number | undefined> {
  const { kind, data } = mail;
  if (!(mayBeRefused(kind) || mayBlockSender(mail)) || !('programId' in data)) return undefined;
  return (await findProgram(table, data.programId))?.workspaceId;
}

/** @returns undefined for a mail that makes no sense, which is of no use to try again */
function composed(
  { config, log }: MailDeps,
  mail: StoredMail,
  token: string,
  mayBlock: boolean,
): MailMessage | undefined {
  const { id, kind } = mail;
  const mails = `${config.baseUrl}/api/v1/mail`;
  try {
    return messageOf(mail, {
      id,
      site: config.dashboardUrl,
      ...(mayBeRefused(kind) && { refusalUrl: `${mails}/unsubscribe?token=${token}` }),
      ...(mayBlock && { blockUrl: `${mails}/block?token=${token}` }),
    });
  } catch (error) {
    log.error('mail_failed', error, { mail_id: id });
    return undefined;
  }
}

/** A mail of which no answer tells what became of it stays claimed: it is sent once more when the claim is old. */
async function sent(deps: MailDeps, { id }: StoredMail, message: MailMessage): Promise<Delivery | 'ended'> {
  try {
    return await sendMail(deps, message);
  } catch (error) {
    deps.log.error('mail_unanswered', error, { mail_id: id });
    return 'ended';
  }
}
