import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moneyText } from '#lib/apps/web/format.ts';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { newPerson, type Person, signIn } from '#test/browser/support/dashboard.ts';
import { fillWithExtremes } from '#test/browser/support/extremes.ts';
import { findingsOn, isLoaded, lookingOptions, PICTURES, press, type Seen } from '#test/browser/support/looks.ts';
import { type Service, startService } from '#test/browser/support/service.ts';

// Every page, light and dark, wide and narrow, with a demo that looks like life and with one that is hard to show.
// Pictures are kept in .local/screenshots, to be looked at.

/** In README.md. `PICTURE=1` makes it anew. */
const README_PICTURE = join('lib', 'apps', 'dashboard', 'overview.png');
const MOST_PICTURE_BYTES = 120 * 1024;

/** Every page of the application for who is signed in, with the dialogs that most happens in. */
async function pagesOf({ dashboard, demo }: Service): Promise<readonly Seen[]> {
  const program = `/programs/${demo.program_id}`;
  const first = async (list: string) => (await dashboard('GET', `${program}/${list}`)).data[0];
  const [commission, customer, payout, partner] = await Promise.all(
    ['commissions', 'customers?status=conversion', 'payouts', 'partners?sort=revenue'].map(first),
  );
  const link = await first(`links?partner_id=${partner.id}`);
  const transaction = encodeURIComponent(commission.transaction_id);
  return [
    { name: 'overview', path: program },
    { name: 'setup', path: `${program}/setup` },
    {
      name: 'setup-opened',
      path: `${program}/setup`,
      act: (page) => page.getByText('Send sales', { exact: true }).click(),
    },
    {
      name: 'setup-own-clicks',
      path: `${program}/setup`,
      act: async (page) => {
        await page.getByText('Leave out your own clicks', { exact: true }).click();
        await press('Ignore my address')(page);
        await page.getByText('Clicks from 127.0.0.1').waitFor();
      },
    },
    { name: 'partners', path: `${program}/partners?period=this-month&sort=revenue` },
    { name: 'partners-add', path: `${program}/partners`, act: press('Add partner') },
    { name: 'partner', path: `${program}/partners/${partner.id}` },
    { name: 'links', path: `${program}/links` },
    { name: 'links-add', path: `${program}/links`, act: press('Add link') },
    { name: 'link', path: `${program}/links/${link.short_link}` },
    { name: 'codes', path: `${program}/codes` },
    { name: 'codes-add', path: `${program}/codes`, act: press('Add code') },
    { name: 'customers', path: `${program}/customers` },
    { name: 'customer', path: `${program}/customers/${customer.click_id}` },
    { name: 'commissions', path: `${program}/commissions` },
    { name: 'commissions-pending', path: `${program}/commissions?status=pending&period=this-month` },
    { name: 'commissions-held', path: `${program}/commissions?status=held` },
    { name: 'payouts', path: `${program}/payouts` },
    { name: 'pay-out', path: `${program}/payouts/new` },
    { name: 'payout', path: `${program}/payouts/${payout.id}` },
    { name: 'events', path: `${program}/events` },
    { name: 'payments', path: `${program}/payments` },
    { name: 'sale', path: `${program}/sale?transaction=${transaction}` },
    { name: 'no-such-sale', path: `${program}/sale?transaction=nothing` },
    { name: 'search', path: `${program}/search?q=nothing` },
    { name: 'webhooks', path: `${program}/webhooks` },
    { name: 'webhooks-add', path: `${program}/webhooks`, act: press('Add endpoint') },
    { name: 'settings', path: `${program}/settings` },
    { name: 'settings-rules', path: `${program}/settings`, act: press('Check the last 30 days') },
    { name: 'replace-key', path: `${program}/settings`, act: press('Replace key…') },
    { name: 'members', path: '/members' },
    { name: 'audit', path: '/audit' },
    { name: 'new-program', path: '/programs/new' },
    { name: 'no-such-page', path: '/programs/nothing' },
  ];
}

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

describe.each([
  { demo: 'living', variables: { DEMO: '1' }, fill: undefined },
  { demo: 'extreme', variables: { DEMO: 'small' }, fill: fillWithExtremes },
])('with the $demo demo', ({ demo, variables, fill }) => {
  let service: Service;
  let person: Person;
  let pages: readonly Seen[];

  beforeAll(async () => {
    service = await startService(variables);
    await fill?.(service);
    pages = await pagesOf(service);
    person = await newPerson(browser, service.url, lookingOptions);
    await person.page.goto('/');
    await signIn(person.page, service.demo.owner_email);
    await person.page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
  });
  afterAll(async () => {
    await person.leave();
    await service.stop();
  });

  it.runIf(demo === 'living')('the picture in README.md is of its overview', async () => {
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

  // One test: which pages there are is known only when the service runs.
  it('every page can be used by everybody at every width', { timeout: 600_000 }, async () => {
    const findings: string[] = [];
    for (const seen of pages) findings.push(...(await findingsOn(person, { ...seen, name: `${demo}-${seen.name}` })));
    expect(findings).toEqual([]);
  });

  it.runIf(demo === 'living')('answers an owner’s questions within two clicks of the overview', async () => {
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
      await page.screenshot({ path: join(PICTURES, `question-${question}.png`) });
    };
    const search = async (text: string) => {
      await page.getByRole('searchbox').fill(text);
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
    await page.getByRole('button', { name: /^Record payout of .* to \d+ partners?$/ }).waitFor();
    await shown('pay-my-partners');
    await page.getByRole('button', { name: /^Record payout of/ }).click();
    await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
    await shown('paid');
  });
});

describe('without a session', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it.each(strangersPages)('$name can be used by everybody at every width', async (seen) => {
    const stranger = await newPerson(browser, service.url, lookingOptions);
    expect(await findingsOn(stranger, seen)).toEqual([]);
    await stranger.leave();
  });

  it('the first page of an invited person too', async () => {
    await service.dashboard('POST', '/workspace/members', { email: 'invited@acme.test', role: 'member' });
    const somebody = await newPerson(browser, service.url, lookingOptions);
    await somebody.page.goto('/');
    await signIn(somebody.page, 'invited@acme.test');
    await somebody.page.locator('section[aria-label="Invitations"]').waitFor();
    expect(await findingsOn(somebody, { name: 'invited', path: '/' })).toEqual([]);
    await somebody.leave();
  });
});
