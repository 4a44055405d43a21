import type { MailFeedback } from '#lib/service/http/triggers/mail-feedback.ts';

// Matches the addresses of the Amazon SES mailbox simulator. As on AWS, a mail to one of them is accepted and then
// causes a bounce or complaint. A label may follow the name: bounce+ana@simulator.amazonses.com.

const ADDRESS = /^(?<name>bounce|suppressionlist|ooto|complaint)(?:\+.*)?@simulator\.amazonses\.com$/;

const outcomes: Readonly<Record<string, Pick<MailFeedback['detail'], 'eventType' | 'bounce' | 'complaint'>>> = {
  bounce: { eventType: 'Bounce', bounce: { bounceType: 'Permanent' } },
  suppressionlist: { eventType: 'Bounce', bounce: { bounceType: 'Permanent' } },
  ooto: { eventType: 'Bounce', bounce: { bounceType: 'Transient' } },
  complaint: { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse' } },
};

/** The bounce or complaint that a mail to this address causes; undefined if the mail is delivered. */
export function feedbackOf(
  to: string,
  tags: readonly { readonly Name: string; readonly Value: string }[],
  now: Date,
): MailFeedback | undefined {
  const name = ADDRESS.exec(to.toLowerCase())?.groups?.name;
  if (name === undefined) return undefined;
  const mail = { tags: Object.fromEntries(tags.map(({ Name, Value }) => [Name, [Value]])) };
  return { time: now.toISOString(), detail: { ...outcomes[name]!, mail } };
}
