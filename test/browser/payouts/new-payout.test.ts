import { beforeAll, expect, it } from 'vitest';
import type { ListedPayout } from '#lib/wire/earnings/payout.ts';
import { enterAs, payToPayPal, rowsOf } from '#test/browser/support/dashboard.ts';
import { findingsOn, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner chooses whom a payout pays. Each test continues the previous one.

const PROGRAM = '/programs/1';
const NEW = `${PROGRAM}/payouts/new`;
const { service, page, person } = await openService(lookingOptions);

const payouts = async (): Promise<ListedPayout[]> => (await service.dashboard('GET', `${PROGRAM}/payouts`)).data;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const record = (what: string) => button(`Record payout of ${what}…`);
const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });

let sales = 0;

async function sellApproved(link: string, currency = 'USD'): Promise<void> {
  sales += 1;
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  const sale = {
    transaction_id: `in_${sales}`,
    customer_key: `user_${sales}`,
    click_id,
    amount_cents: 4_900,
    currency,
  };
  const { commission_id: id } = await service.track('sale', sale);
  await service.dashboard('POST', `${PROGRAM}/commissions/${id}/approve`);
}

beforeAll(async () => {
  const cy = { name: 'Cy', email: 'cy@partners.test' };
  const { data } = await service.dashboard('POST', `${PROGRAM}/partners`, cy);
  await service.dashboard('POST', `${PROGRAM}/links`, {
    partner_id: data.id,
    short_link: 'cyd',
    destination_url: 'https://acme.test/',
  });
  for (const name of ['ana', 'ben']) await payToPayPal(service.url, `${name}@partners.test`, `${name}@money.test`);
  for (const link of ['ana', 'ben', 'cyd']) await sellApproved(link);
  await sellApproved('ana', 'EUR');
  await enterAs(page, service.demo.owner_email, NEW);
});

it('the page for a new payout lists the partners without payout details, who are left out, with their sum', async () => {
  await record('€9.80 and $19.60 to 2 partners').waitFor();
  expect(await rowsOf(page, 'Left out')).toEqual(['Cy cy@partners.test No payout details $9.80']);
  await page.getByText('1 partner without payout details: partners who have not accepted yet').waitFor();
  expect(await findingsOn(person, { name: 'new-payout', path: NEW })).toEqual([]);
});

it('deselecting a partner removes that partner from a new payout in all currencies', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(NEW);
  await tick('Ana, EUR').uncheck();
  await record('$9.80 to 1 partner').waitFor();
  expect(await tick('Ana, USD').isChecked()).toBe(false);
  await tick('Ben, USD').uncheck();
  expect(await page.getByRole('button', { name: /^Record payout/ }).count()).toBe(0);
  await tick('all that are shown').check();
  await record('€9.80 and $19.60 to 2 partners').waitFor();
});

it('filters for method and currency limit a new payout, and the page says what is left out', async () => {
  await page.getByLabel('Currency').selectOption('EUR');
  await record('€9.80 to 1 partner').waitFor();
  await page.getByText('Not in this choice: $19.60 of 2 partners.').waitFor();
  await page.getByLabel('Paid to').selectOption('Wise');
  await page.getByText('Nothing of this choice is due now').waitFor();
  await page.reload();
  await page.getByText('Nothing of this choice is due now').waitFor();
  await button('Reset').click();
  await record('€9.80 and $19.60 to 2 partners').waitFor();
});

it('before a payout is recorded, a confirmation shows its totals and the number of partners', async () => {
  await tick('Ana, EUR').uncheck();
  await record('$9.80 to 1 partner').click();
  const dialog = page.getByRole('dialog', { name: 'Record this payout?' });
  await dialog.getByText('$9.80 to 1 partner, for 1 commission.').waitFor();
  expect(
    await findingsOn(person, {
      name: 'new-payout-question',
      path: `${NEW}?`,
      act: async () => {
        await tick('Ana, EUR').uncheck();
        await record('$9.80 to 1 partner').click();
      },
    }),
  ).toEqual([]);
  expect(await payouts()).toEqual([]);
  await dialog.getByRole('button', { name: 'Record payout', exact: true }).click();
  await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
  expect(await payouts()).toMatchObject([
    { status: 'made', lines: 1, totals: { USD: 980 }, items: [{ partner_id: 2 }] },
  ]);
});

it('a payout that takes several requests shows its progress, and its page opens at the end', async () => {
  await page.goto(NEW);
  await record('€9.80 and $9.80 to 1 partner').waitFor();
  let requests = 0;
  // The first reply is that of a payout that needs more than one request.
  await page.route('**/programs/1/payouts', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const open = { ...data, status: 'open', progress: { commissions: 1, of: 2 } };
    await route.fulfill({ response, json: { data: open } });
  });
  await page.route('**/continue', (route) => {
    requests += 1;
    return route.continue();
  });
  await record('€9.80 and $9.80 to 1 partner').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Record payout', exact: true }).click();
  await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
  expect(requests).toBe(1);
  await page.unroute('**/programs/1/payouts');
  await page.unroute('**/continue');
});
