import { plainLetters } from '#lib/service/ground/values/name.ts';

/**
 * Only the first words of a name can be found. The two limits keep the number of writes per change, and the length of a
 * key, small.
 */
const MOST_WORDS = 8;
const LONGEST_CHARACTERS = 64;

/** A text in upper case and without accents. Upper case is used because some letters have two lower-case forms. */
export const folded = (text: string): string => plainLetters(text).toLowerCase().toUpperCase();

/** The different words of a text, in order. All characters except letters and digits separate words. */
export const wordsOf = (text: string): string[] => distinct(folded(text).split(NO_LETTER_OR_DIGIT));

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/u;

const distinct = (words: readonly string[]): string[] => [...new Set(words.map(cut))].filter((word) => word !== '');

const cut = (word: string): string =>
  word.length <= LONGEST_CHARACTERS ? word : Array.from(word).slice(0, LONGEST_CHARACTERS).join('');

/** The words by which a partner is found: those of the name, and those of the e-mail address. */
export const wordsOfPartner = ({ name, email = '' }: { readonly name: string; readonly email?: string }): string[] =>
  distinct([name, email].flatMap((text) => wordsOf(text).slice(0, MOST_WORDS)));

/** The words by which a link or a code is found: its parts, and all of it without separators. */
export const wordsOfIdentifier = (identifier: string): string[] =>
  distinct([...wordsOf(identifier).slice(0, MOST_WORDS), folded(identifier).split(NO_LETTER_OR_DIGIT).join('')]);

/** Whether each wanted word is the beginning of one of the words. */
export const beginAll = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
