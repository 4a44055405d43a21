/** The browser's first language. Dates, numbers and amounts are written in it; all other text is English. */
export const LOCALE = localeOf(globalThis.navigator.languages);

/**
 * Chooses the language.
 * @returns undefined, which is the default of `Intl`, if the list's first entry is not a language tag, such as `C`
 */
function localeOf([first = '']: readonly string[]): string | undefined {
  try {
    return Intl.getCanonicalLocales(first)[0];
  } catch {
    return undefined;
  }
}
