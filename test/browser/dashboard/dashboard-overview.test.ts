import { beforeAll, describe, expect, it } from 'vitest';
import { dateText } from '#lib/apps/web/format.ts';
import { dayAfter } from '#lib/apps/web/period.ts';
import { enterAs, textOf } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { openService } from '#test/browser/support/open-service.ts';

// The overview of a program with sales in two currencies.

const { service, page } = await openService();

const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  await sell('ana', 'USD', 123_456_789_00);
  await sell('ben', 'EUR', 5_600);
  await sell('ben', 'USD', 1_000);
  await eventually(areCounted);
  await enterAs(page, service.demo.owner_email, '/programs/1');
});

async function areCounted(): Promise<void> {
  const { data } = await service.dashboard('GET', '/programs/1/performance');
  if (data.totals.sales !== 3) throw new Error(`${data.totals.sales} of 3 sales are counted`);
}

async function sell(link: string, currency: string, amountCents: number): Promise<void> {
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  const transactionId = `${link} ${currency}`;
  const sale = { transaction_id: transactionId, customer_key: transactionId, click_id, amount_cents: amountCents };
  await service.track('sale', { ...sale, currency });
}

const values = () => page.locator('.metric-value').allInnerTexts();
const rows = async (): Promise<string[]> => {
  const texts = await page.getByRole('table', { name: 'Best partners' }).locator('tbody tr').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
};

const inDollars = ['3', '0', '3', '$123,456,799.00', '$24,691,359.80'];

it('the overview shows amounts in the chosen currency, also after a reload, and ignores an invalid currency', async () => {
  await page.goto('/programs/1?currency=%3Cb%3E');
  await expect.poll(values).toEqual(inDollars);
  await page.getByLabel('Currency').selectOption('EUR');
  await expect.poll(values).toEqual(['3', '0', '3', '€56.00', '€11.20']);
  await page.reload();
  await expect
    .poll(rows)
    .toEqual(['Ben ben@partners.test 1 new 2 0 2 €56.00 €11.20', 'Ana ana@partners.test – 1 0 1 €0.00 €0.00']);
  await expect
    .poll(() => page.locator('.metric .left-out').allInnerTexts())
    .toEqual(['+ $123,456,799.00', '+ $24,691,359.80']);
  await expect.poll(() => textOf(page, '.owed-amounts')).toMatch(/Pending €11\.20 \+ \$24,691,359\.80/);
  expect(new URL(page.url()).search).toBe('?currency=EUR');
  await page.getByLabel('Currency').selectOption('USD');
  await expect.poll(values).toEqual(inDollars);
});

it('the numbers in the overview never wrap, and are in one row if there is room', async () => {
  for (const width of [1440, 1280, 1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const { broken, lines, wide } = await page.evaluate(() => ({
      broken: [...document.querySelectorAll('.metric-value, .money')].filter((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const { right } = range.getBoundingClientRect();
        const card = one.closest('.metric, td, dd, .chart')!.getBoundingClientRect();
        return range.getClientRects().length > 1 || right > card.right;
      }).length,
      lines: new Set([...document.querySelectorAll('.metric')].map((one) => one.getBoundingClientRect().top)).size,
      wide: document.documentElement.scrollWidth,
    }));
    expect([width, broken, wide > width, width < 1280 || lines === 1]).toEqual([width, 0, false, true]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

describe('the chart in the overview', () => {
  it('shows, where the pointer is, the value of that day and of the same day in the previous period', async () => {
    await page.getByRole('button', { name: /^Revenue/ }).click();
    const box = (await page.locator('.chart [role=img]').boundingBox())!;
    await page.mouse.move(box.x + box.width - 18, box.y + 100);
    await expect
      .poll(() => textOf(page, '.chart-tooltip').catch(() => ''))
      .toBe(`Revenue ${dateText(today)} until now: $123,456,799.00 ${dateText(dayAfter(today, -30))}: $0.00`);
    const tooltip = (await page.locator('.chart-tooltip').boundingBox())!;
    expect(tooltip.x).toBeGreaterThan(box.x);
    expect(tooltip.x + tooltip.width).toBeLessThan(box.x + box.width);
    await page.mouse.move(box.x + 50, box.y + 100);
    await expect
      .poll(() => textOf(page, '.chart-tooltip').catch(() => ''))
      .toBe(`Revenue ${dateText(dayAfter(today, -29))}: $0.00 ${dateText(dayAfter(today, -59))}: $0.00`);
    await page.mouse.move(0, 0);
    await page.locator('.chart-tooltip').waitFor({ state: 'detached' });
  });
});

it('the overview shows how many clicks became leads and sales, and at which rates', async () => {
  await expect.poll(() => textOf(page, '.funnel')).toBe('Clicks 3 all clicks Leads 0 0% of clicks Sales 3 –');
});

describe('the best partners in the overview', () => {
  it('are those of the present month if “This month” is selected as the period', async () => {
    await page.getByLabel('Period', { exact: true }).selectOption('This month');
    await page.getByRole('heading', { name: 'Best partners this month' }).waitFor();
    await expect.poll(async () => (await rows())[0]).toMatch(/^Ana .* \$123,456,789\.00 /);
  });
});

it('the overview sends all of its requests in parallel', async () => {
  // Leaving the page ends its requests.
  await page.goto('about:blank');
  const asked: string[] = [];
  const { promise: release, resolve } = Promise.withResolvers<void>();
  const perf = /\/programs\/1\/(performance|owed|readiness|partners)/;
  await page.route(perf, async (route) => {
    asked.push(perf.exec(route.request().url())![1]!);
    await release;
    await route.continue();
  });
  await page.goto('/programs/1');
  // The requests for the best partners, for pending decisions, and for both periods.
  const all = ['owed', 'partners', 'partners', 'performance', 'performance', 'readiness'];
  await expect.poll(() => asked.toSorted()).toEqual(all);
  resolve();
  await expect.poll(values).toEqual(inDollars);
});
