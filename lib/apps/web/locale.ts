/** The browser's first language, in which dates, numbers and money are written; all other text is English. */
export const LOCALE = localeOf(globalThis.navigator.languages);

/** @returns undefined, the default of `Intl`, for a list whose first entry is no language tag, such as `C` */
function localeOf([first = '']: readonly string[]): string | undefined {
  try {
    return Intl.getCanonicalLocales(first)[0];
  } catch {
    return undefined;
  }
}
