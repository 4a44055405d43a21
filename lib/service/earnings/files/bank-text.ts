// These functions convert names and texts for the files that banks read.

import { plainLetters } from '#lib/service/ground/values/name.ts';

/**
 * Leading characters with which a spreadsheet would start a formula. They are removed; an apostrophe before them would
 * appear on bank statements.
 */
const LEADING = /^[=+\-@＝＋－＠\s]+/;
/** Characters after which a spreadsheet may start a cell, even within quotes, followed by the start of a formula. */
const INNER = /(?<=[;\t\r\n])[=+\-@＝＋－＠\s]*[=+\-@＝＋－＠]/g;

export const withoutFormula = (text: string): string => text.replace(LEADING, '').replaceAll(INNER, '');

/**
 * Whether a spreadsheet would read a text as a formula. For texts that must not be changed, such as e-mail addresses.
 */
export const startsFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

/** Converts a text to the characters that every bank of SEPA accepts. Other characters become dots. */
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
