import { beforeAll, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner gives partners coupon codes. Each test continues the previous one.

const PROGRAM = '/programs/1';

const { service, page } = await openService();

beforeAll(async () => {
  await enterAs(page, service.demo.owner_email, '/');
  await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
});

const row = (name: string) => page.getByRole('table', { name: 'Codes' }).locator('tbody tr', { hasText: name });
const codes = async () => (await service.dashboard('GET', `${PROGRAM}/codes`)).data;

it('an owner adds a coupon code for a partner', async () => {
  await page.getByRole('link', { name: 'Codes', exact: true }).click();
  await page.getByText('No codes yet').waitFor();
  await page.getByRole('button', { name: 'Add code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add code' });
  // No partner is chosen first, and the form is not sent without a partner.
  expect(await dialog.getByLabel('Partner', { exact: true }).inputValue()).toBe('');
  await dialog.getByLabel('Code', { exact: true }).fill('SAVE10');
  await dialog.getByRole('button', { name: 'Add code' }).click();
  expect(await codes()).toEqual([]);
  await dialog.getByLabel('Partner', { exact: true }).fill('an');
  await dialog.getByRole('option', { name: 'Ana' }).waitFor();
  await dialog.getByLabel('Partner', { exact: true }).press('Enter');
  expect(await dialog.getByLabel('Partner', { exact: true }).inputValue()).toBe('Ana');
  await dialog.getByLabel('Discount').fill('10% off');
  await dialog.getByRole('button', { name: 'Add code' }).click();
  await row('SAVE10').waitFor();
  expect(await codes()).toMatchObject([{ code: 'SAVE10', partner_name: 'Ana', status: 'active', discount: '10% off' }]);
});

it('an owner disables and enables a coupon code, and sets the Stripe promotion code that belongs to it', async () => {
  await page.getByRole('button', { name: 'Disable code SAVE10' }).click();
  await row('SAVE10').getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Enable code SAVE10' }).click();
  await row('SAVE10').getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit code SAVE10' }).click();
  const dialog = page.getByRole('dialog', { name: 'Code SAVE10' });
  await dialog.getByLabel('Promotion code at Stripe').fill('promo_1');
  await dialog.getByLabel('Discount').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row('SAVE10').getByText('promo_1').waitFor();
  expect(await codes()).toMatchObject([{ status: 'active', processor_code_id: 'promo_1', discount: null }]);
});
