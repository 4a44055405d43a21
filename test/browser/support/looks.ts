import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PORTAL_ADDRESS } from '#lib/apps/web/static/entry-paths.ts';
import { accessibilityFindings } from '#test/browser/support/axe.ts';
import type { Person } from '#test/browser/support/dashboard.ts';
import { unreachable } from '#test/browser/support/reachable.ts';

/** The folder for screenshots. */
export const PICTURES = join('.local', 'screenshots');
await mkdir(PICTURES, { recursive: true });

/** One per breakpoint of the style sheets: above 80, 60 and 48 rem, and a phone. */
const widths = [1281, 1024, 769, 390] as const;

/** Screenshots are not reviewed in CI. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!process.env.CI) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

export interface Seen {
  readonly name: string;
  readonly path: string;
  /** Actions before the check. */
  readonly act?: (page: Page) => Promise<void>;
}

export const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

// The page's policy blocks axe; other tests check the policy.
export const lookingOptions = {
  viewport: { width: 1440, height: 900 },
  bypassCSP: true,
} as const;

/** Whether no request is pending. */
export const isLoaded = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      document.querySelector('h1, h2') !== null &&
      document.querySelector('.skeleton, .spinner, [aria-busy=true]') === null,
  );

/** Waits until the browser has processed a change of size: observers, then a frame. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** The last check of a page. */
interface Look {
  /** The page's path, if no action has changed it. */
  readonly path?: string;
  readonly isWideFirst: boolean;
}
const looks = new WeakMap<Page, Look>();

/** The application at a path. Each application has a router; the service's own pages have none. */
function applicationAt(pathname: string): string | undefined {
  if (/^\/(?:api|docs|local)\//.test(pathname)) return undefined;
  return PORTAL_ADDRESS.test(pathname) ? 'portal' : 'dashboard';
}

/**
 * Shows the page at a path, unless it is already shown unchanged. The application's own router opens it, as for a
 * followed link: loaded data stays, and code is compiled already.
 */
async function show(page: Page, path: string): Promise<void> {
  const last = looks.get(page);
  if (!last) return void (await page.goto(path));
  if (last.path === path) return;
  const { pathname: from } = new URL(page.url());
  const { pathname: to } = new URL(path, page.url());
  const application = applicationAt(to);
  const isNear = from !== to && application !== undefined && application === applicationAt(from);
  if (!isNear || !(await hasRouted(page, path))) await page.goto(path);
}

/** Whether the router showed another page, which sets its title when it is ready. */
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

/**
 * Checks one page at every width in light mode, and at one of them in dark mode: neither affects the other
 * (test/apps/web/style.test.ts). axe runs once in light mode, and in dark mode for the colours, alternating between the
 * widest and the narrowest width: shared parts, such as the navigation, are checked at both.
 * @returns the violations
 */
export async function findingsOn({ page, problems }: Person, { name, path, act }: Seen): Promise<string[]> {
  const findings: string[] = [];
  const isWideFirst = !looks.get(page)?.isWideFirst;
  const order = isWideFirst ? widths : widths.toReversed();
  const [first, last] = [order[0]!, order.at(-1)!];

  async function look(width: number, scheme: string, rules?: 'all' | 'colours'): Promise<void> {
    await settled(page);
    const found = await unreachable(page);
    const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    if (pageWidth > width) found.push(`it is ${pageWidth} pixels wide`);
    if (rules) await keepPicture(page, `${name}-${width}-${scheme}`);
    if (rules) found.push(...(await accessibilityFindings(page, rules)));
    findings.push(...found.map((what) => `${name} at ${width}, ${scheme}: ${what}`));
  }

  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: first, height: 900 });
  await show(page, path);
  await expect.poll(() => isLoaded(page), { message: name, interval: 20 }).toBe(true);
  await act?.(page);
  await expect.poll(() => isLoaded(page), { message: name, interval: 20 }).toBe(true);
  looks.set(page, { isWideFirst, ...(!act && { path }) });
  for (const width of order) {
    await page.setViewportSize({ width, height: 900 });
    await look(width, 'light', width === first ? 'all' : undefined);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(last, 'dark', 'colours');
  return [...findings, ...problems.splice(0).map((problem) => `${name}: ${problem}`)];
}

/** @returns the violations */
export async function findingsOnAll(person: Person, kind: string, pages: readonly Seen[]): Promise<string[]> {
  const findings: string[] = [];
  for (const seen of pages) findings.push(...(await findingsOn(person, { ...seen, name: `${kind}-${seen.name}` })));
  return findings;
}
