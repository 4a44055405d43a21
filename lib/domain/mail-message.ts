import { escapeHtml } from '#lib/domain/html.ts';
import type { Mail, MailKind } from '#lib/domain/mail.ts';
import { contentOf, type MailContent } from '#lib/domain/mail-content.ts';
import { visibleName } from '#lib/domain/name.ts';

/** A mail as it is sent. */
export interface MailMessage {
  readonly id: string;
  readonly kind: MailKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Surroundings {
  /** The same for a mail that is sent again, so that a mailbox may show both as one. */
  readonly id: string;
  /** Where the pages are. */
  readonly site: string;
  /** Where the person may refuse further mails; absent: this one cannot be refused. */
  readonly refusalUrl?: string;
}

export function messageOf(mail: Mail, { id, site, refusalUrl }: Surroundings): MailMessage {
  const { subject: line, ...content } = contentOf(mail, site);
  const subject = oneLine(line);
  const greeting = mail.to.name ? `Hello ${oneLine(mail.to.name)},` : 'Hello,';
  return {
    id,
    kind: mail.kind,
    to: mail.to.email,
    subject,
    text: plainText({ ...content, subject, greeting, refusalUrl }),
    html: htmlOf({ ...content, subject, greeting, refusalUrl }),
    headers: {
      'X-Entity-Ref-ID': id,
      ...(refusalUrl !== undefined && {
        'List-Unsubscribe': `<${refusalUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

const LONGEST_LINE = 300;

/** A line break would end a header. */
const oneLine = (text: string): string => visibleName(text).slice(0, LONGEST_LINE).toWellFormed();

interface Letter extends MailContent {
  readonly greeting: string;
  readonly refusalUrl?: string;
}

const REFUSE = 'No more mails like this one';

const plainText = ({ greeting, paragraphs, action, reason, refusalUrl }: Letter): string =>
  [
    greeting,
    ...paragraphs,
    `${action.label}: ${action.url}`,
    ['-- ', reason, ...(refusalUrl === undefined ? [] : [`${REFUSE}: ${refusalUrl}`])].join('\n'),
  ].join('\n\n');

const htmlOf = ({ subject, greeting, paragraphs, action, reason, refusalUrl }: Letter): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0 auto;max-width:36em;padding:1.5em;font:16px/1.5 sans-serif">
${[greeting, ...paragraphs].map((text) => `<p style="white-space:pre-line">${escapeHtml(text)}</p>`).join('\n')}
<p>${linkTo(action)}</p>
<hr>
<p style="font-size:13px">${escapeHtml(reason)}${
  refusalUrl === undefined ? '' : `<br>${linkTo({ label: REFUSE, url: refusalUrl })}`
}</p>
</body>
</html>
`;

const linkTo = ({ label, url }: MailContent['action']): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
