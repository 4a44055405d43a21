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

/** Latin letters that have no decomposition. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ẞ: 'SS',
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
};

/** A text without accents, and with two letters for ß, æ and œ. Other scripts stay as they are. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøłđẞÆŒØŁĐ]/gu, (letter) => letters[letter]!);

/** A name from an external source, without the characters that `nameOf` refuses. It may become empty. */
export const visibleName = (text: string): string => text.replaceAll(HIDDEN, '').trim();
