import { beforeAll, expect, it } from 'vitest';
import { enterAs, payToPayPal, rowsOf } from '#test/browser/support/dashboard.ts';
import { findingsOn, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// What a partner reads of the lines of payouts. Each test continues the previous one.

const PROGRAM = '/programs/1';
const PAYOUTS = `/partner${PROGRAM}/payouts`;
const { service, page, person } = await openService(lookingOptions);

let id: number;

const payoutRow = async () => (await rowsOf(page, 'Payouts').catch(() => []))[0] ?? '';
const change = (status: string, reason?: string) =>
  service.dashboard('POST', `${PROGRAM}/payouts/${id}/lines`, { ids: ['1-USD'], status, reason });

beforeAll(async () => {
  await payToPayPal(service.url, 'ana@partners.test', 'ana@money.test');
  await service.dashboard('PATCH', PROGRAM, { payout_days: [1, 15] });
  await service.dashboard('POST', `${PROGRAM}/partners/1/commissions`, {
    amount_cents: 2_500,
    currency: 'USD',
    reason: 'Bonus',
  });
  id = (await service.dashboard('POST', `${PROGRAM}/payouts`, {})).data.id;
  await enterAs(page, 'ana@partners.test', PAYOUTS);
});

it('a partner sees the number of a payment, that it is recorded, and the day of the next payout', async () => {
  await expect.poll(payoutRow).toMatch(new RegExp(`^Payout ${id} ${id}-1-USD .* Recorded \\$25\\.00 1 None$`));
  await expect
    .poll(async () => (await rowsOf(page, 'Your money'))[0])
    .toMatch(/^USD .* \$0\.00 \+ \$25\.00 on the way$/);
  expect(await page.getByRole('link', { name: 'on the way' }).count()).toBe(0);
  await page.getByText('The brand plans its next payout for').waitFor();
  expect(await page.getByRole('link', { name: 'Enter payout details' }).count()).toBe(0);
});

it('a partner sees that a payment is sent, and that it is paid', async () => {
  await change('sent');
  await page.reload();
  await expect.poll(payoutRow).toMatch(/ Sent /);
  await change('paid');
  await page.reload();
  await expect.poll(payoutRow).toMatch(/ Paid /);
  await expect.poll(async () => (await rowsOf(page, 'Your money'))[0]).toMatch(/^USD .* \$0\.00 \$25\.00$/);
});

it('a partner reads why a payment failed, and that the amount is due again', async () => {
  await change('failed', 'The account is closed');
  await page.reload();
  await expect
    .poll(payoutRow)
    .toContain('Failed The account is closed. The amount is due again, with the next payout.');
  await page.getByRole('link', { name: `Payout ${id}`, exact: true }).click();
  await page.getByRole('heading', { name: 'The payout' }).waitFor();
  await page.getByText('The account is closed. The amount is due again').waitFor();
  const check = page.getByRole('link', { name: 'Check your payout details' });
  expect(await check.getAttribute('href')).toBe('/partner/payout-details');
});

it('the pages about a partner’s payouts pass the accessibility checks at every width', async () => {
  expect(await findingsOn(person, { name: 'portal-payouts', path: PAYOUTS })).toEqual([]);
  expect(await findingsOn(person, { name: 'portal-payout', path: `${PAYOUTS}/${id}` })).toEqual([]);
});
