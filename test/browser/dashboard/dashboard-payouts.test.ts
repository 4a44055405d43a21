import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { dateText } from '#lib/apps/web/format.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { ListedPayout, Owed, Payout } from '#lib/wire/earnings/payout.ts';
import { enterAs, payToPayPal, textOf } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner sees the balance and pays it. Each test continues the previous one.

const PROGRAM = '/programs/1';
const NEW = `${PROGRAM}/payouts/new`;

const { service, page } = await openService();

beforeAll(async () => {
  // First details hold a partner's payouts if something is due already.
  for (const name of ['ana', 'ben']) await payTo(`${name}@partners.test`, `${name}@money.test`);
  await enterAs(page, service.demo.owner_email, NEW);
});

const asked = async <T>(path: string): Promise<T> => (await service.dashboard('GET', `${PROGRAM}${path}`)).data;
const payouts = () => asked<ListedPayout[]>('/payouts');

let sales = 0;

/** A visitor of the link buys for 49.00, which gives a commission of 9.80. @returns its id */
async function sell(link: string, currency = 'USD'): Promise<number> {
  sales += 1;
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  const sale = {
    transaction_id: `in_${sales}`,
    customer_key: `user_${sales}`,
    click_id,
    amount_cents: 4_900,
    currency,
  };
  return (await service.track('sale', sale)).commission_id;
}

const approve = (id: number) => service.dashboard('POST', `${PROGRAM}/commissions/${id}/approve`);
const sellApproved = async (link: string, currency?: string) => approve(await sell(link, currency));
const payOut = async (): Promise<Payout> => (await service.dashboard('POST', `${PROGRAM}/payouts`, {})).data;

const payTo = (email: string, account: string) => payToPayPal(service.url, email, account);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const rows = async (table: string): Promise<string[]> => {
  const texts = await page.getByRole('table', { name: table }).locator('tbody tr').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
};
const record = (what: string) => button(`Record payout of ${what}…`);
async function recordNow(what: string): Promise<void> {
  await record(what).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Record payout', exact: true }).click();
}
const alertText = async () => (await page.getByRole('alert').innerText()).replaceAll(/\s+/g, ' ').trim();

describe('the payout page of a program with no amount due', () => {
  it('shows the pending amount and the day on which it becomes due', async () => {
    await approve(await sell('ana').then(async (id) => (await sell('ben'), id)));
    await payOut();
    await sell('ana', 'EUR');
    const { EUR } = await asked<Owed>('/owed');
    const day = dateText(EUR!.by_date[0]!.on);
    await page.reload();
    await page.getByText(`Pending: €9.80 and $9.80. €9.80 and $9.80 becomes due on ${day}.`).waitFor();
    expect(await rows('Becomes due')).toEqual([`${day} €9.80 $9.80`]);
    expect(await button(/^Record/).count()).toBe(0);
  });
});

describe('the preview of a payout in the dashboard', () => {
  it('shows the amount per partner and currency, and can be opened from the overview', async () => {
    for (const { id } of await asked<{ id: number }[]>('/commissions?status=pending')) await approve(id);
    await sellApproved('ana');
    await page.goto(PROGRAM);
    await expect.poll(() => textOf(page, '.owed-amounts').catch(() => '')).toBe('Due now $19.60 + €9.80 Pending $0.00');
    await page.locator('.owed').getByRole('link', { name: 'Pay out' }).click();
    await record('€9.80 and $19.60 to 2 partners').waitFor();
    expect(await rows('Amounts')).toEqual([
      'Ana ana@partners.test PayPal a***@money.test 1 €9.80',
      'Ana ana@partners.test PayPal a***@money.test 1 $9.80',
      'Ben ben@partners.test PayPal b***@money.test New since the last payout 1 $9.80',
    ]);
  });

  it('shows only the chosen partner, also after a reload', async () => {
    await page.getByLabel('Partner', { exact: true }).fill('ben');
    await page.getByRole('option', { name: 'Ben' }).click();
    await record('$9.80 to 1 partner').waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?partner_id=\d+$/);
    await page.reload();
    await record('$9.80 to 1 partner').waitFor();
    expect(await rows('Amounts')).toEqual([
      'Ben ben@partners.test PayPal b***@money.test New since the last payout 1 $9.80',
    ]);
    await page.getByLabel('Partner', { exact: true }).fill('');
    await page.getByRole('option', { name: 'All partners' }).click();
    await record('€9.80 and $19.60 to 2 partners').waitFor();
  });

  it('includes sales up to the chosen last day', async () => {
    await page.getByLabel('Last day of sales (UTC)').fill('2026-01-31');
    await page.getByText('Nothing of this choice is due now').waitFor();
    await page.getByLabel('Last day of sales (UTC)').fill('');
    await record('€9.80 and $19.60 to 2 partners').waitFor();
  });
});

