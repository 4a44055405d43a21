import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { enterAs, newPerson, type Person, signIn, signInAtIssuer } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, browser } = await openService();
let person: Person;
let page: Page;

beforeAll(async () => {
  person = await newPerson(browser, service.url);
  ({ page } = person);
  await enterAs(page, 'ana@partners.test', '/partner/payout-details');
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
  // Whether anything was due is not told: the page says under which condition they have to wait.
  await page
    .getByText(/or had earned anything when you entered your first ones, payouts leave you out until \w{3} \d/)
    .waitFor();

  await page.getByLabel('How you are paid').selectOption('PayPal');
  await page.getByLabel('E-mail address of your account there').fill('ana@money.test');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('a***@money.test').waitFor();
  await page.getByText(/^If you changed earlier details, or .*, payouts leave you out until \w{3} \d/).waitFor();
});

it('says before somebody types that the sign-in is too old', async () => {
  const advanced = await fetch(`${service.url}/local/clock`, {
    method: 'POST',
    body: JSON.stringify({ advance_seconds: 601 }),
  });
  expect(advanced.status).toBe(200);
  await page.reload();
  await page.getByText('Sign in again for this').waitFor();
  expect(await page.getByLabel('How you are paid').count()).toBe(0);
  await page.getByRole('button', { name: 'Sign in here' }).click();
  await signInAtIssuer(page, 'ana@partners.test');
  await page.getByLabel('How you are paid').waitFor();
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
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in here' }).click();
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
  await page.getByText('You get no e-mails but about your payout details and exports of your data.').waitFor();
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
  expect(JSON.parse(text)).toMatchObject({
    complete: true,
    programs: [{ commissions: [], payouts: [], customers: [] }],
  });
});

it('leaves a program after a question, and keeps what was earned to be read', async () => {
  await page.getByRole('button', { name: 'Leave Acme Pro…' }).click();
  await page.getByRole('button', { name: 'Leave the program' }).click();
  await page.getByText('You are a partner of no program.').waitFor();
  await page.getByRole('link', { name: 'Your programs' }).click();
  await page.getByText(/You left on \w{3} \d/).waitFor();
  await page.getByRole('link', { name: 'Open Acme Pro' }).click();
  await page.getByText(/You left Acme Pro on \w{3} \d+, \d{4}\./).waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await page.getByRole('row', { name: /^ana / }).waitFor();
  expect(await page.getByRole('button', { name: /Make a link|Switch/ }).count()).toBe(0);
});

it('says of a removal that it was the brand’s, and to whom it was refused from when they may apply again', async () => {
  const program = `/programs/${service.demo.program_id}`;
  const ben = await newPerson(browser, service.url);
  await enterAs(ben.page, 'ben@partners.test', '/partner');
  await ben.page.getByRole('link', { name: 'Open Acme Pro' }).waitFor();
  const { data: partners } = await service.dashboard('GET', `${program}/partners`);
  const { id } = partners.find(({ name }: { name: string }) => name === 'Ben');
  await service.dashboard('PATCH', `${program}/partners/${id}`, { status: 'removed' });
  await ben.page.reload();
  await ben.page.getByText('The brand ended your partnership.').waitFor();
  await ben.page.getByRole('link', { name: 'Open Acme Pro' }).click();
  await ben.page.getByText('Acme Pro has ended your partnership.').waitFor();
  await ben.leave();

  await service.dashboard('PATCH', program, { join: 'apply' });
  const ida = await newPerson(browser, service.url);
  await ida.page.goto(`/join/${service.demo.program_id}/acme`);
  await ida.page.getByRole('button', { name: 'Sign in to go on' }).click();
  await signInAtIssuer(ida.page, 'ida@partners.test');
  await ida.page.getByRole('button', { name: 'Apply' }).click();
  await ida.page.getByText('Your application is with the brand.').waitFor();
  const { data: applied } = await service.dashboard('GET', `${program}/partners?status=applied`);
  await service.dashboard('POST', `${program}/partners/${applied[0].id}/reject`, { reason: 'Not now' });
  await ida.page.goto('/partner');
  await ida.page.getByText(/You can apply again on \w{3} \d+, \d{4}\./).waitFor();
  expect(await ida.page.getByRole('link', { name: /Apply again/ }).count()).toBe(0);
  await fetch(`${service.url}/local/clock`, {
    method: 'POST',
    body: JSON.stringify({ advance_seconds: 31 * 86_400 }),
  });
  // By then the session has ended unused.
  await ida.page.reload();
  await ida.page.getByText('Your session has ended.').waitFor();
  await signIn(ida.page, 'ida@partners.test');
  await ida.page.getByRole('link', { name: 'Apply again to Acme Pro' }).waitFor();
  expect([...ben.problems, ...ida.problems]).toEqual([]);
  await ida.leave();
});

it('deletes the payout details, and closes the account of whoever types its address', async () => {
  await fetch(`${service.url}/local/clock`, { method: 'POST', body: JSON.stringify({ reset: true }) });
  const email = 'kim@partners.test';
  const program = `/programs/${service.demo.program_id}`;
  const { data: added } = await service.dashboard('POST', `${program}/partners`, { name: 'Kim', email });
  const kim = await newPerson(browser, service.url);
  await enterAs(kim.page, email, `/partner${program}`);
  await kim.page.getByText('If you accept, Acme Pro will see where to pay you').waitFor();
  await kim.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await kim.page.getByRole('link', { name: 'Payout details' }).click();
  await kim.page.getByLabel('How you are paid').selectOption('PayPal');
  await kim.page.getByLabel('E-mail address of your account there').fill('kim@money.test');
  await kim.page.getByRole('button', { name: 'Save' }).click();
  await kim.page.getByText('k***@money.test').waitFor();
  await kim.page.getByRole('link', { name: 'delete them' }).click();
  await kim.page.getByRole('button', { name: 'Delete payout details…' }).click();
  await kim.page.getByRole('dialog').getByRole('button', { name: 'Delete payout details' }).click();
  await kim.page.getByText('Your payout details are deleted.').waitFor();
  await kim.page.getByRole('link', { name: 'Payout details' }).click();
  await kim.page.getByText('No payout details yet').waitFor();

  await kim.page.getByRole('link', { name: 'Settings' }).click();
  await kim.page.getByRole('button', { name: 'Close account…' }).click();
  const dialog = kim.page.getByRole('dialog', { name: 'Close your account for good?' });
  await dialog.getByLabel(`Type ${email} to confirm`).fill('somebody@else.test');
  await dialog.getByRole('button', { name: 'Close the account' }).click();
  await dialog.getByText('confirm must be the address of the account').waitFor();
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await dialog.getByRole('button', { name: 'Close the account' }).click();
  await kim.page.getByText('Your account is closed.').waitFor();
  const { data: closed } = await service.dashboard('GET', `${program}/partners/${added.id}`);
  expect(closed).toMatchObject({ name: 'Kim', email: null, status: 'removed', payout: null, has_account: false });
  expect(kim.problems).toEqual([]);
  await kim.leave();
});

it('left nothing in the browser to complain about', () => {
  expect(person.problems).toEqual([]);
});
