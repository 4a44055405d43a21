// Names and texts in the files for banks.

import { plainLetters } from '#lib/service/ground/values/name.ts';

/** Leading characters with which a spreadsheet would start a formula. Banks would print an apostrophe, so they are removed. */
const LEADING = /^[=+\-@＝＋－＠\s]+/;
/** Characters that end a cell in some locales, even within quotes. */
const INNER = /(?<=[;\t\r\n])[=+\-@＝＋－＠\s]*[=+\-@＝＋－＠]/g;

export const withoutFormula = (text: string): string => text.replace(LEADING, '').replaceAll(INNER, '');

/** Whether a text that must not be changed, such as an e-mail address, starts like a formula. */
export const startsFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

/** A text in the characters that every bank of SEPA accepts. Others become dots. */
export const sepaText = (text: string, most: number): string =>
  withoutFormula(plainLetters(text))
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.')
    .slice(0, most)
    .trim();

/** SEPA's maximum lengths of a name and of a remittance text. */
const MOST_NAME = 70;
export const MOST_REMITTANCE = 140;

export const sepaName = (name: string): string => sepaText(name, MOST_NAME);

/** Whether a name contains a letter or a digit. */
export const isReadable = (name: string): boolean => /[\p{L}\p{N}]/u.test(name);
