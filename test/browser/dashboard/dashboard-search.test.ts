import type { Route } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, page } = await openService();
let clickId: string;

/** Spaces, slashes and percent signs must be escaped in paths. */
const ODD_TRANSACTION = 'in 1/2?#%E0 & 😀 ‮עברית';

beforeAll(async () => {
  const { click_id } = await service.track('click', { affiliate_url: 'https://acme.test/?aff=ana' });
  clickId = click_id;
  await service.track('lead', { click_id, customer_key: 'user_1', email: 'jo@example.com' });
  for (const transactionId of ['in_1', ODD_TRANSACTION]) {
    await service.track('sale', { transaction_id: transactionId, customer_key: 'user_1', amount_cents: 4_900 });
  }
  await enterAs(page, service.demo.owner_email, '/');
  await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
});
beforeEach(async () => {
  await page.goto('/programs/1/partners');
  await page.getByRole('row', { name: /Ana/ }).waitFor();
});

const box = () => page.getByRole('combobox', { name: 'Search for a sale, customer, partner, link or code' });

async function search(text: string): Promise<void> {
  await box().fill(text);
  await page.keyboard.press('Enter');
}
const listbox = () => page.getByRole('listbox', { name: 'Results' });
const options = () => listbox().getByRole('option').allInnerTexts();
const chosen = () => listbox().getByRole('option', { selected: true }).allInnerTexts();
const addressNow = (): string => page.url().slice(service.url.length);
const nothingFound = () => page.getByRole('status').getByText('Nothing found', { exact: true });

describe('if a search finds exactly one result by its identifier, that result', () => {
  it.each([
    [
      'a transaction id in any format',
      ODD_TRANSACTION,
      `/programs/1/sale?transaction=${encodeURIComponent(ODD_TRANSACTION)}`,
      `Sale ${ODD_TRANSACTION}`,
    ],
    ['a customer’s id', 'user_1', '/programs/1/customers/the-click', 'user_1'],
    ['a partner’s e-mail address', 'BEN@partners.test', '/programs/1/partners/2', undefined],
  ] as const)(
    'opens at once for %s, and the back button returns to the previous page',
    async (_, text, path, heading) => {
      await search(text.replace('the-click', clickId));
      await expect.poll(addressNow).toBe(path.replace('the-click', clickId));
      if (heading) await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await expect.poll(() => box().inputValue()).toBe('');
      await page.goBack();
      await page.getByRole('row', { name: /Ana/ }).waitFor();
      expect(addressNow()).toBe('/programs/1/partners');
    },
  );
});