describe('a payout in the dashboard', () => {
  it('is recorded with the amounts of its preview', async () => {
    const before = await payouts();
    await recordNow('€9.80 and $19.60 to 2 partners');
    await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
    const [made, ...others] = await payouts();
    expect(others).toEqual(before);
    expect(made).toMatchObject({ status: 'made', totals: { EUR: 980, USD: 1960 }, reference: null, through: null });
    expect(new URL(page.url()).pathname).toBe(`${PROGRAM}/payouts/${made!.id}`);
    await expect
      .poll(() => textOf(page, '.facts'))
      .toMatch(
        /^Total €9\.80 \$19\.60 Status Recorded Pays 2 partners, 3 commissions Covers All sales that were approved Recorded .+ Recorded by (?!Account|…).+$/,
      );
    await expect
      .poll(() => rows('Amounts'))
      .toEqual([
        `Ana ana@partners.test PayPal a***@money.test ${made!.id}-1-EUR 1 commission Recorded €9.80`,
        `Ana ana@partners.test PayPal a***@money.test ${made!.id}-1-USD 1 commission Recorded $9.80`,
        `Ben ben@partners.test PayPal b***@money.test ${made!.id}-2-USD 1 commission Recorded $9.80`,
      ]);
    const ana = page.getByRole('table').getByRole('link', { name: 'Ana' }).first();
    expect(await ana.getAttribute('href')).toBe(`${PROGRAM}/partners/${service.demo.partner.id}`);
  });

  it('accepts a reference, and the page explains why a blank one is refused', async () => {
    const field = page.getByLabel("Bank's or processor's reference");
    await page.getByText('None yet. Enter it once you have sent the money.').waitFor();
    await field.fill('   ');
    await button('Save reference').click();
    await page.getByText("Bank's or processor's reference must be a string of 1 to 200 characters").waitFor();
    await field.fill('SEPA 17');
    await button('Save reference').click();
    await page.getByText('Saved.').waitFor();
    expect((await payouts())[0]).toMatchObject({ reference: 'SEPA 17' });
  });

  it('can be saved as a file and copied as lines for a bank', async () => {
    const [{ id }] = (await payouts()) as [ListedPayout];
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()]);
    expect(download.suggestedFilename()).toBe(`payout-${id}.csv`);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(2, 11).join(','))).toEqual([
      'partner_name,partner_email,currency,amount_cents,commissions,method,details,reference,new_since_last_payout',
      'Ana,ana@partners.test,EUR,980,1,paypal,ana@money.test,SEPA 17,',
      'Ana,ana@partners.test,USD,980,1,paypal,ana@money.test,SEPA 17,',
      'Ben,ben@partners.test,USD,980,1,paypal,ben@money.test,SEPA 17,yes',
    ]);
    await button('Copy as text, one line per partner').click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('9.80 EUR + 9.80 USD to Ana (ana@partners.test)\n9.80 USD to Ben (ben@partners.test)');
  });
});

describe('a change that happens between the preview of a payout and the payout', () => {
  it('causes no second payment if the change is another owner’s payout', async () => {
    await sellApproved('ana');
    await page.goto(NEW);
    await record('$9.80 to 1 partner').waitFor();
    await payOut();
    const before = await payouts();
    await recordNow('$9.80 to 1 partner');
    await expect
      .poll(alertText)
      .toMatch(
        /^No approved commissions to pay out\. Someone else may have recorded it a moment ago: look at the list of payouts\. Request ID [0-9a-f]{32}$/,
      );
    await page.getByText('Nothing is due now').waitFor();
    expect(await payouts()).toEqual(before);
    await page.getByRole('link', { name: 'See the list of payouts' }).click();
    await heading('Payouts');
  });

  it('stops the payout until the user has seen the new total if the change is an approved commission', async () => {
    await sellApproved('ana');
    await page.goto(NEW);
    await record('$9.80 to 1 partner').waitFor();
    const before = await payouts();
    await sellApproved('ben');
    await recordNow('$9.80 to 1 partner');
    await expect.poll(alertText).toMatch(/^What is due is no longer what was expected\. Preview the payout again\./);
    expect(await payouts()).toEqual(before);
    await recordNow('$19.60 to 2 partners');
    await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
    expect((await payouts())[0]!.totals).toEqual({ USD: 1960 });
  });

  it('is reported as uncertain if it is the payout itself whose reply is lost, and the page then shows the result', async () => {
    await sellApproved('ana');
    await page.goto(NEW);
    await page.route('**/programs/1/payouts', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await recordNow('$9.80 to 1 partner');
    await expect
      .poll(alertText)
      .toBe(
        'The service could not be reached. Check your connection and try again. The payout may have been recorded nevertheless: ' +
          'look at the list of payouts before you send money. Paying out again finishes one that was interrupted, and pays ' +
          'no commission twice.',
      );
    await page.getByText('Nothing is due now').waitFor();
    await page.unroute('**/programs/1/payouts');
    expect((await payouts())[0]).toMatchObject({ status: 'made', totals: { USD: 980 } });
  });
});

/** Stores the state of a payout that was interrupted after its first step, and one commission that is not in it yet. */
async function interruptedPayout(): Promise<number> {
  await sellApproved('ana');
  const { id } = await payOut();
  const TableName = service.tableName;
  await service.write([
    {
      Update: {
        TableName,
        Key: keys.payout(id),
        UpdateExpression: 'SET #status = :open',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':open': 'open' },
      },
    },
    { Put: { TableName, Item: { ...keys.openPayout(1), payoutId: id } } },
    // Removes the mail to its partners, which the last step of the payout creates again.
    { Delete: { TableName, Key: keys.mailing(mailIdOf({ kind: 'payout_made', fact: String(id) })) } },
  ]);
  await sellApproved('ben');
  expect((await payouts())[0]).toMatchObject({ id, status: 'open', totals: { USD: 980 } });
  return id;
}

