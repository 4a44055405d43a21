import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { signIn } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// A new user with only the dashboard's instructions. Each test continues the previous one.

const run = promisify(execFile);

const { service, page } = await openService();
let key: string;

beforeAll(async () => {});

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const step = (title: string) => page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });

/** Presses a snippet's Copy button and runs the copied text in a shell, with the key in its environment. */
async function runSnippet(name: string) {
  await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click();
  const script = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env.PATH, SERVICE_API_KEY: key } });
  return JSON.parse(stdout);
}

it('a new user signs in and is asked for a workspace', async () => {
  await page.goto('/');
  await expect.poll(() => page.title()).toBe('Sign in – Referrals');
  await signIn(page, 'kim@newbrand.test');
  await heading('Create your workspace').waitFor();
});

it('a new user creates a workspace and is asked for a program', async () => {
  await page.getByLabel('Workspace name').fill('New Brand');
  await page.keyboard.press('Enter');
  await heading('Create your first program').waitFor();
  expect(new URL(page.url()).pathname).toBe('/programs/new');
});

it('a new user sees an error next to the form field that causes it', async () => {
  await page.getByLabel('Name', { exact: true }).fill('New Pro');
  await page.getByLabel('Site').fill('www.newbrand.test');
  await page.getByText('Leave out www. to allow your other subdomains too.').waitFor();
  await page.getByLabel('Site').fill('no host name');
  await page.getByText('Leave out www.').waitFor({ state: 'detached' });
  await page.getByLabel('Rate').fill('120');
  await page.getByRole('button', { name: 'Create program' }).click();
  await page.getByText('Site must be a host name such as example.com').waitFor();
  await expect.poll(() => page.getByLabel('Site').evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByLabel('Site').fill('newbrand.test');
  await page.getByRole('button', { name: 'Create program' }).click();
  await page.getByText('Rate must be at most 100 for percent types').waitFor();
});

it('a new user creates a program and reaches its set-up page', async () => {
  await page.getByLabel('Rate').fill('25');
  await page.getByRole('button', { name: 'Create program' }).click();
  await heading('1 of 6 steps done').waitFor();
  expect(new URL(page.url()).pathname).toBe('/programs/2/setup');
  await page
    .getByText('New Pro on newbrand.test pays 25% of each sale, renewals included.')
    .waitFor({ state: 'attached' });
});

it('a new user generates the program key, which the page shows only this once', async () => {
  await page.getByRole('button', { name: 'Generate key' }).click();
  await page.getByText('Copy the key now: it is shown only this once.').waitFor();
  key = await page.getByLabel('API key', { exact: true }).innerText();
  expect(key).toMatch(/^aff_2_[0-9A-Za-z]{32}$/);
  await heading('2 of 6 steps done').waitFor();
  expect(await page.getByLabel('environment variable', { exact: true }).innerText()).toBe(
    `export SERVICE_API_KEY=${key}`,
  );
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText(`aff_****${key.slice(-4)}`).waitFor();
  expect(await page.content()).not.toContain(key);
});

it('a new user can copy the tracker’s script tag with the URL of this installation and the program’s id', async () => {
  await page.getByRole('button', { name: 'Copy tracker script' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`<script async src="${service.url}/js/tracker.js" data-service-program-id="2"></script>`);
});

it('a new user sends the test events from the page, which shows each step as done without a reload', async () => {
  expect(await runSnippet('test click')).toMatchObject({ success: true, data: { programId: 2, test_mode: true } });
  await step('Send a click').getByText('Done').waitFor();
  expect(await runSnippet('test signup')).toMatchObject({ success: true, data: { programId: 2, test_mode: true } });
  await step('Send signups').getByText('Done').waitFor();
  expect(await runSnippet('test sale')).toMatchObject({ success: true, data: { programId: 2, test_mode: true } });
  await step('Send sales').getByText('Done').waitFor();
  await heading('5 of 6 steps done').waitFor();
});

it('a new user switches between the ways to send a sale with the arrow keys', async () => {
  await step('Send sales').locator('summary').click();
  const tabs = page.getByRole('tablist', { name: 'Ways to send a sale' });
  await tabs.getByRole('tab', { name: 'Test from the terminal' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => tabs.getByRole('tab', { selected: true }).innerText()).toBe('Stripe');
  await expect
    .poll(() => page.getByLabel('metadata for Stripe', { exact: true }).innerText())
    .toContain('service_customer_key: user.id');
  expect(await page.getByLabel('forwarded events of Stripe', { exact: true }).innerText()).toContain(
    'referrals.trackStripeEvent(event)',
  );
});

it('a new user runs the verification, which succeeds', async () => {
  await page.getByRole('button', { name: 'Run verification' }).click();
  await page.getByText('It works: the sale was attributed.').waitFor();
  await expect
    .poll(() => page.locator('.verdict li').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^click\s+Attributed$/i),
      expect.stringMatching(/^lead\s+Attributed$/i),
      expect.stringMatching(/^sale\s+Attributed$/i),
    ]);
  await heading('Your integration is verified').waitFor();
});

it('a new user goes on to the partners and adds one with a link', async () => {
  await page.getByRole('link', { name: 'Add partners' }).click();
  await page.getByText('No partners yet').waitFor();
  await page.getByRole('button', { name: 'Add partner' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add partner' });
  await dialog.getByLabel('Name').fill('Zoe');
  await dialog.getByLabel('E-mail').fill('zoe@partners.test');
  await dialog.getByLabel('How').selectOption('Add at once, without a mail');
  await dialog.getByRole('button', { name: 'Add partner' }).click();
  await dialog.getByText('This is the link of Zoe.').waitFor();
  const shown = await dialog.locator('code').innerText();
  expect(shown).toBe('https://newbrand.test/?aff=zoe');
  await dialog.getByRole('button', { name: 'Copy the link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /Zoe/ }).waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await page.getByText(shown, { exact: true }).waitFor();
});
