import { beforeAll, expect, it } from 'vitest';
import { dateText } from '#lib/apps/web/format.ts';
import { enterAs, payToPayPal, rowsOf, textOf } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner, from a new link to the payout. Each test continues the previous one.

const { service, page } = await openService();

beforeAll(async () => {
  await payToPayPal(service.url, 'ben@partners.test', 'ben@money.test');
  await enterAs(page, service.demo.owner_email, '/');
});

const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

/** A visitor of the link signs up and pays, another one each time. */
async function sell(link: string, transactionId: string, amountCents: number): Promise<void> {
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  await service.track('lead', { click_id, customer_key: `of ${transactionId}`, email: 'jo@example.com' });
  await service.track('sale', {
    customer_key: `of ${transactionId}`,
    transaction_id: transactionId,
    amount_cents: amountCents,
  });
}

it('the overview of an empty program shows the first steps to take', async () => {
  await page.getByText('The set-up is not finished.').waitFor();
  await expect.poll(() => page.locator('.metric-value').allInnerTexts()).toEqual(['0', '0', '0', '$0.00', '$0.00']);
});

it('an owner adds a link for a partner and copies it', async () => {
  await open('Links');
  await page.getByRole('button', { name: 'Add link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add link' });
  await dialog.getByLabel('Partner').fill('ben');
  await dialog.getByRole('option', { name: 'Ben' }).click();
  await dialog.getByLabel('Name of the link').fill('ana');
  await dialog.getByRole('button', { name: 'Add link' }).click();
  await dialog.getByText('Name of the link is already taken').waitFor();
  await dialog.getByLabel('Name of the link').fill('ben-spring');
  await dialog.getByLabel('Leads to').fill('https://acme.test/spring');
  await dialog.getByRole('button', { name: 'Add link' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Copy link ben-spring' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('https://acme.test/spring?aff=ben-spring');
});

/** Each page load is several requests that count toward the rate limit. */
const slowly = { interval: 1_000 };
const refresh = () => page.getByRole('button', { name: 'Refresh' }).click();

it('the overview shows clicks, leads, sales and money as charts and numbers', async () => {
  await sell('ben-spring', 'in_1', 4_900);
  await sell('ben-spring', 'in_2', 10_000);
  await sell('ana', 'in_3', 2_000);
  await open('Overview');
  await expect
    .poll(async () => {
      await refresh();
      return page.locator('.metric-value').allInnerTexts();
    }, slowly)
    .toEqual(['3', '3', '3', '$169.00', '$33.80']);
  await page.getByRole('button', { name: /^Revenue/ }).click();
  const today = dateText(new Date().toISOString().slice(0, 10));
  await page
    .getByRole('img', { name: new RegExp(`^Revenue per day from .* to ${today}: \\$169\\.00 in all`) })
    .waitFor();
  // The line of today, which is not over, ends higher than it begins.
  expect(await lineHeights()).toEqual([0, 1]);
  // The table is rendered on demand, because the overview would otherwise wait for its cells.
  expect(await page.locator('.report table').count()).toBe(0);
  await page.getByText('Show the days as a table').click();
  const days = page.getByRole('table', { name: 'Performance per day' });
  await expect.poll(() => days.getByRole('row').nth(1).innerText()).toMatch(/3\s+3\s+3\s+\$169\.00\s+\$33\.80$/);
});

/** How high the part of the chart's line for today begins and ends, as parts of its height. */
const lineHeights = () =>
  page.locator('.chart-line.open').evaluate((line: SVGPathElement) => {
    const { y, height } = line.getBBox();
    return [0, line.getTotalLength()].map((at) => Math.round((y + height - line.getPointAtLength(at).y) / height));
  });

it('an owner finds a sale in the list of events, with the reason for its attribution', async () => {
  await open('Events');
  await page.getByRole('group', { name: 'Type' }).getByRole('button', { name: 'Sales' }).click();
  await expect.poll(() => page.getByRole('row').count()).toBe(4);
  await page.getByRole('link', { name: 'in_1', exact: true }).click();
  await page.getByRole('heading', { name: 'Why Ben' }).waitFor();
  expect(await textOf(page, '.why-text')).toBe(
    'Customer of in_1 was found by your own id for them. The first click came through link ben-spring of Ben.',
  );
  await expect
    .poll(() => page.locator('.timeline-step p').allInnerTexts())
    .toEqual([
      'First click through link ben-spring (Ben)',
      'Lead confirmed by your server',
      'Sale of 49.00 USD recorded',
      'Commission created: 9.80 USD',
    ]);
});

it('an owner rejects a commission with a reason', async () => {
  await open('Commissions');
  await page.getByRole('button', { name: 'Reject the commission of in_3' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject this commission?' });
  await dialog.getByLabel('Reason').fill('Ana bought it herself');
  await dialog.getByRole('button', { name: 'Reject commission' }).click();
  await row('in_3').getByText('Rejected').waitFor();
  await row('in_3').getByText('Ana bought it herself').waitFor();
});

it('an owner reopens a rejected commission with a reason, and rejects it again', async () => {
  await page.getByRole('button', { name: 'Reopen the commission of in_3' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reopen this commission?' });
  await dialog.getByLabel('Reason').fill('It was her sister');
  await dialog.getByRole('button', { name: 'Reopen commission' }).click();
  await row('in_3').getByText('Pending').waitFor();
  await row('in_3').getByText('reopened: only a person approves it').waitFor();
  expect(await row('in_3').getByText('Ana bought it herself').count()).toBe(0);
  await page.getByRole('button', { name: 'Reject the commission of in_3' }).click();
  const again = page.getByRole('dialog', { name: 'Reject this commission?' });
  await again.getByLabel('Reason').fill('Ana bought it herself');
  await again.getByRole('button', { name: 'Reject commission' }).click();
  await row('in_3').getByText('Rejected').waitFor();
});

it('an owner approves a commission, pays it out and gets the list of payments', async () => {
  await page.getByRole('button', { name: 'Approve the commission of in_1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve commission' }).click();
  await row('in_1').getByText('Approved').waitFor();
  await open('Pay out');
  await page.getByRole('button', { name: 'Record payout of $9.80 to 1 partner…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Record payout', exact: true }).click();
  await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
  const amounts = page.getByRole('table', { name: 'Amounts' });
  await expect
    .poll(() => amounts.getByRole('row').nth(1).innerText())
    .toMatch(/^\s*Ben\s+ben@partners\.test\s+PayPal\s+b\*\*\*@money\.test\s+\S+\s+1 commission\s+Recorded\s+\$9\.80$/);
  await open('Commissions');
  await row('in_1').getByText('Recorded', { exact: true }).waitFor();
});

it('an owner changes the program’s settings', async () => {
  await open('Settings');
  await open('Terms');
  await page.getByLabel('Commission', { exact: true }).selectOption('Fixed amount per sale, with renewals');
  expect(await page.getByLabel('Currency').getByRole('option').allInnerTexts()).toEqual(['USD', 'EUR', 'VND']);
  await page.getByLabel('Currency').selectOption('EUR');
  await page
    .locator('.input-row', { has: page.getByLabel('Amount') })
    .getByText('EUR')
    .waitFor();
  await page.getByLabel('Amount').fill('12.5');
  await page.getByLabel('Renewals count for').fill('6');
  await page.getByRole('button', { name: 'Save terms' }).click();
  await page.getByRole('button', { name: 'Change terms' }).click();
  await page.getByText('Saved.').waitFor();
  await row('Version 2').getByText('owner@acme.test').waitFor();
  expect(await rowsOf(page, 'History of terms')).toEqual([
    expect.stringMatching(
      /^Program Version 2 €12\.5 per sale, renewals for 6 months\. Commissions wait 15 days for refunds\. .* In force owner owner@acme\.test$/,
    ),
    expect.stringMatching(/^Program Version 1 20% of each sale, .* –$/),
  ]);
  await open('Tracking');
  await page.getByLabel('Attribution window').fill('30');
  await page.getByLabel('Allowed origins').fill('https://acme.test/\nhttps://app.acme.test');
  await page.getByRole('button', { name: 'Save tracking' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Payouts' }).click();
  await page.getByLabel('Approve by itself when the hold is over').uncheck();
  await page.getByRole('button', { name: 'Save payouts' }).click();
  await page.getByText('Saved.').waitFor();
  expect((await service.dashboard('GET', `/programs/${service.demo.program_id}`)).data).toMatchObject({
    commission_type: 'recurring_fixed',
    commission_rate: 12.5,
    currency: 'EUR',
    duration_months: 6,
    attribution_window_days: 30,
    allowed_origins: ['https://acme.test', 'https://app.acme.test'],
    hold_period_days: 15,
    auto_approve: false,
  });
});
