import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type BuildOptions, type Metafile } from 'esbuild';

const projectFolder = join(import.meta.dirname, '..', '..');

/** Folder of the built files in the package; package.json has this path, too. */
const builtFolder = join('dist', 'package');

/**
 * The source files of the libraries for brands, by file name in the package. package.json lists each of them in
 * `exports`, and tsconfig.package.json in `files`.
 */
const libraries = {
  client: 'lib/apps/client/referral-client.ts',
  testing: 'lib/apps/client/testing.ts',
  tracker: 'lib/apps/tracker/create-tracker.ts',
};

const bundling = {
  absWorkingDir: projectFolder,
  bundle: true,
  format: 'esm',
  // The oldest version of Node that is still maintained, because brands' servers may use it.
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Builds the package for brands into `folder`: the libraries with their types, and the command line as a single file,
 * so that the package has no dependencies.
 */
async function buildInto(folder: string): Promise<void> {
  const [{ metafile }] = await Promise.all([
    build({ ...bundling, platform: 'node', entryPoints: { affitor: 'bin/affitor.ts' }, outdir: folder }),
    // With the platform `neutral`, the build fails if a library imports a module of Node.
    build({ ...bundling, platform: 'neutral', entryPoints: libraries, outdir: folder }),
    build({ ...bundling, platform: 'neutral', format: 'cjs', entryPoints: libraries, outdir: join(folder, 'cjs') }),
    writeTypes(join(folder, 'types')),
  ]);
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(metafile));
  // The folder `cjs` is for `require`. Its own package.json is needed, because Node 20 and TypeScript take the module
  // format from the nearest package.json.
  await writeFile(join(folder, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  await cp(join(folder, 'types'), join(folder, 'cjs', 'types'), { recursive: true });
}

/** File name under which the service publishes the package. */
export const TARBALL = 'client.tgz';

/**
 * Builds the npm tarball outside the project's folder, so that several builds can run in parallel.
 * @returns a folder that contains only the tarball
 */
export async function builtTarball(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-package-'));
  const staged = join(folder, 'staged');
  const packed = join(folder, 'packed');
  await buildInto(join(staged, builtFolder));
  await cp(join(projectFolder, 'LICENSE'), join(staged, 'LICENSE'));
  await writeFile(join(staged, 'package.json'), await brandsManifest());
  // The readers of the package are brands, so it gets the README of the client library, and the guides and recipes that
  // the README links to.
  for (const name of ['README.md', 'guides', 'recipes']) {
    await cp(join(projectFolder, 'lib', 'apps', 'client', name), join(staged, name), { recursive: true });
  }
  await mkdir(packed);
  const pack = ['pack', '--ignore-scripts', '--json', '--silent', '--pack-destination', packed];
  await promisify(execFile)('npm', pack, { cwd: staged });
  const [name] = await readdir(packed);
  await rename(join(packed, name!), join(packed, TARBALL));
  await rm(staged, { recursive: true });
  return packed;
}

/** Returns the package's package.json: the project's own, without the parts that only its developers use. */
async function brandsManifest(): Promise<string> {
  const manifest: object = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
  const ours = { scripts: undefined, devDependencies: undefined, imports: undefined, allowScripts: undefined };
  return JSON.stringify({ ...manifest, ...ours }, undefined, 2);
}

async function writeTypes(folder: string): Promise<void> {
  const compiler = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin', 'tsc');
  const words = [compiler, '--project', 'tsconfig.package.json', '--outDir', folder];
  await promisify(execFile)(process.execPath, words, { cwd: projectFolder });
  const names = await readdir(folder, { recursive: true });
  await Promise.all(names.filter((name) => name.endsWith('.d.ts')).map((name) => withRelativeImports(folder, name)));
}

/** Replaces `#lib/…` imports by relative ones, because they work only inside this project. */
async function withRelativeImports(folder: string, name: string): Promise<void> {
  const text = await readFile(join(folder, name), 'utf8');
  const pathTo = (target: string) => `./${relative(dirname(name), target).replaceAll('\\', '/')}`;
  const relativeText = text.replaceAll(/'#lib\/(.+?)\.ts'/g, (_, target: string) => `'${pathTo(target)}.js'`);
  await writeFile(join(folder, name), relativeText);
}

/** Returns the licenses of the packages that are bundled into the command line; they must be distributed with it. */
async function licensesOf({ inputs }: Metafile): Promise<string> {
  const folders = Object.keys(inputs).map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  const names = [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
  // Some packages are installed in two places, so their licenses are found twice.
  return [...new Set(await Promise.all(names.map(licenseIn)))].join('\n');
}

async function licenseIn(folder: string): Promise<string> {
  const path = join(projectFolder, folder);
  const { name, version }: { name: string; version: string } = JSON.parse(
    await readFile(join(path, 'package.json'), 'utf8'),
  );
  const file = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is in the command line, and its license is nowhere`);
  return `${name} ${version}\n\n${(await readFile(join(path, file), 'utf8')).trim()}\n`;
}

if (import.meta.main) {
  const folder = await builtTarball();
  const target = join(projectFolder, 'dist', TARBALL);
  await mkdir(dirname(target), { recursive: true });
  await cp(join(folder, TARBALL), target);
  await rm(dirname(folder), { recursive: true });
}
