import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '#test/browser/support/axe.ts';
import { enterAs, textOf } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';
import { unreachable } from '#test/browser/support/reachable.ts';

// An owner with many commissions. Ana had one large sale forty days ago and two in euros since, one of which was partly
// refunded; Ben has more small ones than fit into one bulk request. Each test continues the previous one.

/** Below the limit of 120 sales a minute. */
const OF_BEN = 110;

const { service, page } = await openService({ bypassCSP: true });

beforeAll(async () => {
  await service.dashboard('PATCH', '/programs/1', { commission_type: 'recurring_percent', commission_rate: 20 });
  await moveClock({ advance_seconds: -40 * 86_400 });
  await visitor('ana', 'of Ana');
  await sale('of Ana', 'a_old', 900_000);
  await moveClock({ reset: true });
  await sale('of Ana', 'a_1', 2_000, 'EUR');
  await sale('of Ana', 'a_2', 4_000, 'EUR');
  await service.track('refund', { transaction_id: 'a_2', refund_amount_cents: 1_000 });
  await visitor('ben', 'of Ben');
  for (let made = 1; made <= OF_BEN; made++) await sale('of Ben', `b_${made}`, 1_000);
  await enterAs(page, service.demo.owner_email, '/programs/1/commissions');
});

async function moveClock(move: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const moved = await fetch(`${service.url}/local/clock`, { method: 'POST', headers, body: JSON.stringify(move) });
  expect(moved.status).toBe(200);
}

async function visitor(link: string, customerKey: string): Promise<void> {
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  await service.track('lead', { click_id, customer_key: customerKey, email: 'jo@example.com' });
}

const sale = (customerKey: string, transactionId: string, amountCents: number, currency = 'USD') =>
  service.track('sale', {
    customer_key: customerKey,
    transaction_id: transactionId,
    amount_cents: amountCents,
    currency,
  });

interface Listed {
  readonly rejection_reason: string | null;
}

/** The service's data, as far as it is on one page. */
const ofBen = async (status: string): Promise<Listed[]> =>
  (await service.dashboard('GET', `/programs/1/commissions?partner_id=2&status=${status}&limit=100`)).data;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const table = () => page.getByRole('table');
const rows = () => table().locator('tbody tr');
const firstRow = () => rows().first().innerText();
const offered = () => page.getByRole('listbox', { name: 'Partners' }).getByRole('option');
const partner = () => page.getByRole('combobox', { name: 'Partner', exact: true });

/** The filters in the URL, ordered by name. */
function searchOf(): string {
  const { searchParams } = new URL(page.url());
  searchParams.sort();
  return searchParams.toString();
}

async function saved(): Promise<{ readonly name: string; readonly lines: readonly string[] }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.endsWith('\r\n')).toBe(true);
  return { name: download.suggestedFilename(), lines: text.trimEnd().split('\r\n') };
}

async function expectAnasInEuros(): Promise<void> {
  await expect.poll(() => table().locator('a[title^="a_"]').allInnerTexts()).toEqual(['a_2', 'a_1']);
  expect(await rows().count()).toBe(2);
  expect(await page.getByLabel('Status').inputValue()).toBe('pending');
  await expect.poll(() => partner().inputValue()).toBe('Ana');
  expect(await page.getByLabel('Currency').inputValue()).toBe('EUR');
  expect(await page.getByLabel('Period').inputValue()).toBe('this-month');
}

const names = () => table().locator('tbody th a').allInnerTexts();

const chip = (name: string) => page.getByRole('group', { name: 'Type' }).getByRole('button', { name, exact: true });

const dialog = () => page.getByRole('dialog');

const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });

const said = () => textOf(page, 'dialog p[role="status"]');

describe('filters of the dashboard’s lists', () => {
  const filtered = 'currency=EUR&partner_id=1&period=this-month&status=pending';

  it('are all contained in the URL of the list of commissions', async () => {
    await page.getByLabel('Status').selectOption('Pending');
    await partner().fill('ana@');
    await offered().filter({ hasText: 'Ana' }).waitFor();
    await expect.poll(() => offered().count()).toBe(1);
    await partner().press('Enter');
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByLabel('Period').selectOption('This month');
    await expectAnasInEuros();
    expect(searchOf()).toBe(filtered);
  });

  it('survive a reload and the back button', async () => {
    await page.reload();
    await expectAnasInEuros();
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('heading', { name: 'Links' }).waitFor();
    await page.goBack();
    await expectAnasInEuros();
    expect(searchOf()).toBe(filtered);
  });

  it('also apply to the exported file', async () => {
    const { name, lines } = await saved();
    const today = new Date().toISOString().slice(0, 10);
    expect(name).toBe(`commissions-1-${today.slice(0, 8)}01-${today}.csv`);
    expect(lines.map((line) => line.split(',').slice(2, 12).join(','))).toEqual([
      'transaction_id,partner_id,partner_name,partner_email,status,currency,sale_amount_cents,commission_cents,deducted_cents,payable_cents',
      'a_2,1,Ana,ana@partners.test,pending,EUR,4000,800,200,600',
      'a_1,1,Ana,ana@partners.test,pending,EUR,2000,400,0,400',
    ]);
  });

  it('are cleared by one button; a partner field that is emptied selects every partner', async () => {
    await button('Reset').click();
    await expect.poll(() => rows().count()).toBe(25);
    expect(searchOf()).toBe('');
    await partner().press('ArrowDown');
    await offered().filter({ hasText: 'Ben' }).click();
    await expect.poll(searchOf).toBe('partner_id=2');
    // If the field were cleared before it shows the name, the name would stay in it.
    await expect.poll(() => partner().inputValue()).toBe('Ben');
    await partner().fill('');
    await partner().press('Tab');
    await expect.poll(searchOf).toBe('');
  });
});

