export const LONGEST_NAME = 120;

/**
 * C0, DEL, C1 and bidirectional control characters, which can make text in a terminal or table look like other text.
 */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a program, workspace, partner or key in stored form: trimmed; undefined if invalid. */
export function nameOf(sent: string): string | undefined {
  const name = sent.trim();
  const isName = name !== '' && name.length <= LONGEST_NAME && name.isWellFormed() && name.search(HIDDEN) < 0;
  return isName ? name : undefined;
}

/** Latin letters that Unicode does not decompose into a letter and an accent. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  þ: 'th',
  ẞ: 'SS',
  Æ: 'AE',
  Ð: 'D',
  Đ: 'D',
  Ł: 'L',
  Ø: 'O',
  Œ: 'OE',
  Þ: 'TH',
};

/** A text without accents, and with two letters for ß, æ, œ and þ. Other scripts stay as they are. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæðđłøœþẞÆÐĐŁØŒÞ]/gu, (letter) => letters[letter]!);

/** A name from an external source, without the characters that `nameOf` refuses. It may become empty. */
export const visibleName = (text: string): string => text.replaceAll(HIDDEN, '').trim();
