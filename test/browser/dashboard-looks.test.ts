import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '#test/browser/support/axe.ts';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { newPerson, type Person, signIn } from '#test/browser/support/dashboard.ts';
import { type Service, startService } from '#test/browser/support/service.ts';

// Every page, light and dark, wide and narrow. Its picture is kept in .local/screenshots, to be looked at.

const PICTURES = join('.local', 'screenshots');

let service: Service;
let browser: Browser;

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  for (const [index, link] of ['ana', 'ana', 'ben'].entries()) {
    const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
    await service.track('lead', { click_id, customer_key: `user_${index}`, email: 'jo@example.com' });
    const sale = { transaction_id: `in_${index}`, customer_key: `user_${index}`, amount_cents: 4_900 };
    await service.track('sale', sale);
  }
});

afterAll(async () => {
  await browser.close();
  await service.stop();
});

interface Seen {
  readonly name: string;
  readonly path: string;
  /** Visible when the page is loaded. */
  readonly awaited: string;
  /** Actions before the screenshot. */
  readonly act?: (page: Page) => Promise<void>;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

const pages: readonly Seen[] = [
  { name: 'overview', path: '/programs/1', awaited: 'table[aria-label^="Partners"]' },
  { name: 'setup', path: '/programs/1/setup', awaited: '.setup-steps' },
  {
    name: 'setup-opened',
    path: '/programs/1/setup',
    awaited: '.setup-steps',
    act: (page) => page.getByText('Send sales', { exact: true }).click(),
  },
  { name: 'partners', path: '/programs/1/partners', awaited: 'tbody' },
  { name: 'partners-add', path: '/programs/1/partners', awaited: 'tbody', act: press('Add partner') },
  { name: 'links', path: '/programs/1/links', awaited: 'tbody' },
  { name: 'commissions', path: '/programs/1/commissions', awaited: 'tbody' },
  { name: 'pay-out', path: '/programs/1/commissions', awaited: 'tbody', act: press('Pay out') },
  { name: 'events', path: '/programs/1/events', awaited: 'tbody' },
  { name: 'sale', path: '/programs/1/sale?transaction=in_0', awaited: '.timeline' },
  { name: 'settings', path: '/programs/1/settings', awaited: '#api-key .facts' },
  { name: 'replace-key', path: '/programs/1/settings', awaited: '#api-key .facts', act: press('Replace key…') },
  { name: 'members', path: '/members', awaited: 'tbody' },
  { name: 'new-program', path: '/programs/new', awaited: 'form' },
  { name: 'no-such-page', path: '/programs/nothing', awaited: 'text=There is no such page' },
];

/** For an invited person without workspace. */
const invited: Seen = { name: 'invited', path: '/', awaited: 'section[aria-label="Invitations"]' };

const strangersPages: readonly Seen[] = [
  { name: 'sign-in', path: '/', awaited: 'button' },
  { name: 'cli-login', path: '/cli/login?state=of-a-terminal', awaited: '.fingerprint' },
  { name: 'sign-in-failed', path: '/signed-in?code=of&state=nobody', awaited: '.failure' },
  { name: 'errors', path: '/docs/errors', awaited: '#internal_error' },
];

describe.each([
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const)('at $width pixels, $colorScheme', ({ width, colorScheme }) => {
  let person: Person;

  beforeAll(async () => {
    // The page's policy blocks axe; other tests check the policy.
    const options = {
      viewport: { width, height: 900 },
      colorScheme,
      bypassCSP: true,
      reducedMotion: 'reduce',
    } as const;
    person = await newPerson(browser, service.url, options);
    await person.page.goto('/');
    await signIn(person.page, service.demo.owner_email);
    await person.page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
  });

  afterAll(() => person.leave());

  async function look({ page }: Person, { name, path, awaited, act }: Seen): Promise<void> {
    await page.goto(path);
    await page.locator(awaited).first().waitFor();
    await act?.(page);
    await expect.poll(() => page.locator('.spinner').count()).toBe(0);
    await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }

  it.each(pages)('$name can be used by everybody and needs no scrolling to the side', (seen) => look(person, seen));

  it.each(strangersPages)('$name too, when signed out', async (seen) => {
    const options = { viewport: { width, height: 900 }, colorScheme, bypassCSP: true } as const;
    const stranger = await newPerson(browser, service.url, options);
    await look(stranger, seen);
    await stranger.leave();
  });

  it('the first page of an invited person too', async () => {
    const email = `invited-${width}-${colorScheme}@acme.test`;
    await service.dashboard('POST', '/workspace/members', { email, role: 'member' });
    const options = { viewport: { width, height: 900 }, colorScheme, bypassCSP: true } as const;
    const somebody = await newPerson(browser, service.url, options);
    await somebody.page.goto('/');
    await signIn(somebody.page, email);
    await look(somebody, invited);
    await somebody.leave();
  });
});