describe('the list of partners in the dashboard', () => {
  it('is ranked by clicking a column’s head; a second click restores the order of time', async () => {
    await page.goto('/programs/1/partners');
    await button('Clicks').click();
    await expect.poll(searchOf).toBe('sort=clicks');
    await page.getByRole('columnheader', { name: 'Clicks' }).and(page.locator('[aria-sort="descending"]')).waitFor();
    await button('Clicks').click();
    await expect.poll(searchOf).toBe('');
    await expect.poll(names).toEqual(['Ana', 'Ben']);
  });
});

describe('the list of events in the dashboard', () => {
  it('can be limited to a type, and shows refunds as negative amounts', async () => {
    await page.goto('/programs/1/events');
    await expect.poll(() => rows().count()).toBe(25);
    await chip('Refunds').click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(await chip('Refunds').getAttribute('aria-pressed')).toBe('true');
    expect(await chip('All').getAttribute('aria-pressed')).toBe('false');
    expect(await firstRow()).toMatch(/refund\s+-€10\.00 refund of a_2\s+Ana\s+of Ana$/);
    const customer = page.getByRole('link', { name: 'of Ana' });
    expect(await customer.getAttribute('href')).toMatch(/^\/programs\/1\/customers\/clk_\w+$/);
    await page.reload();
    await expect.poll(() => rows().count()).toBe(1);
  });
});

describe('decisions on many commissions in the dashboard’s list', () => {
  const DECIDING = '**/commissions/approve';

  it('send no further request after the running one if the dialog is closed', async () => {
    await page.goto('/programs/1/commissions?partner_id=2');
    await page.getByLabel('Select all that are shown').check();
    await page.getByText('25 selected, $50.00').waitFor();
    await page.getByLabel('Select all that are shown').uncheck();
    const { promise, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    await page.route(DECIDING, async (route) => {
      requests++;
      await promise;
      await route.continue();
    });
    await button('Approve all pending that match…').click();
    await dialog().getByRole('heading', { name: 'Approve 110 pending commissions?' }).waitFor();
    expect(await said()).toMatch(/^\$220\.00 of 1 partner\./);
    await inDialog('Approve 110').click();
    await expect.poll(said).toBe('0 of 110 approved.');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    resolve();
    await expect.poll(() => table().getByText('Approved', { exact: true }).count()).toBe(25);
    await page.unroute(DECIDING);
    expect(requests).toBe(1);
    expect(await ofBen('pending')).toHaveLength(10);
  });

  it('reject all commissions that match the filter, with one reason', async () => {
    await button('Reject all pending that match…').click();
    await dialog().getByRole('heading', { name: 'Reject 10 pending commissions?' }).waitFor();
    expect(await said()).toBe('$20.00 of 1 partner. The partners get nothing for them, unless you reopen them later.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('reason');
    await page.keyboard.type('Bought by the partner');
    await inDialog('Reject 10').click();
    await inDialog('Done').waitFor();
    expect(await said()).toBe('10 of 10 rejected.');
    await inDialog('Done').press('Enter');
    await dialog().waitFor({ state: 'detached' });
    const rejected = await ofBen('rejected');
    expect(rejected.map(({ rejection_reason: reason }) => reason)).toEqual(Array(10).fill('Bought by the partner'));
  });
});

it('the back button returns to the list with the same rows loaded, at the same position and with current data', async () => {
  await page.goto('/programs/1/commissions');
  await rows().first().waitFor();
  for (const loaded of [50, 75]) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rows().count()).toBe(loaded);
  }
  const seen = await rows().allInnerTexts();
  const row = rows().nth(60);
  await row.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(1_000);
  await row.getByRole('link', { name: 'Ben' }).click();
  await page.getByRole('heading', { name: 'Ben', level: 1 }).waitFor();
  const released = Promise.withResolvers<void>();
  await page.route(/\/commissions\?limit=100/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  expect(await rows().count()).toBe(75);
  released.resolve();
  await expect.poll(() => rows().count()).toBe(100);
  expect((await rows().allInnerTexts()).slice(0, 75)).toEqual(seen);

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.getByRole('link', { name: 'Commissions', exact: true }).click();
  await expect.poll(() => rows().count()).toBe(25);
});

describe('a list of the dashboard on a screen of 320 pixels', () => {
  beforeAll(async () => {
    await sale('of Ben', 'of a phone', 5_000);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto('/programs/1/commissions');
  });

  it('has its filters behind a button, and shows commissions as cards that can be selected', async () => {
    await rows().first().waitFor();
    expect(await page.getByLabel('Status').isVisible()).toBe(false);
    await button('Filters').click();
    await page.getByLabel('Status').selectOption('Pending');
    await button('Filters (1)').waitFor();
    await partner().click();
    await offered().filter({ hasText: 'Ben' }).waitFor();
    expect(await unreachable(page)).toEqual([]);
    expect(await accessibilityFindings(page)).toEqual([]);
    await offered().filter({ hasText: 'Ben' }).click();
    await button('Filters (2)').waitFor();
    await page.getByLabel('Select the commission of of a phone').check();
    await button('Approve selected…').click();
    await page.getByRole('heading', { name: 'Approve 1 pending commission?' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 1' }).click();
    await page.getByText('1 of 1 approved.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it.each(['events', 'partners', 'links'])('shows every control of %s', async (name) => {
    await page.goto(`/programs/1/${name}`);
    await rows().first().waitFor();
    await button('Filters').click();
    expect(await unreachable(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});
