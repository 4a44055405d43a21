import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

/** The font of the pages. The file is committed, because building it takes seconds; `npm run font` builds it again. */
export const fontFile = 'lib/apps/web/style/geist.woff2';

const source = import.meta.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2');

/**
 * The characters in this font file: those on keyboards of Western Europe. Other characters are in a second file, which
 * the browser loads if a page contains some of them.
 */
const characters = `${between(0x20, 0x7e)}${between(0xa0, 0xff)}–—‘’‚“”„•…\u{202F}€−`;

const options = {
  targetFormat: 'woff2' as const,
  // The font weights that lib/apps/web/style/base.css uses, from regular to bold.
  variationAxes: { wght: { min: 400, max: 600 } },
  // Features of the font that are kept: accents, kerning, and digits of equal width.
  keepFeatures: ['ccmp', 'kern', 'locl', 'mark', 'tnum'],
  noHinting: true,
  // Entries of the font that are kept: its copyright and license.
  preserveNameIds: [0, 13, 14],
};

/**
 * Builds the font file with only the characters and features that the pages use. It is half as large as the package's
 * own file for Latin text.
 */
export const builtFont = async (): Promise<Buffer> =>
  subsetFont(await readFile(fileURLToPath(source)), characters, options);

function between(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));
}

if (import.meta.main) await writeFile(fontFile, await builtFont());
