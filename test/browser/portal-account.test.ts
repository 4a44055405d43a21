import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { newPerson, type Person, signIn, signInAtIssuer } from '#test/browser/support/dashboard.ts';
import { type Service, startService } from '#test/browser/support/service.ts';

let browser: Browser;
let service: Service;
let person: Person;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  service = await startService();
  person = await newPerson(browser, service.url);
  ({ page } = person);
  await page.goto('/partner/payout-details');
  await signIn(page, 'ana@partners.test');
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('takes payout details, and shows as much as lets the person recognize them', async () => {
  await page.getByText('No payout details yet').waitFor();
  await page.getByLabel('Account holder').fill('Ana');
  await page.getByLabel('IBAN', { exact: true }).fill('DE00 0000 0000 0000 0000 00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('IBAN must be a valid IBAN').waitFor();
  await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('DE** **** 3000').waitFor();

  await page.getByLabel('How you are paid').selectOption('PayPal');
  await page.getByLabel('E-mail address of your account there').fill('ana@money.test');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('a***@money.test').waitFor();
});

it('asks to sign in again when that was more than ten minutes ago', async () => {
  const advanced = await fetch(`${service.url}/local/clock`, {
    method: 'POST',
    body: JSON.stringify({ advance_seconds: 601 }),
  });
  expect(advanced.status).toBe(200);
  await page.getByLabel('How you are paid').selectOption('Another way');
  await page.getByLabel('How to pay you').fill('Cash');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in again' }).click();
  await signInAtIssuer(page, 'ana@partners.test');
  await page.getByText('a***@money.test').waitFor();
  await page.getByLabel('How you are paid').selectOption('Another way');
  await page.getByLabel('How to pay you').fill('Cash');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
});

it('switches e-mails off and on', async () => {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('You get e-mails at ana@partners.test.').waitFor();
  await page.getByRole('button', { name: 'Send me none' }).click();
  await page.getByText('You get no e-mails but about your payout details.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Send me e-mails' }).click();
  await page.getByText('You get e-mails at ana@partners.test.').waitFor();
});

it('saves the data of the account as a file that people can read', async () => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toMatch(/^\{\n  "/);
  expect(text).toContain('ana@partners.test');
});

it('leaves a program after a question, and keeps what was earned to be read', async () => {
  await page.getByRole('button', { name: 'Leave Acme Pro…' }).click();
  await page.getByRole('button', { name: 'Leave the program' }).click();
  await page.getByText('You are a partner of no program.').waitFor();
  await page.getByRole('link', { name: 'Your programs' }).click();
  await page.getByRole('link', { name: 'Open Acme Pro' }).click();
  await page.getByText('You are no longer a partner of Acme Pro.').waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await page.getByRole('row', { name: /^ana / }).waitFor();
  expect(await page.getByRole('button', { name: /Make a link|Switch/ }).count()).toBe(0);
});

it('left nothing in the browser to complain about', () => {
  expect(person.problems).toEqual([]);
});
