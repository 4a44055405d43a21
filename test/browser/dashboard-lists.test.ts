import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '#test/browser/support/axe.ts';
import { enterAs, newPerson, type Person, textOf } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner with many commissions. Ana had one large sale forty days ago and two in euros since, one of which was partly
// refunded; Ben has 230 small ones. Each test goes on where the one before ended.

const OF_BEN = 230;
/** Fewer than the 120 sales of one minute. */
const A_MINUTE = 115;

const { service, browser } = await openService();
let person: Person;
let page: Page;

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
  for (let made = 1; made <= OF_BEN; made++) {
    if (made % A_MINUTE === 0) await moveClock({ advance_seconds: 60 });
    await sale('of Ben', `b_${made}`, 1_000);
  }
  person = await newPerson(browser, service.url);
  ({ page } = person);
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
  readonly id: number;
  readonly transaction_id: string;
  readonly status: string;
  readonly rejection_reason: string | null;
}

/** What the service holds. */
async function commissions(partnerId: number, status: string): Promise<Listed[]> {
  const found: Listed[] = [];
  let cursor = '';
  do {
    const query = `partner_id=${partnerId}&status=${status}&limit=100${cursor}`;
    const { data, meta } = await service.dashboard('GET', `/programs/1/commissions?${query}`);
    found.push(...data);
    cursor = meta.next_cursor ? `&cursor=${encodeURIComponent(meta.next_cursor)}` : '';
  } while (cursor !== '');
  return found;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const table = () => page.getByRole('table');
const rows = () => table().locator('tbody tr');
const firstRow = () => rows().first().innerText();
const offered = () => page.getByRole('listbox', { name: 'Partners' }).getByRole('option');
const partner = () => page.getByRole('combobox', { name: 'Partner', exact: true });

/** The filters of the address, in the order of their names. */
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

const names = () => table().locator('tbody td:first-child a').allInnerTexts();

const chip = (name: string) => page.getByRole('group', { name: 'Type' }).getByRole('button', { name, exact: true });

const dialog = () => page.getByRole('dialog');

const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });

const said = () => textOf(page, 'dialog p[role="status"]');

/** Visible controls of the page that lie outside the screen. */
const clipped = () =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main a, main button, main input, main select')]
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        const { left, right, width: wide } = control.getBoundingClientRect();
        return wide > 0 && (left < 0 || right > document.documentElement.clientWidth);
      })
      .map((control) => control.outerHTML),
  );

