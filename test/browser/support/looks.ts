import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFindings, COLOUR_RULES } from '#test/browser/support/axe.ts';
import type { Person } from '#test/browser/support/dashboard.ts';
import { unreachable } from '#test/browser/support/reachable.ts';

/** Where pictures are kept, to be looked at. */
export const PICTURES = join('.local', 'screenshots');
await mkdir(PICTURES, { recursive: true });

const widths = [1440, 1280, 1024, 768, 390] as const;
const schemes = ['light', 'dark'] as const;

export interface Seen {
  readonly name: string;
  readonly path: string;
  /** Actions before it is looked at. */
  readonly act?: (page: Page) => Promise<void>;
}

export const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

// The page's policy blocks axe; other tests check the policy.
export const lookingOptions = {
  viewport: { width: 1440, height: 900 },
  bypassCSP: true,
  reducedMotion: 'reduce',
} as const;

/** Nothing is on its way any more. */
export const isLoaded = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      document.querySelector('h1, h2') !== null &&
      document.querySelector('.skeleton, .spinner, [aria-busy=true]') === null,
  );

/** What the browser does after a change of its size: observers, then a frame. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Pages on which nothing was done since they were shown. */
const untouched = new WeakSet<Page>();

/**
 * Shows the page at a path. From a page on which nothing was done, the application's own router leads there, as for a
 * person who follows a link: what was loaded stays, and what has run is compiled.
 */
async function show(page: Page, path: string): Promise<void> {
  const { pathname } = new URL(page.url());
  const isNear = untouched.has(page) && pathname !== path.split('?')[0];
  if (!isNear || !(await hasRouted(page, path))) await page.goto(path);
}

/** Whether the router showed another page, which gives itself a title when it is there. */
const hasRouted = (page: Page, path: string): Promise<boolean> =>
  page
    .evaluate((to) => {
      document.title = '';
      history.pushState(undefined, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path)
    .then(() => page.waitForFunction(() => document.title !== '', undefined, { timeout: 2_000 }))
    .then(
      () => true,
      () => false,
    );

/** Looks at one page in every width and colour scheme. @returns what is wrong with it */
export async function findingsOn({ page, problems }: Person, { name, path, act }: Seen): Promise<string[]> {
  const findings: string[] = [];
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await show(page, path);
  await expect.poll(() => isLoaded(page), { message: name, interval: 20 }).toBe(true);
  await act?.(page);
  await expect.poll(() => isLoaded(page), { message: name, interval: 20 }).toBe(true);
  if (act) untouched.delete(page);
  else untouched.add(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      const found = await unreachable(page);
      const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      if (pageWidth > width) found.push(`it is ${pageWidth} pixels wide`);
      if (width === 1280 || width === 390) {
        const picture = join(PICTURES, `${name}-${width}-${colorScheme}.png`);
        // Nobody looks at those of CI.
        if (!process.env.CI) await page.screenshot({ path: picture, fullPage: true });
        found.push(...(await accessibilityFindings(page, colorScheme === 'dark' ? COLOUR_RULES : undefined)));
      }
      findings.push(...found.map((what) => `${name} at ${width}, ${colorScheme}: ${what}`));
    }
  }
  return [...findings, ...problems.splice(0).map((problem) => `${name}: ${problem}`)];
}
