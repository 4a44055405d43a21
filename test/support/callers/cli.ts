import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { opened } from '#test/support/cases/opened.ts';
import { runCli } from '#lib/apps/cli/commands/run-cli.ts';
import { PromptCancelled, type Prompter } from '#lib/apps/cli/machine/cli-environment.ts';

const now = Date.parse('2026-11-20T15:00:00.000Z');

/** A stored login. It is valid until February, which is later than any time in the tests. */
export const credentials = {
  token: 'lgn_secret',
  email: 'owner@acme.test',
  advertiser_id: 7,
  api_url: '',
  expires_at: '2027-02-18T15:00:00.000Z',
  created_at: '2026-11-20T15:00:00.000Z',
};

/**
 * Runs the command line in this process, for a user without a login, in an empty project. The clock advances only while
 * a command sleeps, and sleeping takes no real time.
 */
export async function openCli({ apiUrl }: { readonly apiUrl?: string } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'cli-'));
  const home = join(root, 'home');
  const folder = join(root, 'my-saas');
  await Promise.all([mkdir(home), mkdir(folder)]);
  const interruption = new AbortController();
  const pages: string[] = [];
  const sleptMs: number[] = [];
  let passedMs = 0;

  interface Setting {
    readonly environment?: Readonly<Record<string, string>>;
    readonly person?: Prompter;
    readonly openBrowser?: (url: string) => Promise<void>;
  }

  /** Runs a command. @returns the printed lines and the exit code */
  async function run(words: readonly string[], setting: Setting = {}) {
    const out: string[] = [];
    const error: string[] = [];
    const code = await runCli(words, {
      environment: { ...(apiUrl !== undefined && { SERVICE_API_URL: apiUrl }), ...setting.environment },
      folder,
      home,
      version: '1.2.3',
      platform: 'linux',
      out: (line) => out.push(line),
      error: (line) => error.push(line),
      openBrowser: setting.openBrowser ?? (async (url) => void pages.push(url)),
      now: () => now + passedMs,
      async sleep(ms) {
        sleptMs.push(ms);
        passedMs += ms;
      },
      person: setting.person,
      interrupted: interruption.signal,
    });
    return { code, out, error };
  }

  return {
    home,
    folder,
    opened: pages,
    sleptMs,
    run,
    interrupt: () => interruption.abort(),
    async json(words: readonly string[], setting?: Setting) {
      const { code, out, error } = await run([...words, '--json'], setting);
      return { code, out: out.map((line) => JSON.parse(line)), error };
    },
    async write(path: string, content: string | object) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
    logIn: (api_url: string) => writeLogin(home, api_url),
    read: (path: string) => readFile(join(root, path), 'utf8'),
    modeOf: async (path: string) => ((await stat(join(root, path))).mode & 0o777).toString(8),
    /** Returns all files below the project's folder and the home folder. */
    async files() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .toSorted();
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}

export type Cli = Awaited<ReturnType<typeof openCli>>;

/** Opens a new command line before each test of a file. */
export function openedCli(server?: { readonly url: string }): Cli {
  const cli = opened(() => openCli(server && { apiUrl: server.url }), beforeEach);
  afterEach(() => cli.close());
  return cli;
}

async function writeLogin(home: string, api_url: string): Promise<void> {
  await mkdir(join(home, '.service'), { recursive: true });
  await writeFile(join(home, '.service', 'credentials.json'), JSON.stringify({ ...credentials, api_url }));
}

/** Returns a prompter that gives these answers in order. When there are no more answers, it cancels. */
export function personWho(...answers: (string | boolean)[]) {
  const asked: string[] = [];
  const answer = async (question: string): Promise<never> => {
    asked.push(question);
    if (answers.length === 0) throw new PromptCancelled();
    return answers.shift() as never;
  };
  const person: Prompter = {
    text: ({ message }) => answer(message),
    choose: ({ message }) => answer(message),
    confirm: answer,
    spin: () => () => {},
  };
  return { person, asked };
}