const notice = (id: number) =>
  `Payout ${id} is being recorded. It goes on by itself within two minutes, also if you leave this page. ` +
  `No commission is paid twice. 1 of 1 commission, $9.80 so far. Go on with payout ${id}`;

describe('a payout that was interrupted', () => {
  it('is marked in the list, and one click completes it', async () => {
    const id = await interruptedPayout();
    await page.goto(`${PROGRAM}/payouts`);
    await expect.poll(() => textOf(page, '.notice').catch(() => '')).toBe(notice(id));
    await expect.poll(async () => (await rows('Payouts'))[0]).toMatch(/Not finished \$9\.80 1/);
    await button(`Go on with payout ${id}`).click();
    await expect.poll(async () => (await rows('Payouts'))[0]).toMatch(/Recorded \$19\.60 2/);
    await page.locator('.notice').waitFor({ state: 'detached' });
    expect((await payouts())[0]).toMatchObject({ id, status: 'made', totals: { USD: 1960 } });
  });

  it('is not followed by a second one if another user completes it first', async () => {
    const id = await interruptedPayout();
    await page.goto(`${PROGRAM}/payouts/${id}`);
    await expect.poll(() => textOf(page, '.notice').catch(() => '')).toBe(notice(id));
    expect(await button('Export CSV').count()).toBe(0);
    await payOut();
    await sellApproved('ana');
    const before = await payouts();
    await button(`Go on with payout ${id}`).click();
    await page.locator('.notice').waitFor({ state: 'detached' });
    await button('Export CSV').waitFor();
    expect(await payouts()).toEqual(before);
    expect(await asked('/owed')).toMatchObject({ USD: { due_now_cents: 980 } });
  });
});

it('the page of payouts shows what was overpaid and what is on hold beside the balance', async () => {
  await sellApproved('ben');
  await payOut();
  await service.track('refund', { transaction_id: `in_${sales}` });
  await sellApproved('ana');
  await payTo('ana@partners.test', 'first@money.test');
  await payTo('ana@partners.test', 'second@money.test');
  const withheld =
    'Later payouts withhold $9.80: for sales that were refunded after they were paid, or deducted by hand.';
  await page.goto(PROGRAM);
  await page.locator('.owed').getByText(withheld).waitFor();
  expect(await textOf(page, '.owed-amounts')).toBe('Due now $0.00 Held back $9.80 Pending $0.00');
  for (const place of ['payouts', 'partners/2']) {
    await page.goto(`${PROGRAM}/${place}`);
    await page.getByText(withheld).waitFor();
  }
  await page.goto(`${NEW}?partner_id=1`);
  const held = page.getByRole('table', { name: 'Left out' }).getByRole('row', { name: /ana@partners\.test/ });
  const { payout } = (await service.dashboard('GET', `${PROGRAM}/partners/1`)).data;
  expect(await held.locator('time').getAttribute('datetime')).toBe(payout.held_until);
  await page
    .getByText('They can be paid 24 hours after a change of the details and 72 hours after one of the address')
    .waitFor();
  // The first sale offsets the refund.
  for (let one = 0; one < 2; one += 1) await sellApproved('ben');
  await page.goto(NEW);
  await page.getByText('These are the amounts that are left after refunds.').waitFor();
});
