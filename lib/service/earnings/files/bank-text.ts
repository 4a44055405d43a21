// Names and texts in the files for banks.

/** Leading characters with which a spreadsheet would start a formula. Banks would print an apostrophe, so they are removed. */
const LEADING = /^[=+\-@＝＋－＠\s]+/;
/** In some locales these end a cell even within quotes. */
const INNER = /(?<=[;\t\r\n])[=+\-@＝＋－＠\s]*[=+\-@＝＋－＠]/g;

export const withoutFormula = (text: string): string => text.replace(LEADING, '').replaceAll(INNER, '');

/** Whether a text starts like a formula and must not be changed, such as an address. */
export const startsFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

/** Letters that have no decomposition. */
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

/** A text in the characters that every bank of SEPA accepts. Others become dots. */
export const sepaText = (text: string, most: number): string =>
  withoutFormula(text.normalize('NFKD'))
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/gu, (character) => letters[character] ?? '.')
    .slice(0, most)
    .trim();

/** SEPA's bounds of a name and of a remittance text. */
const MOST_NAME = 70;
export const MOST_REMITTANCE = 140;

export const sepaName = (name: string): string => sepaText(name, MOST_NAME);

/** Whether anything of a name can be read. */
export const isReadable = (name: string): boolean => /[\p{L}\p{N}]/u.test(name);
