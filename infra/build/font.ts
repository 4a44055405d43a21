import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

/** The font of the pages. It is committed, because building it takes seconds: `npm run font` builds it again. */
export const fontFile = 'lib/apps/web/style/geist.woff2';

const source = import.meta.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2');

/**
 * The characters in this file: those on keyboards of Western Europe. Other characters are in a second file, which the
 * browser loads if a page contains some.
 */
const characters = `${between(0x20, 0x7e)}${between(0xa0, 0xff)}–—‘’‚“”„•…\u{202F}€−`;

const options = {
  targetFormat: 'woff2' as const,
  // The weights from regular to bold text in lib/apps/web/style/base.css.
  variationAxes: { wght: { min: 400, max: 600 } },
  // Accents, kerning, and digits of one width.
  keepFeatures: ['ccmp', 'kern', 'locl', 'mark', 'tnum'],
  noHinting: true,
  // Copyright and license.
  preserveNameIds: [0, 13, 14],
};

/** The part of the typeface that pages use, half as large as the package's own file for Latin text. */
export const builtFont = async (): Promise<Buffer> =>
  subsetFont(await readFile(fileURLToPath(source)), characters, options);

function between(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));
}

if (import.meta.main) await writeFile(fontFile, await builtFont());
