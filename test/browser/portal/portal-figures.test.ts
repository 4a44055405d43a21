import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, page, newPage } = await openService();
let program: string;

/** A customer who pays 49 dollars, of which a partner gets 20 percent. */
async function sale(link: string, order: string): Promise<void> {
  const { track } = service;
  const { click_id: clickId } = await track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  await track('lead', { click_id: clickId, customer_key: `user-${order}` });
  await track('sale', { transaction_id: order, customer_key: `user-${order}`, amount_cents: 4900 });
}

const grant = (amountCents: number) =>
  service.dashboard('POST', `${program}/partners/${service.demo.partner.id}/commissions`, {
    amount_cents: amountCents,
    currency: 'USD',
    reason: 'Bonus',
  });

beforeAll(async () => {
  program = `/programs/${service.demo.program_id}`;
  await enterAs(page, 'ana@partners.test', `/partner${program}`);
});

it('the portal’s overview without any figures has the next step instead of a chart', async () => {
  await page.getByText('No clicks or sales in this period').waitFor();
  expect(await page.getByRole('region', { name: 'Performance' }).getByRole('img').count()).toBe(0);
  await page.getByRole('link', { name: 'one of your links' }).click();
  await page.getByRole('heading', { name: 'Links' }).waitFor();
});

it('the portal’s overview shows the partner’s numbers, and the next days on which money is due', async () => {
  await sale('ana', 'order-kept');
  await sale('ana', 'order-refunded');
  await sale('ben', 'order-of-ben');
  await service.track('refund', { transaction_id: 'order-refunded' });
  await page.goto(`/partner${program}`);
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('button', { name: /^Sales/ }).waitFor();
      return (await page.getByRole('group', { name: 'Choose what the chart shows' }).innerText()).replaceAll(
        /\s+/g,
        ' ',
      );
    })
    .toMatch(/Earned \$9\.80 .*Clicks 2 .*Sales 2 .*Revenue \$49\.00/);
  await page.getByText('$49.00 refunded', { exact: true }).waitFor();
  const money = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your money' }) });
  await money.getByText('$9.80 on').waitFor();
});

