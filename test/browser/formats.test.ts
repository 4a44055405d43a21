import { beforeAll, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { openService } from '#test/browser/support/open-service.ts';

// A browser in German, west of Greenwich: numbers, money and days are German, the words of the pages English.

const timeZone = 'America/New_York';
const { service, page, newPage } = await openService({ locale: 'de-DE', timezoneId: timeZone });
const MONEY = '1.234,56\u{A0}$';
const COMMISSION = '246,91\u{A0}$';

const dayIn = (zone: string): string =>
  new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: zone }).format(new Date());

beforeAll(async () => {
  const { click_id } = await service.track('click', { affiliate_url: 'https://acme.test/?aff=ana' });
  await service.track('lead', { click_id, customer_key: 'u1', email: 'jo@example.com' });
  await service.track('sale', { customer_key: 'u1', transaction_id: 'in_1', amount_cents: 123_456 });
  // Counters follow the events within seconds.
  await eventually(async () => {
    const { data } = await service.dashboard('GET', '/programs/1/performance');
    if (data.totals.sales !== 1) throw new Error(`${data.totals.sales} of 1 sales are counted`);
  });
});

it('the dashboard writes amounts and times by the language and the time zone of the browser', async () => {
  await enterAs(page, service.demo.owner_email, '/programs/1/commissions');
  const row = page.getByRole('row', { name: /in_1/ });
  await expect.poll(() => row.innerText()).toContain(MONEY);
  expect(await row.innerText()).toContain(COMMISSION);
  expect(await row.innerText()).toContain(dayIn(timeZone));
  await page.goto('/programs/1');
  await page.getByRole('button', { name: /^Revenue/ }).click();
  await expect.poll(() => page.locator('.metric-value').allInnerTexts()).toContain(MONEY);
  await expect.poll(() => page.locator('.chart text').allTextContents()).toContain('1500\u{A0}$');
  expect(await page.locator('.chart-legend').innerText()).toContain(dayIn('UTC'));
});

it('the last use of a session is a UTC day, which is shown unchanged west of Greenwich, too', async () => {
  const ana = await newPage();
  await enterAs(ana, 'ana@partners.test', '/partner/settings');
  const own = ana.getByRole('row', { name: /\(this one\)/ });
  await expect.poll(() => own.getByRole('cell').nth(1).innerText()).toBe(dayIn('UTC'));
});

it('the portal writes amounts and times by the language and the time zone of the browser', async () => {
  const partner = await newPage();
  await enterAs(partner, service.demo.partner.email, '/partner/programs/1');
  await expect.poll(() => partner.locator('.metric-value').allInnerTexts()).toContain(COMMISSION);
  await partner.getByText('20\u{A0}% of each sale').first().waitFor();
});
