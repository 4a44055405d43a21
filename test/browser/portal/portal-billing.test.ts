import { expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// Who is paid, who pays, and when.

const { service, page, newPage } = await openService();
const program = `/programs/${service.demo.program_id}`;

it('a partner chooses Wise with an IBAN, and enters the name and address for statements', async () => {
  await enterAs(page, 'ana@partners.test', '/partner/payout-details');
  await page.getByLabel('How you are paid').selectOption('Wise');
  await page.getByLabel('How Wise pays you').selectOption('By IBAN');
  await page.getByLabel('Account holder').fill('Ana Doe');
  await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
  await page.getByLabel('BIC').fill('COBA');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('BIC must be a valid BIC').waitFor();
  await page.getByLabel('BIC').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('DE** **** 3000').waitFor();

  const billing = page.getByRole('region', { name: 'Billing details' });
  await billing.getByLabel('Name').fill('Ana Doe Ltd');
  await billing.getByLabel('Address').fill('1 High Street\nLondon');
  await billing.getByLabel('Country').fill('G1');
  await billing.getByRole('button').click();
  await billing.getByText('Country must be a two-letter country code').waitFor();
  await billing.getByLabel('Country').fill('gb');
  await billing.getByLabel('Tax id').fill('GB123456789');
  await billing.getByRole('button').click();
  await billing.getByText('Saved.').waitFor();
  await page.reload();
  expect(await billing.getByLabel('Address').inputValue()).toBe('1 High Street\nLondon');
  expect(await billing.getByLabel('Country').inputValue()).toBe('GB');
  await billing.getByLabel('Tax id').fill('');
  await billing.getByRole('button').click();
  await billing.getByText('Saved.').waitFor();
  await page.reload();
  expect(await billing.getByLabel('Tax id').inputValue()).toBe('');
});

it('an owner enters the payer and the payout days; the partner sees the day and the amount of the next payout', async () => {
  const owner = await newPage();
  await enterAs(owner, 'owner@acme.test', '/members');
  const payer = owner.getByRole('region', { name: 'Payer' });
  await payer.getByLabel('Name').fill('Acme GmbH');
  await payer.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 01');
  await payer.getByRole('button', { name: 'Save payer' }).click();
  await payer.getByText('IBAN must be a valid IBAN').waitFor();
  await payer.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
  await payer.getByRole('button', { name: 'Save payer' }).click();
  await payer.getByText('Saved.').waitFor();
  expect(await payer.getByLabel('IBAN', { exact: true }).inputValue()).toBe('');
  expect(await payer.getByPlaceholder('DE** **** 3000').count()).toBe(1);
  await payer.getByLabel('Remove the present IBAN').check();
  await payer.getByRole('button', { name: 'Save payer' }).click();
  await payer.getByLabel('Remove the present IBAN').waitFor({ state: 'detached' });
  expect(await payer.getByLabel('Name').inputValue()).toBe('Acme GmbH');

  await owner.goto(`${service.url}${program}/settings/payouts`);
  await owner.getByLabel('Payout days').fill('28; 1');
  await owner.getByLabel('Note on statements').fill('VAT is due by the recipient.');
  await owner.getByRole('button', { name: 'Save payouts' }).click();
  await owner.getByText('Saved.').first().waitFor();
  expect(await owner.getByLabel('Payout days').inputValue()).toBe('1, 28');

  await page.goto(`${service.url}/partner${program}/payouts`);
  await page.getByText(/^The brand plans its next payout for \w{3} \d+, \d{4}\.$/).waitFor();
  const bonus = { amount_cents: 5_000, currency: 'USD', reason: 'Welcome' };
  await service.dashboard('POST', `${program}/partners/${service.demo.partner.id}/commissions`, bonus);
  await page.reload();
  await page
    .getByText(/^The brand plans its next payout for \w{3} \d+, \d{4}\. It would bring you \$50\.00, if /)
    .waitFor();
});
