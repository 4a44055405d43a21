import type { Mail, MailKind } from '#lib/service/people/mail/mail.ts';
import { contentOf } from '#lib/service/outbox/mail/mail-content.ts';
import { htmlOf, type Letter } from '#lib/service/outbox/mail/mail-html.ts';
import { senderHeader } from '#lib/service/outbox/mail/sender-header.ts';
import { visibleName } from '#lib/service/ground/values/name.ts';
import { nameInMail, textInMail } from '#lib/service/people/mail/name-in-mail.ts';
import type { BrandShown } from '#lib/service/programs/brand/brand.ts';

/** An e-mail in the form in which it is sent. */
export interface MailMessage {
  readonly id: string;
  readonly kind: MailKind;
  /** The `From` header, which may contain a name. */
  readonly from: string;
  /** The address for replies; undefined if replies go to the sender's address. */
  readonly replyTo?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Envelope {
  /**
   * The id of the message. It stays the same when an e-mail is sent again, so that mail programs can show both copies
   * as one.
   */
  readonly id: string;
  /** Base URL of the pages, without a slash at its end. */
  readonly site: string;
  readonly productName: string;
  /** The e-mail address from which all e-mails are sent. */
  readonly from: string;
  /** The brand of the program that sends the e-mail. Undefined for e-mails of the service itself. */
  readonly brand?: BrandShown;
  /** What the program offers to an invited partner, in words. */
  readonly offer?: string;
  /** The unsubscribe link. Undefined if the recipient cannot unsubscribe from this e-mail. */
  readonly refusalUrl?: string;
  /**
   * The link that blocks the sender. Undefined if the recipient is the sender's partner, or if the service itself is
   * the sender.
   */
  readonly blockUrl?: string;
}

export function messageOf(mail: Mail, envelope: Envelope): MailMessage {
  const { id, site, productName, from, brand, refusalUrl, blockUrl } = envelope;
  const brandName = brand && (nameInMail(brand.name) || NAMELESS);
  const { subject: line, ...content } = contentOf(withSafeTexts(mail, brandName), envelope);
  const subject = oneLine(line);
  const name = nameInMail(mail.to.name ?? '');
  const letter: Letter = {
    ...content,
    subject,
    sender: brandName ?? productName,
    logoUrl: brand?.logoUrl && `${site}${brand.logoUrl}`,
    accent: brand?.accent,
    greeting: name ? `Hello ${name},` : 'Hello,',
    contact: brand?.contactEmail,
    links: [
      ...(refusalUrl === undefined ? [] : [{ label: REFUSE, url: refusalUrl }]),
      ...(blockUrl === undefined ? [] : [{ label: BLOCK, url: blockUrl }]),
    ],
  };
  return {
    id,
    kind: mail.kind,
    from: brandName === undefined ? from : senderHeader(brandName, productName, from),
    replyTo: brand?.contactEmail,
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

const NAMELESS = 'Somebody';

/**
 * Cleans names and texts, because users enter them, and e-mails must link only to pages of this installation.
 * @param brandName shown instead of the name of the program
 */
const withSafeTexts = <One extends Mail>(mail: One, brandName: string | undefined): One => ({
  ...mail,
  data: Object.fromEntries(
    Object.entries(mail.data).map(([field, value]: [string, unknown]) => [field, safeValue(field, value, brandName)]),
  ),
});

function safeValue(field: string, value: unknown, brandName: string | undefined): unknown {
  if (typeof value !== 'string') return value;
  if (field === 'programName' && brandName !== undefined) return brandName;
  if (field.endsWith('Name')) return nameInMail(value) || NAMELESS;
  return field === 'reason' ? textInMail(value) : value;
}

const LONGEST_LINE = 300;

/** Makes a text safe for a header, which would end at a line break. */
const oneLine = (text: string): string => visibleName(text).slice(0, LONGEST_LINE).toWellFormed();

const REFUSE = 'No more mails like this one';
const BLOCK = "I don't know this sender";

const plainText = ({ sender, greeting, paragraphs, action, contact, reason, links }: Letter): string =>
  [
    sender,
    greeting,
    ...paragraphs,
    `${action.label}: ${action.url}`,
    [
      '-- ',
      ...(contact === undefined ? [] : [`Questions? ${contact}`]),
      reason,
      ...links.map(({ label, url }) => `${label}: ${url}`),
    ].join('\n'),
  ].join('\n\n');