describe('if a search finds several results, these', () => {
  it('are grouped by kind, link to their pages and are shown again by the back button', async () => {
    await search('  ANA ');
    await page.getByText('2 results', { exact: true }).waitFor();
    const main = page.getByRole('main');
    expect(await main.getByRole('heading').allInnerTexts()).toEqual(['Search: ANA', 'Partners', 'Links']);
    expect(await main.getByRole('listitem').allInnerTexts()).toEqual([
      'Ana\nana@partners.test',
      'ana\nhttps://acme.test/',
    ]);
    await main.getByRole('link', { name: 'Ana', exact: true }).click();
    await expect.poll(addressNow).toBe('/programs/1/partners/1');
    await page.goBack();
    await page.getByText('2 results', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('2 results', { exact: true }).waitFor();
    expect(await box().inputValue()).toBe('ANA');
  });
});

describe('a search text that matches nothing', () => {
  it('is shown with the message that nothing was found, even if it contains special characters', async () => {
    const odd = [
      '%E0%A4%A',
      '#fragment',
      '?q=in_1&q=in_1',
      'in_1/../in_1',
      '<script>alert(1)</script>',
      '😀שלום',
      'x'.repeat(255),
    ];
    for (const text of odd) {
      await search(text);
      await page.getByRole('heading', { name: `Search: ${text}`, exact: true }).waitFor();
      await nothingFound().waitFor();
      expect(await box().inputValue()).toBe(text);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    }
  });
});

it('the reply to an older search never replaces the results of a newer one', async () => {
  const held: Route[] = [];
  await page.route('**/search?q=in_1', (route) => void held.push(route));
  await search('in_1');
  await expect.poll(() => held.length).toBe(1);
  await search('in_of_nobody');
  await nothingFound().waitFor();
  const answer = page.waitForResponse('**/search?q=in_1');
  await held[0]!.continue();
  await (await answer).finished();
  // Waits until the page has rendered the result.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.unroute('**/search?q=in_1');
  await nothingFound().waitFor();
  expect(addressNow()).toBe('/programs/1/search?q=in_of_nobody');
});

describe('results that the search shows while the user types', () => {
  it('are requested from two characters on, once per pause in typing, and are hidden by Escape', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/search?q=')) asked.push(new URL(request.url()).searchParams.get('q')!);
    });
    await box().pressSequentially('anaxx');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await expect.poll(options).toEqual(['ana\nhttps://acme.test/', 'Ana\nana@partners.test']);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await expect.poll(options).toEqual([]);
    expect(asked.filter((text) => text.length < 2)).toEqual([]);
    expect(asked.at(-1)).toBe('ana');
    await box().fill('an');
    await expect.poll(options).toEqual(['Ana\nana@partners.test', 'ana\nhttps://acme.test/']);
    await page.keyboard.press('Escape');
    await expect.poll(options).toEqual([]);
    expect(await box().inputValue()).toBe('an');
    await page.keyboard.press('Enter');
    await page.getByText('2 results', { exact: true }).waitFor();
  });

  it('are chosen with the arrow keys, and opened by Enter or a click', async () => {
    await box().fill('an');
    await expect.poll(async () => (await options()).length).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toEqual(['ana\nhttps://acme.test/']);
    await page.keyboard.press('ArrowUp');
    await expect.poll(chosen).toEqual(['Ana\nana@partners.test']);
    await page.keyboard.press('Enter');
    await expect.poll(addressNow).toBe('/programs/1/partners/1');
    expect(await box().inputValue()).toBe('');
    await box().fill('user_1');
    await listbox()
      .getByRole('option', { name: /user_1/ })
      .click();
    await expect.poll(addressNow).toBe(`/programs/1/customers/${clickId}`);
  });

  it.each([1280, 390])('are shown below the search box on a screen of %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
    await page.keyboard.press('/');
    await box().fill('an');
    await expect.poll(async () => (await options()).length).toBe(2);
    const [typed, list] = await Promise.all([box().boundingBox(), listbox().boundingBox()]);
    expect(list!.y).toBeGreaterThan(typed!.y + typed!.height);
    expect(list!.x + list!.width).toBeLessThanOrEqual(width);
  });

  it('are never those of an earlier text, and are replaced by a message if nothing was found', async () => {
    const held: Route[] = [];
    await page.route('**/search?q=an', (route) => void held.push(route));
    await box().fill('an');
    await expect.poll(() => held.length).toBe(1);
    await box().fill('an-unknown');
    await nothingFound().waitFor();
    const answer = page.waitForResponse('**/search?q=an');
    await held[0]!.continue();
    await (await answer).finished();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.unroute('**/search?q=an');
    expect(await options()).toEqual([]);
    await nothingFound().waitFor();
  });
});

describe('the search box of the dashboard', () => {
  it('gets the focus when the user presses slash, except while the user is typing', async () => {
    await page.keyboard.press('/');
    await expect.poll(() => box().evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('in_1/');
    expect(await box().inputValue()).toBe('in_1/');
  });

  it('keeps the typed text when the URL of the page changes', async () => {
    await page.goto('/programs/1/customers');
    await page.getByRole('row', { name: /user_1/ }).waitFor();
    await box().fill('half of a wo');
    await page.getByLabel('Status').selectOption('Paying');
    await expect.poll(addressNow).toBe('/programs/1/customers?status=conversion');
    expect(await box().inputValue()).toBe('half of a wo');
  });

  it('is inside the menu on a narrow screen; slash opens the menu and a search closes it', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
    expect(await box().isVisible()).toBe(false);
    await page.keyboard.press('/');
    await expect.poll(() => box().evaluate((element) => element === document.activeElement)).toBe(true);
    await search('ana');
    await page.getByText('2 results', { exact: true }).waitFor();
    expect(await box().isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await search('in_of_nobody');
    await nothingFound().waitFor();
    expect(await box().isVisible()).toBe(false);
  });
});
