import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { enterAs, newPerson, type Person } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner gives partners coupon codes. Each test goes on where the one before ended.

const PROGRAM = '/programs/1';

const { service, browser } = await openService();
let person: Person;
let page: Page;

beforeAll(async () => {
  person = await newPerson(browser, service.url);
  ({ page } = person);
  await enterAs(page, service.demo.owner_email, '/');
  await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
});
afterEach(() => {
  expect(person.problems).toEqual([]);
});

const row = (name: string) => page.getByRole('table', { name: 'Codes' }).locator('tbody tr', { hasText: name });
const codes = async () => (await service.dashboard('GET', `${PROGRAM}/codes`)).data;

it('adds one for a partner, and says what is wrong with it', async () => {
  await page.getByRole('link', { name: 'Codes', exact: true }).click();
  await page.getByText('No codes yet').waitFor();
  await page.getByRole('button', { name: 'Add code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add code' });
  await dialog.getByLabel('Code', { exact: true }).fill('a b');
  await dialog.getByRole('button', { name: 'Add code' }).click();
  await dialog.getByText('Code must be 3 to 64 letters, digits, - or _').waitFor();
  await dialog.getByLabel('Code', { exact: true }).fill('SAVE10');
  await dialog.getByRole('button', { name: 'Add code' }).click();
  await row('SAVE10').waitFor();
  expect(await codes()).toMatchObject([{ code: 'SAVE10', partner_name: 'Ana', status: 'active' }]);
});

it('disables and enables it, and names its promotion code at Stripe', async () => {
  await page.getByRole('button', { name: 'Disable code SAVE10' }).click();
  await row('SAVE10').getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Enable code SAVE10' }).click();
  await row('SAVE10').getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Name the promotion code at Stripe of SAVE10' }).click();
  const dialog = page.getByRole('dialog', { name: 'Code SAVE10 at Stripe' });
  await dialog.getByLabel('Promotion code at Stripe').fill('promo_1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row('SAVE10').getByText('promo_1').waitFor();
  expect(await codes()).toMatchObject([{ status: 'active', processor_code_id: 'promo_1' }]);
});

it('gives a partner another one on its page', async () => {
  await page.goto(`${PROGRAM}/partners/1`);
  await row('SAVE10').waitFor();
  await page.getByRole('button', { name: 'Add code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add code' });
  expect(await dialog.getByLabel('Partner').count()).toBe(0);
  await dialog.getByLabel('Code', { exact: true }).fill('ANA-SPRING');
  await dialog.getByRole('button', { name: 'Add code' }).click();
  await row('ANA-SPRING').waitFor();
  await page.getByRole('button', { name: 'Disable code ANA-SPRING' }).click();
  await row('ANA-SPRING').getByText('Disabled', { exact: true }).waitFor();
});

it('shows why a code’s partner got a sale', async () => {
  await page.goto(`${PROGRAM}/codes?partner_id=2`);
  await page.getByText('This partner has no code').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await row('SAVE10').waitFor();
  const sale = { transaction_id: 'by-code', amount_cents: 4900, coupon_code: 'save10' };
  expect(await service.track('sale', sale)).toMatchObject({ attributed: true });
  await page.goto(`${PROGRAM}/sale?transaction=by-code`);
  await page.getByText('Found by code SAVE10. It is a code of Ana.').waitFor();
  await page.getByText('The attribution window was not checked: this customer came by a code.').waitFor();
  await page.getByRole('link', { name: /^clk_/ }).click();
  await page.getByText('The customer came by code SAVE10 of Ana.').waitFor();
});

it('chooses in the settings whether the link or the code counts first', async () => {
  await page.goto(`${PROGRAM}/settings`);
  await page.getByLabel('Payments with a coupon code').selectOption('code_first');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved.').waitFor();
  expect((await service.dashboard('GET', PROGRAM)).data.code_precedence).toBe('code_first');
  await page.goto(`${PROGRAM}/codes`);
  await page.getByText('also where another partner’s link came first').waitFor();
});
