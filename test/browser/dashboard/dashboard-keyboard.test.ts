import { beforeAll, beforeEach, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, page } = await openService();

beforeAll(async () => {
  await service.dashboard('POST', '/programs', {
    name: 'Acme Lite',
    domain: 'lite.acme.test',
    commission_type: 'fixed',
    commission_rate: 5,
  });
});
beforeEach(async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await enterAs(page, service.demo.owner_email, '/programs/1/partners');
  await page.getByRole('row', { name: /Ana/ }).waitFor();
});

const focused = () =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.textContent?.trim();
  });

it('the first press of Tab focuses a link that skips the navigation', async () => {
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#main');
});

it('the focus is visible when a user moves with the keyboard', async () => {
  await page.getByRole('button', { name: 'Add partner' }).focus();
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  expect(outline).toBe('solid');
});

it('a dialog that is opened by keyboard keeps the focus inside, closes on Escape and restores the focus', async () => {
  await page.getByRole('button', { name: 'Add partner' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add partner' }).waitFor();
  const visited: unknown[] = [];
  for (let press = 0; press < 6; press++) {
    await page.keyboard.press('Tab');
    visited.push(
      await page.evaluate(
        () => document.activeElement?.closest('dialog') !== null || document.activeElement === document.body,
      ),
    );
  }
  expect(visited).toEqual(visited.map(() => true));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Add partner');
});

it.each([
  ['Partners', 'Add partner', 'Name'],
  ['Links', 'Add link', 'Partner'],
])('a dialog opens with the focus on its first field: %s', async (title, button, field) => {
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('button', { name: button }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent))
    .toBe(field);
});

it('the program menu can switch the program by keyboard, and closes on Escape', async () => {
  const summary = page.locator('.navigation summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  const other = page.getByRole('link', { name: 'Acme Lite' });
  await other.waitFor();
  await page.keyboard.press('Escape');
  await other.waitFor({ state: 'hidden' });
  await expect.poll(focused).toBe('Switch program, now Acme ProAcme');
  await page.keyboard.press('Enter');
  await other.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Acme Lite' }).waitFor();
});

it('when a link opens a page, the focus moves to that page’s content', async () => {
  await page.getByRole('link', { name: 'Events' }).press('Enter');
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  expect(await page.title()).toBe('Events – Referrals');
});

it('every page is reachable on a narrow screen through the menu', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const toggle = page.getByRole('button', { name: 'Menu' });
  expect(await toggle.getAttribute('aria-expanded')).toBe('false');
  await toggle.press('Enter');
  await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true');
  await page.getByRole('link', { name: 'Links' }).press('Enter');
  await page.getByRole('heading', { name: 'Links' }).waitFor();
  await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
});

it('Escape closes what is open inside the narrow menu, and only then the menu', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const toggle = page.getByRole('button', { name: 'Menu' });
  await toggle.press('Enter');
  await page.locator('.navigation summary').press('Enter');
  const program = page.getByRole('link', { name: 'Acme Lite' });
  await program.waitFor();
  await page.keyboard.press('Escape');
  await program.waitFor({ state: 'hidden' });
  expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
  await expect.poll(focused).toBe('Menu');
});
