import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { isLoaded } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// What a page shows while it loads is as large as what comes. Replies come only after the placeholders were painted.

const { service, newPage } = await openService({ viewport: { width: 1280, height: 900 } });

/** The sum at which pages still count as stable, as Chrome measures it. */
const STABLE = 0.1;

/** The sum of all shifts of a page that loads slowly. */
async function shiftsOf(page: Page, path: string): Promise<number> {
  await page.addInitScript(() => {
    const seen = { sum: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.route('**/api/**', async (route) => {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await route.continue();
  });
  await page.goto(path);
  await expect.poll(() => isLoaded(page)).toBe(true);
  return page.evaluate(() => (globalThis as unknown as { seen: { sum: number } }).seen.sum);
}

it.each(['', '/partners', '/commissions', '/payouts', '/settings/brand', '/settings/terms'])(
  'on the dashboard’s page %s nothing moves while it loads',
  async (path) => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/docs/errors');
    expect(await shiftsOf(page, `/programs/1${path}`)).toBeLessThan(STABLE);
  },
);

it.each(['', '/programs/1', '/programs/1/links', '/programs/1/commissions'])(
  'on the portal’s page %s nothing moves while it loads',
  async (path) => {
    const page = await newPage();
    await enterAs(page, service.demo.partner.email, '/docs/errors');
    expect(await shiftsOf(page, `/partner${path}`)).toBeLessThan(STABLE);
  },
);
