import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { enterAs, newPerson, type Person, textOf } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner looks for customers and reads their stories. Each test goes on where the one before ended.

const { service, browser } = await openService();
let person: Person;
let page: Page;
/** Of a customer of Ana with two sales and a refund. */
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
    amount_cents: 10_000,
    currency: 'EUR',
  });
  await service.track('refund', { transaction_id: 'in_2', refund_amount_cents: 2_500, refund_reason: 'Half used' });
  const lead = await click('ben');
  await service.track('lead', { click_id: lead, customer_key: 'user_2', email: 'kim@example.com' });
  person = await newPerson(browser, service.url);
  ({ page } = person);
  await enterAs(page, service.demo.owner_email, '/');
  await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
});
afterEach(() => {
  expect(person.problems).toEqual([]);
});

/** The cells of each row of a table, as lines. */
async function rowsOf(name: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name, exact: true }).locator('tbody tr');
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.replaceAll(/\s*\n\s*/g, ' / '))),
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
const partner = () => page.getByRole('combobox', { name: 'Partner', exact: true });
const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(new Date());
/** Each load is a few requests, which count towards the rate limit. */
const slowly = { interval: 1_000, timeout: 20_000 };

async function openCustomers(query = ''): Promise<void> {
  await page.goto(`/programs/1/customers${query}`);
  await page.locator('tbody, .empty').first().waitFor();
}

const keys = async () => (await rowsOf('Customers')).map(([name]) => name?.split(' ')[0]);

async function openSale(transactionId: string): Promise<void> {
  await page.goto(`/programs/1/sale?transaction=${transactionId}`);
  await card('Commission').locator('dd').first().waitFor();
}

describe('the list', () => {
  it('shows who signed up or paid, newest first, with what they brought', async () => {
    await expect
      .poll(async () => {
        await openCustomers();
        return rowsOf('Customers');
      }, slowly)
      .toEqual([
        ['user_2 / k***@example.com', 'Lead', 'Ben', today, today, '–', '–', '–'],
        [
          'user_1 / j***@example.com',
          'Paying',
          'Ana',
          today,
          today,
          today,
          expect.stringMatching(/^(\$49\.00 \/ €100\.00|€100\.00 \/ \$49\.00)$/),
          expect.stringMatching(/^(\$9\.80 \/ €15\.00|€15\.00 \/ \$9\.80)$/),
        ],
      ]);
  });

  it('keeps its filters in the address', async () => {
    await page.getByLabel('Status').selectOption('Lead');
    await expect.poll(keys).toEqual(['user_2']);
    expect(addressNow()).toBe('/programs/1/customers?status=lead');
    await partner().click();
    await page.getByRole('listbox', { name: 'Partners' }).getByRole('option', { name: /^Ana/ }).click();
    await page.getByText('No customer matches these filters').waitFor();
    expect(addressNow()).toBe('/programs/1/customers?status=lead&partner_id=1');
    await page.getByLabel('Status').selectOption('All');
    await expect.poll(keys).toEqual(['user_1']);
    await page.reload();
    await expect.poll(keys).toEqual(['user_1']);
    await expect.poll(() => partner().inputValue()).toBe('Ana');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(keys).toEqual(['user_2', 'user_1']);
    expect(addressNow()).toBe('/programs/1/customers');
  });

  it('shows a filter by a partner that is not offered, and clears it', async () => {
    await openCustomers('?partner_id=4711');
    await page.getByText('No customer matches these filters').waitFor();
    await expect.poll(() => partner().inputValue()).toBe('Partner 4711');
    await page.getByRole('button', { name: 'Show everybody' }).click();
    await expect.poll(keys).toEqual(['user_2', 'user_1']);
    expect(addressNow()).toBe('/programs/1/customers');
  });
});

