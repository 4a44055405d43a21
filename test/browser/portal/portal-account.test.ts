import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { enterAs, signInAtIssuer } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, page, newPage } = await openService();

/** Moves the clock so far that a sign-in is too old for a change of payout details. */
async function letSignInAge(): Promise<void> {
  const moved = { method: 'POST', body: JSON.stringify({ advance_seconds: 601 }) };
  expect((await fetch(`${service.url}/local/clock`, moved)).status).toBe(200);
}

/** Signs in again in a new tab, as the page offers, and closes that tab. */
async function signInInNewTab(): Promise<void> {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
  ]);
  await tab.getByLabel('E-mail').fill('ana@partners.test');
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByText('Go back to the other tab').waitFor();
  await tab.close();
}

beforeAll(async () => {
  await enterAs(page, 'ana@partners.test', '/partner/payout-details');
});
it('the portal saves payout details, and then shows only a part of the account number', async () => {
  await page.getByText('No payout details yet').waitFor();
  await page.getByLabel('Account holder').fill('Ana');
  await page.getByLabel('IBAN', { exact: true }).fill('DE00 0000 0000 0000 0000 00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('IBAN must be a valid IBAN').waitFor();
  await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('DE** **** 3000').waitFor();
  // The page does not reveal whether anything was due: it explains when payouts have to wait.
  await page.getByText(/^Payouts leave you out until \w{3} \d/).waitFor();
  await page.getByText('First details are not held if you had earned nothing when you entered them.').waitFor();

  await page.getByLabel('How you are paid').selectOption('PayPal');
  await page.getByLabel('E-mail address of your account there').fill('ana@money.test');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('a***@money.test').waitFor();
  await page.getByText(/^Payouts leave you out until \w{3} \d/).waitFor();
});

it('what a partner enters for one way of payment is still there after the partner has looked at another way', async () => {
  const method = page.getByLabel('How you are paid');
  await method.selectOption('Bank account');
  await page.getByLabel('Account holder').fill('Ana');
  await page.getByRole('combobox', { name: 'Account', exact: true }).selectOption('Account and routing number');
  await page.getByLabel('Account number').fill('1234567');
  await method.selectOption('Another way');
  await page.getByLabel('How to pay you').fill('In cash');
  await method.selectOption('Bank account');
  expect(await page.getByLabel('Account holder').inputValue()).toBe('Ana');
  expect(await page.getByLabel('Account number').inputValue()).toBe('1234567');
  await method.selectOption('Another way');
  expect(await page.getByLabel('How to pay you').inputValue()).toBe('In cash');
});

it('after saving payout details on a phone, the partner sees below the header that they are saved', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = page.getByText('Your payout details are saved.');
  await expect.poll(() => saved.evaluate((shown) => shown === document.activeElement)).toBe(true);
  const header = await page.locator('header').first().boundingBox();
  const { y } = (await saved.boundingBox())!;
  expect(y).toBeGreaterThanOrEqual(header!.y + header!.height);
  expect(y).toBeLessThan(844);
  await page.setViewportSize({ width: 1280, height: 900 });
});

it('if the sign-in is too old, the portal asks for a new one before it shows the form for payout details', async () => {
  await letSignInAge();
  await page.reload();
  await page.getByText('Sign in again for this').waitFor();
  expect(await page.getByLabel('How you are paid').count()).toBe(0);
  await page.getByRole('button', { name: 'Sign in here' }).click();
  await signInAtIssuer(page, 'ana@partners.test');
  await page.getByLabel('How you are paid').waitFor();
});

it('after a new sign-in in another tab, the portal shows the form for payout details without a reload', async () => {
  await letSignInAge();
  await page.reload();
  await page.getByText('Sign in again for this').waitFor();
  await signInInNewTab();
  await page.getByLabel('How you are paid').waitFor();
});

