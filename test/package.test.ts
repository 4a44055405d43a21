import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocal } from '#test/local/local-process.ts';

// What a brand gets: packed, installed without a network into an empty project, and run by the Node of the machine.

const run = promisify(execFile);
const types = resolve('node_modules/@types');
const typescript = resolve('node_modules/.bin/tsc');

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let project: string;
let packed: Packed;
let local: Awaited<ReturnType<typeof startLocal>>;

/** A process of the brand's own: it knows nothing of this project. */
const inProject = (command: string, words: readonly string[]) =>
  run(command, words, {
    cwd: project,
    env: {
      PATH: withoutOurs(process.env.PATH!),
      HOME: folder,
      SERVICE_API_KEY: local.run.demo!.program_api_key,
    },
  });

const affitor = () => join(project, 'node_modules/.bin/affitor');

const withoutOurs = (path: string) =>
  path
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  project = join(folder, 'brand');
  await mkdir(project);
  local = await startLocal(folder);
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder]);
  [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [Packed];
  await writeFile(join(project, 'package.json'), '{ "name": "brand", "private": true, "type": "module" }');
  // An empty cache of its own, so that nothing but the package can be installed.
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
  await inProject('npm', ['install', ...offline, join(folder, packed.filename)]);
});
afterAll(async () => {
  await local.end();
  await rm(folder, { recursive: true });
});

describe('the package', () => {
  it('holds what brands run, with its types and licenses, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/package/types/'));
    expect(paths.toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/package/THIRD-PARTY-LICENSES.txt',
      'dist/package/affitor.js',
      'dist/package/client.js',
      'dist/package/tracker.js',
      'package.json',
    ]);
    expect(packed.size).toBeLessThan(100_000);
  });

  it('needs no other package', async () => {
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/referral-tracking-service']);
    const own = lock.packages['node_modules/referral-tracking-service'];
    expect(own).not.toHaveProperty('dependencies');
    expect(own).not.toHaveProperty('optionalDependencies');
  });

  it('names every package whose code is in it', async () => {
    const installed = join(project, 'node_modules/referral-tracking-service/dist/package');
    const [code, licenses] = await Promise.all(
      ['affitor.js', 'THIRD-PARTY-LICENSES.txt'].map((file) => readFile(join(installed, file), 'utf8')),
    );
    // esbuild writes above each module where it is from.
    const used = new Set(
      code!
        .match(/^ *\/\/ .*node_modules\/(?:@[^/\n]+\/)?[^/\n]+/gm)
        ?.map((line) => line.replace(/^.*node_modules\//, '')),
    );
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter((name) => !licenses!.includes(`${name} `))).toEqual([]);
  });
});

describe('the client in the package', () => {
  it('does what the README shows, under whatever Node the machine has', async () => {
    const [, example] = /^```js\n(.*?)^```$/ms.exec(await readFile('README.md', 'utf8')) ?? [];
    await writeFile(join(project, 'sale.js'), example!.replace('http://127.0.0.1:8787', local.run.base_url));
    const { stdout } = await inProject('node', ['sale.js']);
    const commissionId = Number(stdout);
    expect(commissionId).toBeGreaterThan(0);
  });

  it('has types that stand alone and tell a recorded sale from a repeated one', async () => {
    const text = `
      import { type Lead, ReferralClient, ReferralError, type Sale } from 'referral-tracking-service';
      const client = new ReferralClient({ apiKey: 'aff_1_key', baseUrl: 'https://referrals.test', fetch, timeoutMs: 5_000 });
      const lead: Lead = { customerId: 'user_1', additionalData: { plan: 'pro' } };
      await client.trackLead(lead);
      const payment: Sale = { customerId: 'user_1', amount: 4900, invoiceId: 'in_1' };
      const sale = await client.trackSale(payment);
      const saleId: number | null = sale.duplicate ? sale.sale_id : (sale.commission_id ?? null);
      // @ts-expect-error A sale needs its invoice.
      client.trackSale({ customerId: 'user_1', amount: saleId ?? 1 });
      // @ts-expect-error A repeated sale tells no commission.
      if (sale.duplicate) sale.commission_id;
      try {
        const { state, blocker } = await client.readiness({ forceRecheck: true });
        if (state === 'ready' && blocker === 'live') throw new Error('Not yet');
      } catch (error) {
        if (error instanceof ReferralError) error.requestId?.toUpperCase();
      }
    `;
    await writeFile(join(project, 'sale.ts'), text);
    const strict = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--skipLibCheck', 'false', '--noEmit'];
    const inBrowsers = ['--lib', 'es2022,dom', '--types', ''];
    const inNode = ['--lib', 'es2022', '--typeRoots', types, '--types', 'node'];
    for (const globals of [inBrowsers, inNode]) {
      const checked = run(process.execPath, [typescript, ...strict, ...globals, 'sale.ts'], { cwd: project });
      await expect(checked).resolves.toMatchObject({ stdout: '' });
    }
  });
});

describe('the tracker in the package', () => {
  const strict = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--strict'];

  it('can be imported where pages are rendered: it knows no visitor there, and sends nothing', async () => {
    const text = `
      import { createTracker } from 'referral-tracking-service/tracker';
      console.log(JSON.stringify(createTracker({ programId: 7, apiBase: 'https://referrals.test' }).getData()));
    `;
    await writeFile(join(project, 'page.js'), text);
    const { stdout } = await inProject('node', ['page.js']);
    expect(JSON.parse(stdout)).toEqual({ clickId: null, programId: 7, hasAttribution: false, affiliateUrl: null });
  });

  it('has types', async () => {
    const text = `
      import { createTracker, type TrackerOptions } from 'referral-tracking-service/tracker';
      const options: TrackerOptions = { programId: 7, apiBase: 'https://referrals.test' };
      const clickId: string | null = createTracker(options).getClickId();
      // @ts-expect-error An option that there is not.
      createTracker({ programID: 7 });
      createTracker(options).signup(clickId ?? 'user_1', 'jo@customers.test');
    `;
    await writeFile(join(project, 'page.ts'), text);
    const words = [typescript, ...strict, '--skipLibCheck', 'false', '--noEmit', 'page.ts'];
    await expect(run(process.execPath, words, { cwd: project })).resolves.toMatchObject({ stdout: '' });
  });
});

describe('affitor in the package', () => {
  it('is a command', async () => {
    const { mode } = await stat(affitor());
    expect(mode & 0o111).toBe(0o111);
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(await inProject(affitor(), ['--version'])).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  it('asks the service', async () => {
    const { stdout } = await inProject(affitor(), ['status', '--json', '--api-url', local.run.base_url]);
    expect(JSON.parse(stdout)).toMatchObject({ program_id: 1, name: 'Acme Pro' });
  });
});
