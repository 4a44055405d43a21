import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { mayBeRefused, mayBlockSender } from '#lib/service/people/mail/mail.ts';
import { type MailMessage, messageOf } from '#lib/service/outbox/mail/mail-message.ts';
import { type MailSender, senderOf } from '#lib/service/outbox/mail/mail-sender.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type Delivery, sendMail } from '#lib/service/outbox/effects/mailer.ts';
import { claimMail, endMail, releaseMail, type StoredMail } from '#lib/service/people/mail/mails-items.ts';
import { mailBarrier, showMailState } from '#lib/service/programs/partners/mail-barrier.ts';

export type MailDeps = Pick<Deps, 'table' | 'now' | 'random' | 'config' | 'log' | 'once' | 'deadline' | 'ending'>;

/** How long a mail waits after a problem with the installation's SES account, which a person must solve. */
const POSTPONED_MS = 15 * 60_000;

/**
 * Sends an e-mail. A run marks it as being sent before sending, and as sent afterwards, so that two runs never send it
 * twice.
 */
export async function deliverMail(deps: MailDeps, mail: StoredMail): Promise<Delivery | 'ended'> {
  const { table, now } = deps;
  const sender = await senderOf(deps, mail);
  const barrier = await mailBarrier(deps, mail, sender?.workspaceId);
  if (barrier) {
    await endMail(table, mail, barrier, now);
    await showMailState(deps, mail.to);
    return 'ended';
  }
  const token = deps.random.refusalToken();
  // If the brand entered the address, this token also lets the recipient block the brand's workspace.
  const blockableId = mayBlockSender(mail) ? sender?.workspaceId : undefined;
  const message = composed(deps, mail, sender, token, blockableId !== undefined);
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
  return delivery;
}

/** Renders a stored e-mail. @returns undefined for an invalid e-mail, which a retry cannot repair */
function composed(
  { config, log }: MailDeps,
  mail: StoredMail,
  sender: MailSender | undefined,
  token: string,
  mayBlock: boolean,
): MailMessage | undefined {
  const { id, kind } = mail;
  const mails = `${config.baseUrl}/api/v1/mail`;
  try {
    return messageOf(mail, {
      id,
      site: config.dashboardUrl,
      productName: config.productName,
      from: config.mail.from!,
      brand: sender?.brand,
      offer: sender?.offer,
      ...(mayBeRefused(kind) && { refusalUrl: `${mails}/unsubscribe?token=${token}` }),
      ...(mayBlock && { blockUrl: `${mails}/block?token=${token}` }),
    });
  } catch (error) {
    log.error('mail_failed', error, { mail_id: id });
    return undefined;
  }
}

/** Sends an e-mail. If SES did not answer, the e-mail stays marked as being sent, and is sent again later. */
async function sent(deps: MailDeps, { id }: StoredMail, message: MailMessage): Promise<Delivery | 'ended'> {
  try {
    return await sendMail(deps, message);
  } catch (error) {
    deps.log.error('mail_unanswered', error, { mail_id: id });
    return 'ended';
  }
}
