import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserBundling, type SiteFile } from '#infra/build/site-file.ts';

/**
 * The licenses of all packages in the pages. They must be published together with the packages' code, icons and font.
 */
export const licensesFile = (packages: Iterable<string>): SiteFile => ({
  path: '/licenses.txt',
  contentType: 'text/plain; charset=utf-8',
  cacheControl: 'public, max-age=86400',
  text: [...new Set(packages)]
    .toSorted()
    .map((name) => `${name}\n\n${licenseOf(name)}`)
    .join('\n\n'),
});

function licenseOf(name: string): string {
  const folder = join(browserBundling.absWorkingDir, 'node_modules', name);
  const [file] = globSync('LICENSE*', { cwd: folder }).toSorted();
  if (file === undefined) throw new Error(`The package ${name} has no license to pass on`);
  return readFileSync(join(folder, file), 'utf8').trim();
}
