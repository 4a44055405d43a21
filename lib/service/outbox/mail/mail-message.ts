import { escapeHtml } from '#lib/service/ground/addresses/html.ts';
import type { Mail, MailKind } from '#lib/service/people/mail/mail.ts';
import { contentOf, type MailContent } from '#lib/service/outbox/mail/mail-content.ts';
import { visibleName } from '#lib/service/ground/values/name.ts';
import { nameInMail } from '#lib/service/people/mail/name-in-mail.ts';

/** An e-mail in the form in which it is sent. */
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
  /**
   * The id of the message. It stays the same when an e-mail is sent again, so that mail programs can show both copies
   * as one.
   */
  readonly id: string;
  /** Base URL of the pages. */
  readonly site: string;
  /** The unsubscribe link. Undefined if the recipient cannot unsubscribe from this e-mail. */
  readonly refusalUrl?: string;
  /**
   * The link that blocks the sender. Undefined if the recipient is the sender's partner, or if the service itself is
   * the sender.
   */
  readonly blockUrl?: string;
}

export function messageOf(mail: Mail, { id, site, refusalUrl, blockUrl }: Surroundings): MailMessage {
  const { subject: line, ...content } = contentOf(withSafeNames(mail), site);
  const subject = oneLine(line);
  const name = nameInMail(mail.to.name ?? '');
  const letter = {
    ...content,
    subject,
    greeting: name ? `Hello ${name},` : 'Hello,',
    links: [
      ...(refusalUrl === undefined ? [] : [{ label: REFUSE, url: refusalUrl }]),
      ...(blockUrl === undefined ? [] : [{ label: BLOCK, url: blockUrl }]),
    ],
  };
  return {
    id,
    kind: mail.kind,
    to: mail.to.email,
    subject,
    text: plainText(letter),
    html: htmlOf(letter),
    headers: {
      'X-Entity-Ref-ID': id,
      ...(refusalUrl !== undefined && {
        'List-Unsubscribe': `<${refusalUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** Cleans names, which are user input: e-mails must link only to our own pages. */
const withSafeNames = <One extends Mail>(mail: One): One => ({
  ...mail,
  data: Object.fromEntries(
    Object.entries(mail.data).map(([field, value]: [string, unknown]) => [
      field,
      field.endsWith('Name') && typeof value === 'string' ? nameInMail(value) || 'Somebody' : value,
    ]),
  ),
});

const LONGEST_LINE = 300;

/** Makes a text safe for a header, which a line break would end. */
const oneLine = (text: string): string => visibleName(text).slice(0, LONGEST_LINE).toWellFormed();

interface Letter extends MailContent {
  readonly greeting: string;
  /** Links that are shown below the text. */
  readonly links: readonly MailContent['action'][];
}

const REFUSE = 'No more mails like this one';
const BLOCK = "I don't know this sender";

const plainText = ({ greeting, paragraphs, action, reason, links }: Letter): string =>
  [
    greeting,
    ...paragraphs,
    `${action.label}: ${action.url}`,
    ['-- ', reason, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ].join('\n\n');

const htmlOf = ({ subject, greeting, paragraphs, action, reason, links }: Letter): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0 auto;max-width:36em;padding:1.5em;font:16px/1.5 sans-serif">
${[greeting, ...paragraphs].map((text) => `<p style="white-space:pre-line">${escapeHtml(text)}</p>`).join('\n')}
<p>${linkTo(action)}</p>
<hr>
<p style="font-size:13px">${[escapeHtml(reason), ...links.map(linkTo)].join('<br>')}</p>
</body>
</html>
`;

/** Returns an HTML link. The apostrophe stays unescaped, because it is safe between tags. */
const linkTo = ({ label, url }: MailContent['action']): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(label).replaceAll('&#39;', "'")}</a>`;
