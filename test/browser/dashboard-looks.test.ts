import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moneyText } from '#lib/apps/web/format.ts';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { enterAs, newPerson, type Person } from '#test/browser/support/dashboard.ts';
import { pagesOf } from '#test/browser/support/dashboard-pages.ts';
import { fillWithExtremes } from '#test/browser/support/extremes.ts';
import {
  findingsOn,
  findingsOnAll,
  isLoaded,
  keepPicture,
  lookingOptions,
  PICTURES,
  type Seen,
} from '#test/browser/support/looks.ts';
import { type Service, startService } from '#test/browser/support/service.ts';

// Every page, light and dark, wide and narrow, with typical and extreme data. Screenshots are stored in
// .local/screenshots for review.

/** The picture in README.md. `PICTURE=1` creates it again. */
const README_PICTURE = join('lib', 'apps', 'dashboard', 'overview.png');
const MOST_PICTURE_BYTES = 120 * 1024;

const strangersPages: readonly Seen[] = [
  { name: 'sign-in', path: '/' },
  { name: 'cli-login', path: '/cli/login?state=of-a-terminal' },
  { name: 'sign-in-failed', path: '/signed-in?code=of&state=nobody' },
  { name: 'errors', path: '/docs/errors' },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

describe('the dashboard with the full demo', () => {
  let service: Service;
  let person: Person;

  beforeAll(async () => {
    service = await startService({ DEMO: '1' });
    person = await newPerson(browser, service.url, lookingOptions);
    await enterAs(person.page, service.demo.owner_email, '/');
    await person.page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
  });
  afterAll(async () => {
    await person.leave();
    await service.stop();
  });

  it('has an overview, and README.md shows a picture of it', async () => {
    const { page } = person;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1200, height: 780 });
    await page.goto('/');
    await expect.poll(() => isLoaded(page)).toBe(true);
    const made = await page.screenshot({ path: join(PICTURES, 'overview.png') });
    if (process.env.PICTURE) await writeFile(README_PICTURE, made);
    expect(await readFile('README.md', 'utf8')).toContain(`](${README_PICTURE})`);
    expect((await stat(README_PICTURE)).size).toBeLessThan(MOST_PICTURE_BYTES);
  });

  it('shows the answers to an owner’s usual questions within two clicks from the overview', async () => {
    const { page } = person;
    const { dashboard, demo: run } = service;
    const program = `/programs/${run.program_id}`;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
    const begin = async () => {
      await page.goto(program);
      await expect.poll(() => isLoaded(page)).toBe(true);
    };
    const shown = async (question: string) => {
      await expect.poll(() => isLoaded(page)).toBe(true);
      await keepPicture(page, `question-${question}`);
    };
    const search = async (text: string) => {
      await page.getByRole('combobox', { name: /^Search for/ }).fill(text);
      await page.keyboard.press('Enter');
    };
    const { data: owed } = await dashboard('GET', `${program}/owed`);
    const { data: commissions } = await dashboard('GET', `${program}/commissions?status=pending`);
    const { data: customers } = await dashboard('GET', `${program}/customers?status=conversion`);

    await begin();
    const due = moneyText(owed.USD.due_now_cents, 'USD');
    await page.locator('section').filter({ hasText: 'Owed to partners' }).getByText(due, { exact: true }).waitFor();
    await shown('what-do-i-owe');

    await page.getByLabel('Period', { exact: true }).selectOption('This month');
    await page.getByRole('heading', { name: 'Best partners this month' }).waitFor();
    await shown('who-are-my-best-partners');

    await begin();
    const [{ partner_name: name, transaction_id: transaction }] = commissions;
    await page.getByRole('table', { name: 'Best partners' }).getByRole('link', { name }).click();
    await page.getByRole('link', { name: transaction }).click();
    await page.getByRole('heading', { name: `Why ${name}` }).waitFor();
    await shown('why-did-this-partner-get-this-sale');

    await begin();
    await search(customers[0].customer_key);
    await page.getByRole('heading', { name: `Attributed to ${customers[0].partner_name}` }).waitFor();
    await shown('was-this-customer-attributed');

    await begin();
    await search(transaction);
    await page.getByRole('heading', { name: `Sale ${transaction}` }).waitFor();
    await shown('where-is-this-transaction');

    await begin();
    await page.getByRole('link', { name: 'Pay out' }).click();
    await page.getByRole('button', { name: /^Record payout of .* to \d+ partners?…$/ }).waitFor();
    await shown('pay-my-partners');
    await page.getByRole('button', { name: /^Record payout of/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Record payout', exact: true }).click();
    await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
    await shown('paid');
  });

  // One test, because the pages are known only when the service runs.
  it('passes the accessibility checks on every page at every width', { timeout: 600_000 }, async () => {
    await fillWithExtremes(service);
    expect(await findingsOnAll(person, 'living', await pagesOf(service))).toEqual([]);
  });
});

describe('the dashboard, signed out,', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('passes the accessibility checks on every page at every width', async () => {
    const stranger = await newPerson(browser, service.url, lookingOptions);
    expect(await findingsOnAll(stranger, 'stranger', strangersPages)).toEqual([]);
    await stranger.leave();
  });

  it('passes the accessibility checks on the first page of an invited person as well', async () => {
    await service.dashboard('POST', '/workspace/members', { email: 'invited@acme.test', role: 'member' });
    const somebody = await newPerson(browser, service.url, lookingOptions);
    await enterAs(somebody.page, 'invited@acme.test', '/');
    await somebody.page.locator('section[aria-label="Invitations"]').waitFor();
    expect(await findingsOn(somebody, { name: 'invited', path: '/' })).toEqual([]);
    await somebody.leave();
  });
});