describe('the story of a customer', () => {
  it('says to whom it is attributed, and agrees with what was sent', async () => {
    await page.getByRole('link', { name: 'user_1' }).click();
    await page.getByRole('heading', { name: 'Attributed to Ana' }).waitFor();
    expect(addressNow()).toBe(`/programs/1/customers/${clickId}`);
    expect(await textOf(page, '.why-text')).toBe('The first click came through link ana of Ana.');
    expect(await rowsOf('Sales')).toEqual([
      ['in_2', today, '€100.00 / €25.00 refunded', '€15.00', 'Pending'],
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
    const money = await factsOf('Money');
    expect(money.Revenue?.split(' / ').toSorted()).toEqual(['$49.00', '€100.00']);
    expect(money.Refunded?.split(' / ')).toContain('€25.00');
  });

  it('tells everything in order of time', async () => {
    const texts = await page.locator('.timeline-step p').allInnerTexts();
    expect(texts.slice(0, 2)).toEqual(['First click through link ana (Ana)', 'Lead confirmed by your server']);
    expect(
      texts.filter((text) => /^Sale of|^Refund of/.test(text)).map((text) => text.replace(/ recorded.*|: .*/, '')),
    ).toEqual(['Sale of 49.00 USD', 'Sale of 100.00 EUR', expect.stringMatching(/^Refund of 25\.00 EUR/)]);
  });

  it('copies the click id', async () => {
    await page.getByRole('button', { name: 'Copy the click id' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(clickId);
  });

  it('leads to its partner, its link and its sales, and back from a sale', async () => {
    expect(await page.getByRole('main').getByRole('link', { name: 'Ana', exact: true }).getAttribute('href')).toBe(
      '/programs/1/partners/1',
    );
    expect(
      await page.getByRole('main').getByRole('link', { name: 'ana', exact: true }).last().getAttribute('href'),
    ).toBe('/programs/1/links/ana');
    await page.getByRole('link', { name: 'in_2', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Sale in_2' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'user_1' }).click();
    await page.getByRole('heading', { name: 'Attributed to Ana' }).waitFor();
  });
});

describe('a sale', () => {
  it('says what is to be paid, when, and what else it costs', async () => {
    await openSale('in_2');
    expect(await rowsOf('Refunds')).toEqual([
      ['Refund / Half used', expect.stringContaining(today), '€25.00', '€5.00'],
    ]);
    expect(await factsOf('Commission')).toEqual({
      Partner: 'Ana',
      Amount: '€20.00 / 20% of the sale / Version 1, from the terms of the program',
      Deducted: '-€5.00 / for what was refunded of the sale',
      Status: expect.stringMatching(
        /^Pending \/ On hold for refunds until .*, then approved by itself\. \/ Approve \/? ?Reject$/,
      ),
      'To be paid': '€15.00 / once it is approved',
      'Platform fee': expect.stringMatching(/^€2\.6\d \/ 3\.5% of the sale, less the refunded part\. The operator /),
    });
    expect(await factsOf('Payment')).toMatchObject({ Status: 'Partially refunded', Refunded: '€25.00' });
    expect(await page.getByText('Paid at').count()).toBe(0);
  });

  it('can be approved, and says when it is paid and in which payout', async () => {
    await page.getByRole('button', { name: 'Approve the commission of in_2' }).click();
    await expect
      .poll(async () => (await factsOf('Commission')).Status)
      .toMatch(/^Approved \/ Approved .*\. A workspace owner pays it out\.$/);
    expect((await factsOf('Commission'))['To be paid']).toBe('€15.00 / with the next payout');
    const { data: payout } = await service.dashboard('POST', '/programs/1/payouts', {});
    await openSale('in_2');
    const facts = await factsOf('Commission');
    expect(facts.Status).toMatch(new RegExp(`^Paid / Paid out in payout ${payout.id} .*\\.$`));
    expect(facts['Paid out']).toBe('€15.00');
    expect(facts).not.toHaveProperty('To be paid');
    // Of the sale in all, not further to the first refund.
    await service.track('refund', { transaction_id: 'in_2', refund_amount_cents: 5_000 });
    await openSale('in_2');
    expect((await factsOf('Commission'))['To be taken back']).toBe('€5.00 / by the next payout to this partner');
  });

  it('can be rejected with a reason, which it then gives', async () => {
    await openSale('in_1');
    await page.getByRole('button', { name: 'Reject the commission of in_1' }).click();
    await page.getByLabel('Reason').fill('Bought it herself');
    await page.getByRole('button', { name: 'Reject commission' }).click();
    await expect
      .poll(async () => (await factsOf('Commission')).Status)
      .toBe('Rejected / Bought it herself / The partner gets nothing for this sale.');
    expect(await factsOf('Commission')).not.toHaveProperty('To be paid');
  });

  it('tells its tax where that is known, and from what its commission comes', async () => {
    await service.dashboard('PATCH', '/programs/1', { commission_base: 'excluding_tax' });
    const taxed = { transaction_id: 'in_4', customer_key: 'user_2', amount_cents: 11_900, tax_cents: 1_900 };
    await service.track('sale', taxed);
    await openSale('in_4');
    expect(await factsOf('Payment')).toMatchObject({ Amount: '$119.00', Tax: '$19.00 / part of the amount' });
    expect((await factsOf('Commission')).Amount).toBe(
      '$20.00 / 20% of $100.00, the sale without its tax / Version 1, from the terms of the program',
    );
    await page.getByRole('main').getByRole('link', { name: 'user_2' }).click();
    await page.getByRole('heading', { name: 'Attributed to Ben' }).waitFor();
    expect((await rowsOf('Sales'))[0]).toContain('$119.00 / $19.00 tax');
    await openSale('in_2');
    expect(await factsOf('Payment')).not.toHaveProperty('Tax');
    await service.dashboard('PATCH', '/programs/1', { commission_base: 'gross' });
  });

  it('that is not there can be searched for', async () => {
    await page.goto('/programs/1/sale?transaction=in_of%2Fnobody');
    await page.getByRole('heading', { name: 'There is no such sale' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Search for it' }).click();
    await page.getByRole('heading', { name: 'Search: in_of/nobody' }).waitFor();
    await page.goBack();
    await page.getByRole('main').getByRole('link', { name: 'Payments that did not become a sale' }).click();
    await page.getByRole('heading', { name: 'Payments that did not become a sale' }).waitFor();
  });
});

it('of a sale, the page asks for nothing else while that of its customer is loaded', async () => {
  const visitor = await newPerson(browser, service.url);
  // The scripts of other pages are not loaded ahead: the router shows the page of the sale until they are.
  await visitor.page.addInitScript(() => {
    const later = globalThis.setTimeout;
    const never = (run: () => void, ms?: number) => (ms === 1_000 ? 0 : later(run, ms));
    Object.assign(globalThis, { setTimeout: never });
  });
  const asked: string[] = [];
  visitor.page.on('request', (request) => asked.push(request.url()));
  await enterAs(visitor.page, service.demo.owner_email, '/programs/1/sale?transaction=in_1');
  await visitor.page.getByRole('main').getByRole('link', { name: 'user_1' }).click();
  await visitor.page.getByRole('heading', { name: 'Attributed to Ana' }).waitFor();
  const sales = asked.map((url) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/programs/1/sales'));
  expect(sales.map(({ searchParams }) => searchParams.get('transaction_id'))).toEqual(['in_1']);
  await visitor.leave();
});

describe('unlinking', () => {
  it('is an owner’s, and members are told so', async () => {
    await service.dashboard('POST', '/workspace/members', { email: 'lee@acme.test', role: 'member' });
    const member = await newPerson(browser, service.url);
    await enterAs(member.page, 'lee@acme.test', `/programs/1/customers/${clickId}`);
    await member.page.getByRole('button', { name: 'Accept: Acme' }).click();
    await member.page.getByText('A workspace owner can unlink a customer.').waitFor();
    expect(await member.page.getByRole('button', { name: 'Unlink…' }).count()).toBe(0);
    expect(member.problems).toEqual([]);
    await member.leave();
  });

  it('says before what it does, and keeps the reason when it fails', async () => {
    await page.goto(`/programs/1/customers/${clickId}`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Unlink this customer?' });
    await dialog.getByText('From now on nothing counts for this customer').waitFor();
    await dialog.getByText('What is recorded stays').waitFor();
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
    expect(await rowsOf('Sales')).toHaveLength(2);
  });

  it('lets the next click make a new customer', async () => {
    await expect(
      service.track('sale', { transaction_id: 'in_3', customer_key: 'user_1', amount_cents: 100 }),
    ).rejects.toThrow('no_attribution');
    const newClickId = await click('ben');
    await service.track('lead', { click_id: newClickId, customer_key: 'user_1', email: 'jo@example.com' });
    await page.getByRole('searchbox').fill('user_1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Attributed to Ben' }).waitFor();
    expect(addressNow()).toBe(`/programs/1/customers/${newClickId}`);
  });
});

describe('an unknown id', () => {
  it.each(['nobody', 'a%2Fb%3F%23', '%F0%9F%98%80'])('such as %s gets a page that leads on', async (id) => {
    await page.goto(`/programs/1/customers/${id}`);
    await page.getByRole('heading', { name: 'There is no such customer' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'All customers' }).click();
    await page.getByRole('row', { name: /user_2/ }).waitFor();
  });

  it('that cannot be read gets the page for unknown addresses', async () => {
    await page.goto('/programs/1/customers/%E0%A4%A');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });
});
