import { beforeAll, describe, expect, it } from 'vitest';
import { enterAs, textOf } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner searches for customers and reads their stories. Each test continues the previous one.

const { service, page, newPage } = await openService();
/** Click id of a customer of Ana with two sales and a refund. */
let clickId: string;

const click = async (link: string): Promise<string> =>
  (await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` })).click_id;

beforeAll(async () => {
  clickId = await click('ana');
  await service.track('lead', { click_id: clickId, customer_key: 'user_1', email: 'jo@example.com' });
  await service.track('sale', { transaction_id: 'in_1', customer_key: 'user_1', amount_cents: 4_900 });
  await service.track('sale', {
    transaction_id: 'in_2',
    customer_key: 'user_1',
    amount_cents: 11_900,
    tax_cents: 1_900,
    currency: 'EUR',
  });
  await service.track('refund', { transaction_id: 'in_2', refund_amount_cents: 2_500, refund_reason: 'Half used' });
  const lead = await click('ben');
  await service.track('lead', { click_id: lead, customer_key: 'user_2', email: 'kim@example.com' });
  await eventually(async () => {
    const { data } = await service.dashboard('GET', '/programs/1/customers');
    if (data.length < 2) throw new Error(`${data.length} of 2 customers are listed`);
  });
  await enterAs(page, service.demo.owner_email, '/programs/1/customers');
});

/** The cells of each table row as lines. */
async function rowsOf(name: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name, exact: true }).locator('tbody tr');
  return rows.evaluateAll((all: HTMLTableRowElement[]) =>
    all.map((row) => [...row.cells].map((cell) => cell.innerText.replaceAll(/\s*\n\s*/g, ' / '))),
  );
}
const addressNow = (): string => page.url().slice(service.url.length);
const card = (title: string) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: title }) });

async function factsOf(title: string): Promise<Record<string, string>> {
  const facts = card(title).locator('.facts');
  const names = await facts.locator('dt').allInnerTexts();
  const values = await facts.locator('dd').allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, values[index]!.replaceAll(/\s*\n\s*/g, ' / ')]));
}
const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(new Date());

async function openSale(transactionId: string): Promise<void> {
  await page.goto(`/programs/1/sale?transaction=${transactionId}`);
  await card('Commission').locator('dd').first().waitFor();
}

describe('the list of customers in the dashboard', () => {
  it('shows customers who signed up or paid, newest first, with their amounts', async () => {
    await expect
      .poll(() => rowsOf('Customers'))
      .toEqual([
        ['user_2 / k***@example.com', 'Lead', 'Ben', today, today, '–', '–', '–'],
        ['user_1 / j***@example.com', 'Paying', 'Ana', today, today, today, ...Array(2).fill(expect.any(String))],
      ]);
  });
});

describe('the story of a customer in the dashboard', () => {
  it('shows why the customer is attributed, and one entry for each event that was sent', async () => {
    await page.getByRole('link', { name: 'user_1' }).click();
    await page.getByRole('heading', { name: 'Attributed to Ana' }).waitFor();
    expect(addressNow()).toBe(`/programs/1/customers/${clickId}`);
    expect(await textOf(page, '.why-text')).toBe('The first click came through link ana of Ana.');
    expect(await rowsOf('Sales')).toEqual([
      ['in_2', today, '€119.00 / €19.00 tax / €25.00 refunded', expect.stringMatching(/^€/), 'Pending'],
      ['in_1', today, '$49.00', '$9.80', 'Pending'],
    ]);
    expect(await rowsOf('Refunds')).toEqual([
      ['Refund / Half used', 'in_2', expect.stringContaining(today), '€25.00', '€5.00'],
    ]);
    expect(await factsOf('Customer')).toMatchObject({
      'Your id': 'user_1',
      'E-mail': 'j***@example.com',
      'Click id': `${clickId} / Copy`,
      Status: 'Paying',
      Partner: 'Ana',
      Link: 'ana',
    });
    const texts = await page.locator('.timeline-step p').allInnerTexts();
    expect(texts.slice(0, 2)).toEqual(['First click through link ana (Ana)', 'Lead confirmed by your server']);
    await page.getByRole('button', { name: 'Copy the click id' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(clickId);
  });
});

describe('the page of a sale', () => {
  it('shows what will be paid, when, and the platform fee', async () => {
    await openSale('in_2');
    expect(await factsOf('Commission')).toEqual({
      Partner: 'Ana',
      Amount: '€23.80 / 20% of the sale / Version 1, from the terms of the program',
      Deducted: '-€5.00 / for what was refunded of the sale',
      Status: expect.stringMatching(
        /^Pending \/ On hold for refunds until .*, then approved by itself\. \/ Approve… \/? ?Reject…$/,
      ),
      'To be paid': '€18.80 / once it is approved',
      'Platform fee': expect.stringMatching(/ \/ 3\.5% of the sale, less the refunded part\. The operator /),
    });
    expect(await factsOf('Payment')).toMatchObject({
      Amount: '€119.00',
      Tax: '€19.00 / part of the amount',
      Status: 'Partially refunded',
      Refunded: '€25.00',
    });
  });

  it('can approve the commission, and shows its payment time and payout', async () => {
    await page.getByRole('button', { name: 'Approve the commission of in_2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve this commission?' });
    await dialog.getByText('€18.80 for sale in_2 to Ana. It is due with the next payout').waitFor();
    await dialog.getByRole('button', { name: 'Approve commission' }).click();
    await expect
      .poll(async () => (await factsOf('Commission')).Status)
      .toMatch(/^Approved \/ Approved .*\. A workspace owner pays it out\. \/ Reopen…$/);
    expect((await factsOf('Commission'))['To be paid']).toBe('€18.80 / with the next payout');
    const { data: payout } = await service.dashboard('POST', '/programs/1/payouts', {});
    await openSale('in_2');
    const facts = await factsOf('Commission');
    expect(facts.Status).toMatch(new RegExp(`^Recorded / In payout ${payout.id}, recorded .*\\.$`));
    expect(facts['In payouts']).toBe('€18.80');
    expect(facts).not.toHaveProperty('To be paid');
  });

  it('offers a search if the sale does not exist', async () => {
    await page.goto('/programs/1/sale?transaction=in_of%2Fnobody');
    await page.getByRole('heading', { name: 'There is no such sale' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Search for it' }).click();
    await page.getByRole('heading', { name: 'Search: in_of/nobody' }).waitFor();
  });
});

it('the page of a sale sends no second request while its customer is loading', async () => {
  const visitor = await newPage();
  // The scripts of other pages are not preloaded: the router shows the sale's page until they are.
  await visitor.addInitScript(() => {
    const later = globalThis.setTimeout;
    const never = (run: () => void, ms?: number) => (ms === 1_000 ? 0 : later(run, ms));
    Object.assign(globalThis, { setTimeout: never });
  });
  const asked: string[] = [];
  visitor.on('request', (request) => asked.push(request.url()));
  await enterAs(visitor, service.demo.owner_email, '/programs/1/sale?transaction=in_1');
  await visitor.getByRole('main').getByRole('link', { name: 'user_1' }).click();
  await visitor.getByRole('heading', { name: 'Attributed to Ana' }).waitFor();
  const sales = asked.map((url) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/programs/1/sales'));
  expect(sales.map(({ searchParams }) => searchParams.get('transaction_id'))).toEqual(['in_1']);
});

it('unlinking a customer explains its effect, keeps the typed reason after a failure and shows the result', async () => {
  await page.goto(`/programs/1/customers/${clickId}`);
  await page.getByRole('button', { name: 'Unlink…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unlink this customer?' });
  await dialog.getByText('From now on nothing counts for this customer').waitFor();
  await dialog.getByLabel('Reason').fill('Their own account');
  await page.route('**/unlink', (route) => route.abort(), { times: 1 });
  await dialog.getByRole('button', { name: 'Unlink customer' }).click();
  await dialog.getByText('The service could not be reached').waitFor();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Their own account');
  await dialog.getByRole('button', { name: 'Unlink customer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'No longer attributed to Ana' }).waitFor();
  await page
    .getByRole('status')
    .getByText(/^Customer unlinked by an owner: Their own account \(.*\)$/)
    .waitFor();
  expect(await page.getByRole('button', { name: 'Unlink…' }).count()).toBe(0);
});

describe('a page that does not exist in the dashboard', () => {
  it.each([
    ['customers/%F0%9F%98%80', 'There is no such customer', 'All customers', 'Customers'],
    ['partners/999', 'There is no such partner', 'All partners', 'Partners'],
    ['partners/nobody', 'There is no such partner', 'All partners', 'Partners'],
    ['payouts/999999', 'There is no such payout', 'All payouts', 'Payouts'],
    ['links/nobody', 'There is no such link', 'All links', 'Links'],
  ])('says so at %s, and offers a way back', async (path, title, way, list) => {
    await page.goto(`/programs/1/${path}`);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: way }).click();
    await page.getByRole('heading', { name: list, exact: true, level: 1 }).waitFor();
  });

  it('is also shown for a malformed URL', async () => {
    await page.goto('/programs/1/customers/%E0%A4%A');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  it('is shown for a program of another workspace, too', async () => {
    await page.goto('/programs/999999/partners');
    await page.getByRole('heading', { name: 'There is no such program' }).waitFor();
    await page.getByRole('link', { name: 'To the start' }).click();
    await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
  });
});
