import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import enginePackage from '#infra/local/engine/package.json' with { type: 'json' };
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = resolve('bin/install.js');
let folder: string;

/** A stand-in for npm that records its arguments and fails on request. */
const fakeNpm = (status: number) => `#!/bin/sh\necho "$@" >> npm-calls\nexit ${status}\n`;

const onPlatform = (platform: string, architecture: string) =>
  `data:text/javascript,Object.defineProperties(process,{platform:{value:'${platform}'},arch:{value:'${architecture}'}})`;

async function install(
  npmStatus = 0,
  machine = onPlatform('linux', 'x64'),
): Promise<{ status: number | null; said: string; npmCalls: string }> {
  await writeFile(join(folder, 'npm'), fakeNpm(npmStatus), { mode: 0o700 });
  const words = ['--import', machine, script];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, env: { PATH: folder } });
  const npmCalls = await readFile(join(folder, 'npm-calls'), 'utf8').catch(() => '');
  return { status, said: stderr.toString(), npmCalls };
}

async function writeLock(path: string, seconds: number): Promise<void> {
  await writeFile(join(folder, path), '{}');
  await utimes(join(folder, path), seconds, seconds);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-'));
  await mkdir(join(folder, 'node_modules'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('the start of a local run installs nothing', () => {
  it.each([
    ['newer than', 200],
    ['as old as', 100],
  ])('if node_modules is %s the lock file', async (_, installedSeconds) => {
    await writeLock('package-lock.json', 100);
    await writeLock('node_modules/.package-lock.json', installedSeconds);
    expect(await install()).toEqual({ status: 0, said: '', npmCalls: '' });
  });
});

describe('the start of a local run runs `npm ci`', () => {
  it('if node_modules is missing', async () => {
    await writeLock('package-lock.json', 100);
    const { status, said, npmCalls } = await install();
    expect(status).toBe(0);
    expect(said).toBe('Installing the locked packages (npm ci), about half a minute …\n');
    expect(npmCalls).toMatch(/^ci /);
  });

  it('if the lock file is newer than node_modules', async () => {
    await writeLock('package-lock.json', 200);
    await writeLock('node_modules/.package-lock.json', 100);
    const { npmCalls } = await install();
    expect(npmCalls).toMatch(/^ci /);
  });

  it('and reports if it fails', async () => {
    await writeLock('package-lock.json', 100);
    const { status, said } = await install(7);
    expect(status).toBe(7);
    expect(said).toContain('npm ci failed. Mend what it names above, then start again.');
  });
});

describe('on a platform whose database engine is not in the lock file, the start of a local run', () => {
  const { optionalDependencies } = enginePackage;
  const version = optionalDependencies['@dynoxide/linux-x64'];
  const mac = onPlatform('darwin', 'arm64');

  beforeEach(async () => {
    await writeLock('package-lock.json', 100);
    await writeLock('node_modules/.package-lock.json', 200);
  });

  it('installs the engine’s package in the version of the lock file, without running install scripts', async () => {
    const { status, npmCalls } = await install(0, mac);
    expect(status).toBe(0);
    expect(npmCalls).toBe(
      `install --prefix .local/engine --no-save --no-package-lock --ignore-scripts --loglevel=silent @dynoxide/darwin-arm64@${version}\n`,
    );
  });

  it('continues if the registry has no such package, because the run itself reports a missing engine', async () => {
    expect(await install(1, mac)).toMatchObject({ status: 0, said: '' });
  });

  it('does not install the package again if it is there', async () => {
    await mkdir(join(folder, '.local/engine/node_modules/@dynoxide/darwin-arm64'), { recursive: true });
    expect(await install(0, mac)).toEqual({ status: 0, said: '', npmCalls: '' });
  });
});
