import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { leaveRoutes } from '#test/browser/support/chromium.ts';

/** A dashboard user with a separate browser. */
export interface Person {
  readonly page: Page;
  /** The browser's complaints: script errors and policy violations. */
  readonly problems: string[];
  readonly leave: () => Promise<void>;
}

export async function newPerson(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // The browser logs every reply with status 400 or above; tests check those in the page.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) problems.push(message.text());
  });
  const leave = async () => {
    await leaveRoutes(context);
    await context.close();
  };
  return { page, problems, leave };
}

/**
 * Opens a page with a session created without the sign-in pages, in a new tab. dashboard-session and portal-session
 * test the sign-in pages.
 */
export async function enterAs(page: Page, email: string, path: string): Promise<void> {
  const { request } = page.context();
  const issued = await request.post('/local/oidc/token', { data: { email }, failOnStatusCode: true });
  const { id_token } = await issued.json();
  const begun = await request.post('/api/dashboard/v1/session', { data: { id_token }, failOnStatusCode: true });
  const { data } = await begun.json();
  const keep = await page.addInitScript((token) => sessionStorage.setItem('login_token', token), data.token);
  await page.goto(path);
  await keep.dispose();
}

/** Signs in from the page that requests it, through the issuer's page, and back. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signInAtIssuer(page, email);
}

export async function signInAtIssuer(page: Page, email: string): Promise<void> {
  await page.waitForURL('**/local/oidc/authorize?*');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !/signed-in|oidc/.test(url.pathname));
}

/** The text of an element as one line. */
export const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ').trim();

/** The rows of a table's body, each as one line. */
export async function rowsOf(page: Page, table: string): Promise<string[]> {
  const texts = await page.getByRole('table', { name: table }).locator('tbody tr').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** Returns a function that calls the API as a person who has just signed in, and expects success. */
export async function callsAs(url: string, email: string) {
  async function sent(method: string, path: string, body: unknown, token?: string) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
  const { id_token } = await sent('POST', '/local/oidc/token', { email });
  const { data } = await sent('POST', '/api/dashboard/v1/session', { id_token });
  return (method: string, path: string, body: unknown) => sent(method, `/api/partner/v1${path}`, body, data.token);
}

/** Sets a person's payout details, as that person. First details hold payouts if something is due already. */
export async function payToPayPal(url: string, email: string, account: string): Promise<void> {
  const call = await callsAs(url, email);
  await call('PUT', '/payout-details', { method: 'paypal', email: account });
}
