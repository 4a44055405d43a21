import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { signInAtIssuer } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, newPage } = await openService();
let page: Page;

beforeEach(async () => {
  page = await newPage();
});

interface Login {
  readonly state: string;
  readonly auth_url: string;
  readonly poll_url: string;
  readonly code: string;
}

const post = (path: string, body: unknown = {}) =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Starts a login as the CLI does. */
async function startLogin(): Promise<Login> {
  const { data } = (await (await post('/api/v1/cli/auth/start')).json()) as { data: Login };
  return data;
}

async function poll({ poll_url: url }: Login): Promise<Record<string, unknown>> {
  const { data } = (await (await fetch(url)).json()) as { data: Record<string, unknown> };
  return data;
}

/** Opens the page named by the CLI, and signs in. */
async function openAndSignIn(
  { auth_url: url }: Pick<Login, 'auth_url'>,
  email = service.demo.owner_email,
): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Continue to sign in' }).click();
  await signInAtIssuer(page, email);
  await page.getByRole('heading', { name: 'Sign in this terminal?' }).waitFor();
}

const confirm = () => page.getByRole('button', { name: 'Sign in this terminal' }).click();

it('a user compares the code, signs in, and so confirms a CLI login', async () => {
  const login = await startLogin();
  await page.goto(login.auth_url);
  expect(await page.locator('.fingerprint').innerText()).toBe(login.code);
  await page
    .getByText(`Only continue if you started this yourself, just now, in a terminal that shows the code ${login.code}`)
    .waitFor();
  await page.getByRole('button', { name: 'Continue to sign in' }).click();
  await signInAtIssuer(page, service.demo.owner_email);
  await page.getByText(service.demo.owner_email).waitFor();
  await page.getByText('it can read what you can read, create programs and send test events, for 90 days').waitFor();
  expect(await page.locator('.fingerprint').innerText()).toBe(login.code);
  // The id_token is in memory only: a reload requires another sign-in.
  expect(await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie])).toEqual([0, 0, '']);
  await page.reload();
  await page.getByRole('button', { name: 'Continue to sign in' }).click();
  await signInAtIssuer(page, service.demo.owner_email);
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  expect(await poll(login)).toEqual({ status: 'pending' });
  await confirm();
  await page.getByRole('heading', { name: 'The terminal is signed in' }).waitFor();
  expect(await poll(login)).toEqual({
    status: 'complete',
    token: expect.stringMatching(/^lgn_\w{40}$/),
    email: service.demo.owner_email,
    advertiser_id: service.demo.workspace_id,
  });
});

it('a user signs in to the real CLI through the browser', async () => {
  const home = await mkdtemp(join(tmpdir(), 'affitor-'));
  const words = [resolve('bin/affitor.ts'), 'login', '--no-interactive', '--api-url', service.url];
  const terminal = spawn(process.execPath, words, { cwd: home, env: { PATH: process.env.PATH, HOME: home } });
  const ended = once(terminal, 'close');
  let said = '';
  terminal.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const address = () => /http\S+[/]cli[/]login\S+/.exec(said)?.[0] ?? '';
  await expect.poll(address).toContain('state=');
  await openAndSignIn({ auth_url: address() });
  await confirm();
  expect(await ended).toEqual([0, null]);
  expect(JSON.parse(await readFile(join(home, '.service', 'credentials.json'), 'utf8'))).toMatchObject({
    email: service.demo.owner_email,
    advertiser_id: service.demo.workspace_id,
  });
  await rm(home, { recursive: true });
});

it('a user can confirm a CLI login in a second attempt if the service could not be reached in the first', async () => {
  const login = await startLogin();
  await openAndSignIn(login);
  await page.route('**/api/v1/cli/auth/callback', (route) => route.abort(), { times: 1 });
  await confirm();
  await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
  await confirm();
  await page.getByRole('heading', { name: 'The terminal is signed in' }).waitFor();
});