it('payout details that were entered before the sign-in became too old are still there after a new one, and are stored nowhere in the browser', async () => {
  const iban = 'GB29 NWBK 6016 1331 9268 19';
  await page.getByLabel('How you are paid').selectOption('Bank account');
  await page.getByLabel('Account holder').fill('Ana Maria');
  await page.getByLabel('IBAN', { exact: true }).fill(iban);
  await letSignInAge();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again to change payout details' });
  await dialog.waitFor();
  // In this tab, a sign-in would leave the page, and what was entered would be lost.
  expect(await dialog.getByRole('button', { name: 'Sign in here' }).count()).toBe(0);
  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(stored).not.toMatch(/NWBK|Ana Maria/);

  await signInInNewTab();
  await dialog.waitFor({ state: 'detached' });
  // Nothing is saved without the person: someone else may have entered it.
  await page.getByText('You are signed in again. Press Save to save what you entered.').waitFor();
  expect(await page.getByText('GB** **** 6819').count()).toBe(0);
  expect(await page.getByLabel('IBAN', { exact: true }).inputValue()).toBe(iban);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('GB** **** 6819').waitFor();
});

it('a partner can save all data of the account as a readable file', async () => {
  await page.getByRole('link', { name: 'Settings' }).click();
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

it('a partner leaves a program after a confirmation, and can still read the earnings', async () => {
  // A mail reports each export, so no page may read one by itself.
  const exports: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/export') && exports.push(request.url())));
  await page.getByRole('button', { name: 'Leave Acme Pro…' }).click();
  await page.getByRole('button', { name: 'Leave the program' }).click();
  await page.getByText('You are a partner of no program.').waitFor();
  expect(await page.locator(':focus').innerText()).toBe('You left Acme Pro.');
  await page.getByRole('link', { name: 'Your programs' }).click();
  await page.getByText(/You left on \w{3} \d/).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Acme Pro' }).click();
  await page.getByText(/You left Acme Pro on \w{3} \d+, \d{4}\./).waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await page.getByRole('row', { name: /^ana / }).waitFor();
  expect(await page.getByRole('button', { name: /Make a link|Copy|Share|Switch/ }).count()).toBe(0);
  expect(exports).toEqual([]);
});

it('a partner deletes payout details, and closes the account by typing its e-mail address', async () => {
  await fetch(`${service.url}/local/clock`, { method: 'POST', body: JSON.stringify({ reset: true }) });
  const email = 'kim@partners.test';
  const program = `/programs/${service.demo.program_id}`;
  const { data: added } = await service.dashboard('POST', `${program}/partners`, { name: 'Kim', email });
  const kim = await newPage();
  await enterAs(kim, email, `/partner${program}`);
  await kim.getByText('If you accept, Acme Pro will see where to pay you').waitFor();
  await kim.getByRole('button', { name: 'Accept the invitation' }).click();
  await kim.getByRole('link', { name: 'Payout details' }).click();
  await kim.getByLabel('How you are paid').selectOption('PayPal');
  await kim.getByLabel('E-mail address of your account there').fill('kim@money.test');
  await kim.getByRole('button', { name: 'Save' }).click();
  await kim.getByText('k***@money.test').waitFor();
  await kim.getByRole('link', { name: 'delete them' }).click();
  await kim.getByRole('button', { name: 'Delete payout details…' }).click();
  await kim.getByRole('dialog').getByRole('button', { name: 'Delete payout details' }).click();
  await kim.getByText('Your payout details are deleted.').waitFor();
  await kim.getByRole('link', { name: 'Payout details' }).click();
  await kim.getByText('No payout details yet').waitFor();

  const granted = { amount_cents: 1_234, currency: 'USD', reason: 'Thank you' };
  await service.dashboard('POST', `${program}/partners/${added.id}/commissions`, granted);
  await kim.getByRole('link', { name: 'Settings' }).click();
  await kim.getByRole('button', { name: 'Close account…' }).click();
  const dialog = kim.getByRole('dialog', { name: 'Close your account for good?' });
  const unpaid = dialog.getByRole('region', { name: 'Money that has not arrived' });
  expect((await unpaid.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /^Not all of your money has arrived: Acme Pro (Ready|Held back) \$12\.34 .*stays yours/,
  );
  await dialog.getByText(`Type ${email} to confirm.`).waitFor();
  await dialog.getByLabel('Your e-mail address').fill('somebody@else.test');
  await dialog.getByRole('button', { name: 'Close the account' }).click();
  await dialog.getByText('Your e-mail address must be the address of the account').waitFor();
  await dialog.getByLabel('Your e-mail address').fill(email);
  await dialog.getByRole('button', { name: 'Close the account' }).click();
  await kim.getByText('Your account is closed.').waitFor();
  const { data: closed } = await service.dashboard('GET', `${program}/partners/${added.id}`);
  expect(closed).toMatchObject({ name: 'Kim', email: null, status: 'removed', payout: null, has_account: false });
});