describe('filters', () => {
  const filtered = 'currency=EUR&partner_id=1&period=this-month&status=pending';

  it('of commissions are all in the address', async () => {
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

  it('survive a reload and the way back', async () => {
    await page.reload();
    await expectAnasInEuros();
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('heading', { name: 'Links' }).waitFor();
    await page.goBack();
    await expectAnasInEuros();
    expect(searchOf()).toBe(filtered);
  });

  it('give a file of what they show', async () => {
    const { name, lines } = await saved();
    const today = new Date().toISOString().slice(0, 10);
    expect(name).toBe(`commissions-1-${today.slice(0, 8)}01-${today}.csv`);
    expect(lines.map((line) => line.split(',').slice(2, 12).join(','))).toEqual([
      'transaction_id,partner_id,partner_name,partner_email,status,currency,sale_amount_cents,commission_cents,deducted_cents,payable_cents',
      'a_2,1,Ana,ana@partners.test,pending,EUR,4000,800,200,600',
      'a_1,1,Ana,ana@partners.test,pending,EUR,2000,400,0,400',
    ]);
  });

  it('leave the former rows in sight until the new ones are there', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = async (route: Route) => {
      await promise;
      await route.continue();
    };
    await page.route('**/commissions?status=approved*', held, { times: 1 });
    await page.getByLabel('Status').selectOption('Approved');
    await page.locator('.outdated[aria-busy="true"]').waitFor();
    expect(await rows().count()).toBe(2);
    resolve();
    await page.getByText('No commission matches these filters').waitFor();
    expect(await page.locator('[aria-busy="true"]').count()).toBe(0);
  });

  it('are taken away by one button, and an emptied field means every partner', async () => {
    await button('Reset').click();
    await expect.poll(() => rows().count()).toBe(25);
    expect(searchOf()).toBe('');
    await partner().press('ArrowDown');
    await offered().filter({ hasText: 'Ben' }).click();
    await expect.poll(searchOf).toBe('partner_id=2');
    // Emptying the field ahead of the name would leave the name in it.
    await expect.poll(() => partner().inputValue()).toBe('Ben');
    await partner().fill('');
    await partner().press('Tab');
    await expect.poll(searchOf).toBe('');
  });

  it('that cannot be had show the failure, not the former rows', async () => {
    await page.route('**/commissions?status=paid*', (route) => route.abort(), { times: 1 });
    await page.getByLabel('Status').selectOption('Paid');
    await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    expect(await table().count()).toBe(0);
    await button('Try again').click();
    await page.getByText('No commission matches these filters').waitFor();
  });
});

describe('partners', () => {
  it('are ranked by the revenue of this month', async () => {
    await page.goto('/programs/1/partners');
    await page.getByLabel('Sort by').selectOption('Revenue in USD');
    await expect.poll(names).toEqual(['Ana', 'Ben']);
    await page.getByRole('columnheader', { name: 'Paid out' }).waitFor();
    await page.getByLabel('Period').selectOption('This month');
    await expect.poll(firstRow).toMatch(/^Ben\s+ben@partners\.test\s+1\s+1\s+230\s+\$2,300\.00\s+\$460\.00\s+Remove$/);
    expect(await page.getByRole('columnheader', { name: 'Paid out' }).count()).toBe(0);
    expect(searchOf()).toBe('period=this-month&sort=revenue');
  });

  it('are exported with the figures and in the order that are shown', async () => {
    const { lines } = await saved();
    const withoutTime = lines.map((line) => line.replace(/,[^,]*(?=(,[^,]*){2}$)/, ''));
    expect(withoutTime).toEqual([
      'partner_id,name,email,status,links,clicks,leads,sales,revenue_cents_EUR,commission_cents_EUR,paid_out_cents_EUR,' +
        'revenue_cents_USD,commission_cents_USD,paid_out_cents_USD,repeat_clicks,bot_clicks',
      '2,Ben,ben@partners.test,active,ben,1,1,230,,,,230000,46000,,0,0',
      '1,Ana,ana@partners.test,active,ana gone,0,0,2,6000,1000,,,,,0,0',
    ]);
  });

  it('are sorted by a click on the head of a column, and by another as at first', async () => {
    await button('Clicks').click();
    await expect.poll(searchOf).toBe('period=this-month&sort=clicks');
    await page.getByRole('columnheader', { name: 'Clicks' }).and(page.locator('[aria-sort="descending"]')).waitFor();
    await button('Clicks').click();
    await expect.poll(searchOf).toBe('period=this-month');
    await expect.poll(names).toEqual(['Ana', 'Ben']);
  });

  it('lead to their pages', async () => {
    expect(await page.getByRole('link', { name: 'Ben' }).getAttribute('href')).toBe('/programs/1/partners/2');
  });
});

describe('links', () => {
  it('are found by partner and exported with their money', async () => {
    await page.goto('/programs/1/links?partner_id=2');
    await expect.poll(firstRow).toMatch(/^ben\s+Copy\s+https:\/\/acme\.test\/\?aff=ben\s+Ben\s+1\s+1\s+230\s+\$2,300/);
    expect(await page.getByRole('link', { name: 'ben', exact: true }).getAttribute('href')).toBe(
      '/programs/1/links/ben',
    );
    const { name, lines } = await saved();
    expect(name).toBe('links-1.csv');
    expect(lines.map((line) => line.split(',').slice(0, 11).join(','))).toEqual([
      'short_link,url,destination_url,partner_id,partner_name,status,clicks,leads,sales,revenue_cents_USD,commission_cents_USD',
      'ben,https://acme.test/?aff=ben,https://acme.test/,2,Ben,active,1,1,230,230000,46000',
    ]);
  });
});

describe('events', () => {
  it('are chosen by type, and say what went back', async () => {
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

  it('are exported as they are shown, over all pages', async () => {
    const refunds = await saved();
    expect(refunds.name).toBe('refunds-1.csv');
    expect(refunds.lines).toHaveLength(2);
    expect(refunds.lines[1]).toMatch(/Z,refund,false,1,Ana,of Ana,clk_\w+,,,,a_2,1000,1000,EUR,refund,,$/);
    await chip('Sales').click();
    await expect.poll(() => rows().count()).toBe(25);
    const { lines } = await saved();
    expect(lines).toHaveLength(1 + 3 + OF_BEN);
    expect(lines[1]).toMatch(/Z,sale,false,2,Ben,of Ben,clk_\w+,,,,b_230,1000,0,USD,,,$/);
  });

  it('are those of a period', async () => {
    await chip('Clicks').click();
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByLabel('Period').selectOption('Last 7 days');
    await expect.poll(() => rows().count()).toBe(1);
    expect(searchOf()).toBe('period=7d&type=click');
  });
});

describe('decisions on many commissions', () => {
  it('are made for the rows that were selected', async () => {
    await page.goto('/programs/1/commissions?partner_id=1');
    await page.getByLabel('Select the commission of a_1').check();
    await page.getByLabel('Select all that are shown').check();
    expect(await page.getByLabel('Select the commission of a_old').count()).toBe(0);
    await page.getByText('2 selected, €10.00').waitFor();
    await button('Approve selected…').click();
    await dialog().getByRole('heading', { name: 'Approve 2 pending commissions?' }).waitFor();
    expect(await said()).toBe(
      '€10.00 of 1 partner. They are due with the next payout, also those whose hold is not over.',
    );
    await inDialog('Approve 2').click();
    await inDialog('Done').waitFor();
    expect(await said()).toBe('2 of 2 approved.');
    await inDialog('Done').click();
    await expect.poll(() => table().getByText('Approved', { exact: true }).count()).toBe(3);
    expect((await commissions(1, 'approved')).map(({ transaction_id: id }) => id)).toEqual(['a_2', 'a_1', 'a_old']);
  });

  /** Holds up or breaks the next request that decides. */
  const DECIDING = '**/commissions/approve';

  it('stop behind the running request when the dialog is left', async () => {
    await page.goto('/programs/1/commissions?partner_id=2');
    const { promise, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    await page.route(DECIDING, async (route) => {
      requests++;
      await promise;
      await route.continue();
    });
    await button('Approve all pending that match…').click();
    await dialog().getByRole('heading', { name: 'Approve 230 pending commissions?' }).waitFor();
    expect(await said()).toMatch(/^\$460\.00 of 1 partner\./);
    await inDialog('Approve 230').click();
    await expect.poll(said).toBe('0 of 230 approved.');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    resolve();
    await expect.poll(() => table().getByText('Approved', { exact: true }).count()).toBe(25);
    await page.unroute(DECIDING);
    expect(requests).toBe(1);
    expect(await commissions(2, 'pending')).toHaveLength(130);
  });

  it('say how far they are, go on after a failure, and name what was refused', async () => {
    await page.getByLabel('Status').selectOption('Pending');
    await expect.poll(() => rows().count()).toBe(25);
    await button('Approve all pending that match…').click();
    await dialog().getByRole('heading', { name: 'Approve 130 pending commissions?' }).waitFor();
    // Somebody else decides one meanwhile.
    const other = (await commissions(2, 'pending')).find(({ transaction_id: id }) => id === 'b_100')!;
    await service.dashboard('POST', `/programs/1/commissions/${other.id}/reject`, { reason: 'By somebody else' });

    let requests = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(DECIDING, async (route) => {
      requests++;
      if (requests !== 2) return route.continue();
      await promise;
      return route.abort();
    });
    await inDialog('Approve 130').click();
    await expect.poll(said).toBe('99 of 130 approved.');
    expect(await dialog().getByRole('progressbar').getAttribute('value')).toBe('100');
    resolve();
    await dialog().getByRole('alert').getByText('The service could not be reached.').waitFor();
    expect(await said()).toBe('99 of 130 approved. 30 commissions not tried, or without an answer.');
    await inDialog('Go on with 30').click();
    await inDialog('Done').waitFor();
    await expect.poll(said).toBe('129 of 130 approved.');
    expect(await dialog().getByRole('alert').count()).toBe(0);
    expect(await dialog().getByRole('table').locator('tbody').innerText()).toMatch(
      /^b_100\s+Commission status cannot be changed to approved. Current status: rejected$/,
    );
    expect(await inDialog('Go on with 1').count()).toBe(0);
    await inDialog('Done').click();
    await page.getByText('No commission matches these filters').waitFor();
    await page.unroute(DECIDING);
    expect(requests).toBe(3);
    expect(await commissions(2, 'approved')).toHaveLength(229);
  });

  it('are not offered for an empty list, and else say that nothing matches', async () => {
    expect(await button('Approve all pending that match…').count()).toBe(0);
    await page.getByLabel('Status').selectOption('All');
    await button('Approve all pending that match…').click();
    await dialog().getByText('No pending commission matches.').waitFor();
    await dialog().getByText('Close').click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('reject all that match for one reason', async () => {
    await moveClock({ advance_seconds: 120 });
    for (const id of ['r_1', 'r_2']) await sale('of Ben', id, 5_000);
    await button('Reset').click();
    await button('Reject all pending…').click();
    await dialog().getByRole('heading', { name: 'Reject 2 pending commissions?' }).waitFor();
    expect(await said()).toBe('$20.00 of 1 partner. The partners get nothing for them. This cannot be undone.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('reason');
    await page.keyboard.type('Bought by the partner');
    await inDialog('Reject 2').click();
    await inDialog('Done').waitFor();
    expect(await said()).toBe('2 of 2 rejected.');
    await inDialog('Done').press('Enter');
    await table().getByText('Bought by the partner').first().waitFor();
    const rejected = await commissions(2, 'rejected');
    expect(rejected.map(({ transaction_id: id, rejection_reason: reason }) => [id, reason])).toEqual([
      ['r_2', 'Bought by the partner'],
      ['r_1', 'Bought by the partner'],
      ['b_100', 'By somebody else'],
    ]);
  });
});

it('a list shows by the way back the rows that were loaded, at the place where they were read, as they are now', async () => {
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
  const asked = page.waitForResponse((response) => response.url().includes('/commissions?limit=100'));
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  expect(await rows().count()).toBe(75);
  await asked;
  await expect.poll(() => rows().count()).toBe(100);
  expect((await rows().allInnerTexts()).slice(0, 75)).toEqual(seen);

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.getByRole('link', { name: 'Commissions', exact: true }).click();
  await expect.poll(() => rows().count()).toBe(25);
});

it('met no error of a script and nothing that the policy stopped', () => {
  expect(person.problems).toEqual([]);
});

describe.each([390, 320])('at %i pixels', (width) => {
  let phone: Person;

  beforeAll(async () => {
    await moveClock({ advance_seconds: 60 });
    await sale('of Ben', `of ${width}`, 5_000);
    // The page's policy blocks axe.
    phone = await newPerson(browser, service.url, { viewport: { width, height: 800 }, bypassCSP: true });
    ({ page } = phone);
    await enterAs(page, service.demo.owner_email, '/programs/1/commissions');
  });
  afterAll(() => phone.leave());

  it('has the filters behind a button, and commissions in cards that can be selected', async () => {
    await rows().first().waitFor();
    expect(await page.getByLabel('Status').isVisible()).toBe(false);
    await button('Filters').click();
    await page.getByLabel('Status').selectOption('Pending');
    await button('Filters (1)').waitFor();
    await expect.poll(() => rows().count()).toBe(1);
    await partner().click();
    await offered().filter({ hasText: 'Ben' }).waitFor();
    expect(await clipped()).toEqual([]);
    expect(await accessibilityFindings(page)).toEqual([]);
    await offered().filter({ hasText: 'Ben' }).click();
    await button('Filters (2)').waitFor();
    await page.getByLabel(`Select the commission of of ${width}`).check();
    await button('Approve selected…').click();
    await page.getByRole('heading', { name: 'Approve 1 pending commission?' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 1' }).click();
    await page.getByText('1 of 1 approved.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('No commission matches these filters').waitFor();
  });

  it.each(['commissions', 'events', 'partners', 'links'])('reaches every control of %s', async (name) => {
    await page.goto(`/programs/1/${name}`);
    await rows().first().waitFor();
    await button('Filters').click();
    expect(await clipped()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});