it('the portal’s overview begins with the partner’s link, and a button copies it', async () => {
  const link = page.getByRole('region', { name: 'Your link' });
  await link.getByText('https://acme.test/?aff=ana', { exact: true }).waitFor();
  await link.getByRole('button', { name: 'Copy your link' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://acme.test/?aff=ana');
  const report = await page.getByRole('region', { name: 'Performance' }).boundingBox();
  expect((await link.boundingBox())!.y).toBeLessThan(report!.y);
});

it('the portal’s first page shows the totals of all programs, and each program with its link', async () => {
  await page.goto('/partner');
  const tiles = page.locator('dl', { hasText: 'Next payout' });
  expect((await tiles.innerText()).split('\n')).toEqual([
    'This month',
    '$9.80',
    'Pending',
    '$9.80',
    'Ready',
    '–',
    'Next payout',
    'No date yet',
  ]);
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Acme Pro' }) });
  await card.getByText('https://acme.test/?aff=ana', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Copy your link of Acme Pro' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://acme.test/?aff=ana');
  await page.getByRole('link', { name: 'Enter payout details' }).waitFor();
  await card.getByRole('link', { name: 'Acme Pro' }).click();
  await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
});

it('the portal calls a customer by the last characters of an id and the day of the first click', async () => {
  await page.getByRole('link', { name: 'Customers', exact: true }).click();
  const names = page.getByRole('table', { name: 'Customers' }).getByRole('rowheader');
  await expect.poll(() => names.count()).toBe(2);
  for (const name of await names.allInnerTexts()) expect(name).toMatch(/^Customer …[A-Za-z0-9]{4}, since /);
});

it('the portal lists the partner’s own commissions and explains each of them', async () => {
  await page.getByRole('link', { name: 'Commissions', exact: true }).click();
  const table = page.getByRole('table', { name: 'Commissions' });
  await expect.poll(() => table.getByRole('link').count()).toBe(2);
  await table.getByText('The customer got the money back.').waitFor();
  await page.getByRole('button', { name: 'Pending' }).click();
  await expect.poll(() => table.getByRole('link').count()).toBe(1);
  await table.getByRole('link').click();
  const why = page.locator('section', { has: page.getByRole('heading', { name: 'Why it waits' }) });
  await why
    .getByText(/^The customer may still get the money back\. From \w{3} \d+, \d{4} on, the commission is ready/)
    .waitFor();
  const story = await page.locator('.timeline').innerText();
  expect(story).toMatch(/Click[^]*Signup[^]*Payment[^]*Commission/);
  expect(await page.locator('main').innerText()).not.toMatch(/order-|user-|clk_/);
  await page.goto(`/partner${program}/commissions?status=reversed`);
  await table.getByRole('link').click();
  await page.getByRole('heading', { name: 'Why you do not get it' }).waitFor();
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Why you do not get it' }) });
  expect(await card.locator('p').first().innerText()).toBe('The customer got the money back.');
});

it('the list of commissions in the portal can be saved as a file', async () => {
  await page.goto(`/partner${program}/commissions`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('payable_cents');
});

it('the portal shows a payout with the reference that the brand entered', async () => {
  for (const amountCents of [700, 2500]) await grant(amountCents);
  const { data: payout } = await service.dashboard('POST', `${program}/payouts`, {});
  await service.dashboard('PATCH', `${program}/payouts/${payout.id}`, { reference: 'ACME-1' });
  await page.getByRole('link', { name: 'Payouts', exact: true }).click();
  const row = page.getByRole('row', { name: new RegExp(`^Payout ${payout.id}`) });
  await row.getByText('$32.00').waitFor();
  await row.getByText('ACME-1').waitFor();
});

it('the overview says how much is on the way, and leads to the payouts', async () => {
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const paid = page.getByRole('row', { name: /^USD/ }).getByRole('cell').last();
  // The counters of what is paid follow within seconds.
  await eventually(async () => {
    await page.reload();
    await paid.waitFor();
    expect(await paid.innerText()).toContain('+ $32.00 on the way');
  });
  await page.getByRole('link', { name: 'on the way' }).click();
  await page.getByRole('heading', { name: 'Payouts' }).waitFor();
});

it('the portal lists the items of a payout, which add up to its amount', async () => {
  await page
    .getByRole('row', { name: /^Payout/ })
    .getByRole('link')
    .first()
    .click();
  const table = page.getByRole('table', { name: 'Commissions of the payout' });
  await expect.poll(() => table.getByRole('link').count()).toBe(2);
  const rows = await table.locator('tbody tr').allInnerTexts();
  // The highest id first: the bonus was granted last.
  expect(rows.map((row) => row.match(/\$[\d.]+$/)?.[0])).toEqual(['$25.00', '$7.00']);
  await page.getByText('Together: $32.00').waitFor();
  await page.getByText('ACME-1').waitFor();
  await table.getByRole('link').first().click();
  await page.getByRole('link', { name: /^Payout \d+$/ }).click();
  await page.getByText('Together: $32.00').waitFor();
  await page.goto(`/partner${program}/payouts/0`);
  await page.getByText('There is no such payout').waitFor();
});

it('an owner who views the portal as a partner sees the same pages and cannot change anything', async () => {
  const owner = await newPage();
  await enterAs(owner, service.demo.owner_email, `${program}/partners/${service.demo.partner.id}`);
  const [seen] = await Promise.all([
    owner.context().waitForEvent('page'),
    owner.getByRole('link', { name: 'View as partner' }).click(),
  ]);
  await seen.getByText('as this partner sees it. Nothing can be changed here.').waitFor();
  await seen.getByRole('link', { name: 'Links', exact: true }).click();
  await seen.getByRole('row', { name: /^ana / }).waitFor();
  expect(new URL(seen.url()).search).toBe(`?as=${service.demo.partner.id}`);
  expect(await seen.getByRole('button', { name: /Make a link|Switch/ }).count()).toBe(0);

  for (const path of ['/partner', '/partner/settings', '/partner/payout-details']) {
    await seen.goto(`${path}?as=${service.demo.partner.id}`);
    await seen.getByText('Nobody else sees these pages.').waitFor();
    expect(await seen.getByRole('main').getByRole('button').count()).toBe(0);
  }
  await seen.goto(`/partner${program}?as=${service.demo.partner.id}`);
  await seen.getByRole('link', { name: 'Back to the partner in your dashboard' }).click();
  await seen.getByRole('link', { name: 'View as partner' }).waitFor();
});

it('the amount due in the portal is reduced by refunds of sales whose commissions were already paid', async () => {
  const { data: pending } = await service.dashboard('GET', `${program}/commissions?status=pending`);
  const own = pending.find(({ partner_id: id }: { partner_id: number }) => id === service.demo.partner.id);
  await service.dashboard('POST', `${program}/commissions/${own.id}/approve`, {});
  await service.dashboard('POST', `${program}/payouts`, {});
  await service.track('refund', { transaction_id: 'order-kept' });
  await grant(400);
  await page.goto(`/partner${program}`);
  const money = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your money' }) });
  await money.getByText('$4.00 of what was approved since makes up for that, and is not counted above.').waitFor();
  await money.getByText('$5.80 more will be taken off what you earn next.').waitFor();
  // The paid amounts follow within seconds.
  expect(await money.locator('tbody tr').innerText()).toMatch(/^USD\s+\$0\.00\s+\$0\.00\s/);
});
