import { escapeHtml } from '#lib/service/ground/addresses/html.ts';
import type { MailContent } from '#lib/service/outbox/mail/mail-content.ts';
import type { Accent } from '#lib/service/programs/brand/brand.ts';

/** The parts of an e-mail from which its text and HTML are written. All of them may contain user input. */
export interface Letter extends MailContent {
  /** The name at the top. If there is a logo, the HTML shows the logo instead. */
  readonly sender: string;
  readonly logoUrl?: string;
  readonly accent?: Accent;
  readonly greeting: string;
  /** The e-mail address for questions. */
  readonly contact?: string;
  /** Links that are shown below the text. */
  readonly links: readonly MailContent['action'][];
}

/** The colors of the pages. They must equal those in `lib/apps/web/style/base.css`. */
const light = { page: '#f6f7f9', surface: '#ffffff', text: '#171b26', muted: '#566074', accent: '#3b54d6' };
const dark = { page: '#0f1218', surface: '#171b23', text: '#e8ebf2', muted: '#9ba5b8', accent: '#93a5ff' };
const onAccent = { light: '#ffffff', dark: '#10142a' };

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * An e-mail as HTML. It is one column of tables, which all mail programs show. Styles are at the elements, because some
 * programs remove style sheets; a style sheet only adds the dark theme. The logo is the only file that is loaded.
 */
export function htmlOf(letter: Letter): string {
  const { subject, greeting, paragraphs, action, accent = { light: light.accent, dark: dark.accent } } = letter;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subject)}</title>
<style>
:root{color-scheme:light dark}
@media (max-width:480px){.edge{padding:12px 8px!important}.column{padding:20px 18px!important}}
@media (prefers-color-scheme:dark){
.page{background:${dark.page}!important}
.column{background:${dark.surface}!important;color:${dark.text}!important}
.muted,.muted a{color:${dark.muted}!important}
.button{background:${escapeHtml(accent.dark)}!important}
.button a{color:${onAccent.dark}!important}
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="edge" align="center" style="padding:32px 16px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;table-layout:fixed"><tr>
<td class="column" align="left" style="padding:32px;background:${light.surface};color:${light.text};border-radius:10px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">
${cell('font-size:18px;line-height:24px;font-weight:600;padding:0 0 24px', head(letter))}
${[greeting, ...paragraphs].map((text) => cell('font-size:16px;line-height:24px;padding:0 0 16px', lines(text))).join('\n')}
<tr><td style="padding:8px 0 32px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="button" style="background:${escapeHtml(accent.light)};border-radius:7px"><a ${styled(
    `display:inline-block;padding:12px 22px;font-size:16px;line-height:20px;font-weight:600;color:${onAccent.light};text-decoration:none`,
  )} href="${escapeHtml(action.url)}">${textOf(action.label)}</a></td>
</tr></table></td></tr>
<tr><td class="muted" ${styled(`font-size:13px;line-height:20px;color:${light.muted}`)}>${foot(letter)}</td></tr>
</table>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

const styled = (css: string): string => `style="${FONT};overflow-wrap:anywhere;${css}"`;

const cell = (css: string, inside: string): string => `<tr><td ${styled(css)}>${inside}</td></tr>`;

const head = ({ sender, logoUrl }: Letter): string =>
  logoUrl === undefined
    ? textOf(sender)
    : `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(sender)}" height="40" style="display:block;height:40px;max-width:100%;object-fit:contain;object-position:left;border:0">`;

const foot = ({ contact, reason, links }: Letter): string =>
  [
    ...(contact === undefined ? [] : [`Questions? ${footLink({ label: contact, url: mailto(contact) })}`]),
    textOf(reason),
    ...links.map(footLink),
  ].join('<br>\n');

const footLink = ({ label, url }: MailContent['action']): string =>
  `<a style="color:${light.muted}" href="${escapeHtml(url)}">${textOf(label)}</a>`;

/**
 * Encodes an e-mail address for a `mailto:` link, so that no character in it acts as part of the link, such as the `?`
 * before a subject.
 */
const mailto = (address: string): string => `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;

const lines = (text: string): string => textOf(text).replaceAll('\n', '<br>\n');

/** Escapes a text between HTML tags, where an apostrophe needs no escape. */
const textOf = (text: string): string => escapeHtml(text).replaceAll('&#39;', "'");
