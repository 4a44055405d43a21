/** Longest name in the subject or greeting of a mail. */
const LONGEST = 60;

/** What is not seen, and could stand between the parts of an address. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}]/gu;
/** The dot, and what looks like one or is taken for one in the address of a site. */
const DOTS = '.\u2024\u3002\ufe52\uff0e\uff61';
const SCHEME = /(?:\p{L}[\p{L}\p{N}+.-]*)?[:\ufe13\ufe55\uff1a][/\\\u2044\u2215\uff0f]+/gu;
const WWW = new RegExp(`(?<![\\p{L}\\p{N}])www\\d*[${DOTS}]+`, 'giu');
const AT = /[@\ufe6b\uff20]/g;
/** Before the last part of a host name, which has two letters or more; an initial has one, a number none. */
const HOST_DOT = new RegExp(`[${DOTS}]+(?=\\p{M}*\\p{L}\\p{M}*\\p{L})`, 'gu');
const NUMERIC_ADDRESS = new RegExp(`(?<!\\d)\\d{1,3}(?:[${DOTS}]\\d{1,3}){3}(?!\\d)`, 'gu');

/**
 * A name that somebody has chosen, for a subject or a greeting: mail programs make no link of anything in it. Addresses of
 * sites and of people fall apart into their words. It may be empty.
 */
export function nameInMail(name: string): string {
  const words = name
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
  return words.length <= LONGEST ? words : `${cut(words, LONGEST - 1).trimEnd()}…`;
}

/** Without the first half of a character whose second half is cut off. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
