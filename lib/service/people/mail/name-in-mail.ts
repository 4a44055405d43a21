/** Maximum length of a name in the subject or greeting of a mail. */
const LONGEST = 60;

/** Invisible characters that could separate the parts of an address. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}]/gu;
/** The dot, and characters that look like a dot or that browsers treat as a dot in a host name. */
const DOTS = '.\u2024\u3002\ufe52\uff0e\uff61';
const SCHEME = /(?:\p{L}[\p{L}\p{N}+.-]*)?[:\ufe13\ufe55\uff1a][/\\\u2044\u2215\uff0f]+/gu;
const WWW = new RegExp(`(?<![\\p{L}\\p{N}])www\\d*[${DOTS}]+`, 'giu');
const AT = /[@\ufe6b\uff20]/g;
/**
 * A dot before the last label of a host name. That label has at least two letters, whereas initials have one letter and
 * numbers have none.
 */
const HOST_DOT = new RegExp(`[${DOTS}]+(?=\\p{M}*\\p{L}\\p{M}*\\p{L})`, 'gu');
const NUMERIC_ADDRESS = new RegExp(`(?<!\\d)\\d{1,3}(?:[${DOTS}]\\d{1,3}){3}(?!\\d)`, 'gu');

/**
 * Changes a user-chosen name so that mail programs do not turn it into a link: web and e-mail addresses are split into
 * words. The result may be empty.
 */
export function nameInMail(name: string): string {
  const words = withoutAddresses(name);
  return words.length <= LONGEST ? words : `${cut(words, LONGEST - 1).trimEnd()}…`;
}

/** Splits addresses into words, like `nameInMail`, but neither shortens the text nor removes its line breaks. */
export const textInMail = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map(withoutAddresses)
    .join('\n');

const withoutAddresses = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\s/gu, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll(SCHEME, ' ')
    .replaceAll(WWW, ' ')
    .replaceAll(AT, ' ')
    .replaceAll(HOST_DOT, ' ')
    .replaceAll(NUMERIC_ADDRESS, (address) => address.replaceAll(/\D/gu, ' '))
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Shortens a text without leaving half of a surrogate pair at its end. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
