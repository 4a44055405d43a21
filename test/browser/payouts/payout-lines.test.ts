import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import type { Payout } from '#lib/wire/earnings/payout.ts';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { enterAs, rowsOf, textOf } from '#test/browser/support/dashboard.ts';
import { findingsOn, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// What becomes of the lines of a payout. Each test continues the previous one.

const PROGRAM = '/programs/1';
const { service, page, person } = await openService(lookingOptions);

const asked = async <T>(path: string): Promise<T> => (await service.dashboard('GET', `${PROGRAM}${path}`)).data;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
const said = () => dialog().getByRole('status').innerText();
const lines = () => asked<PayoutLine[]>(`/payouts/${payout.id}/lines`);
const statuses = async () => (await lines()).map(({ id, status, reason }) => [id, status, reason]);

let payout: Payout;
let sales = 0;

async function sellApproved(link: string, currency = 'USD'): Promise<void> {
  sales += 1;
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  const { commission_id: id } = await service.track('sale', {
    transaction_id: `in_${sales}`,
    customer_key: `user_${sales}`,
    click_id,
    amount_cents: 4_900,
    currency,
  });
  await service.dashboard('POST', `${PROGRAM}/commissions/${id}/approve`);
}

const payOut = async (): Promise<Payout> => (await service.dashboard('POST', `${PROGRAM}/payouts`, {})).data;

const line = (name: string, id: string, amount: string) =>
  `${name} ${name.toLowerCase()}@partners.test No details ${payout.id}-${id} 1 commission Recorded ${amount}`;

async function askToFail(): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select the line of Ana in USD' }).check();
  await button('Mark selected as failed…').click();
}

beforeAll(async () => {
  await sellApproved('ana');
  await sellApproved('ana', 'EUR');
  await sellApproved('ben');
  payout = await payOut();
  await enterAs(page, service.demo.owner_email, `${PROGRAM}/payouts/${payout.id}`);
});

it('the page of a payout shows each line with number, destination and status, and totals by status', async () => {
  await expect.poll(() => rowsOf(page, 'Amounts')).toHaveLength(3);
  expect(await rowsOf(page, 'Amounts')).toEqual([
    line('Ana', '1-EUR', '€9.80'),
    line('Ana', '1-USD', '$9.80'),
    line('Ben', '2-USD', '$9.80'),
  ]);
  expect(await textOf(page, '.facts')).toMatch(/^Total €9\.80 \$19\.60 Status Recorded /);
});

it('the page of a payout offers its files, and the lines of a downloaded file can be marked as sent', async () => {
  const files = [{ format: 'paypal', currency: 'USD', lines: 1, amount_cents: 980, parts: 2 }];
  const without = [
    { id: '1-EUR', reason: 'no_details' },
    { id: '2-USD', reason: 'held' },
  ];
  await page.route('**/files', (route) => route.fulfill({ json: { data: { files, without_file: without } } }));
  const row = `ana@partners.test,9.80,USD,${payout.id}-1-USD,payout,PAYPAL\r\n`;
  await page.route('**/*.paypal.csv?currency=USD&part=2', (route) => route.fulfill({ body: row }));
  await page.reload();
  const name = `payout-${payout.id}-paypal-USD-2.csv`;
  const [download] = await Promise.all([page.waitForEvent('download'), button(`Download part 2: ${name}`).click()]);
  expect(download.suggestedFilename()).toBe(name);
  expect(await readFile(await download.path(), 'utf8')).toBe(row);
  await page.getByText(`No payout details: ${payout.id}-1-EUR`).waitFor();
  expect(await findingsOn(person, { name: 'payout-files', path: `${PROGRAM}/payouts/${payout.id}` })).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await button('Mark as sent… PayPal payouts, USD').click();
  await dialog().getByRole('heading', { name: 'Mark 1 line as sent?' }).waitFor();
  expect(await said()).toMatch(/^\$9\.80 to 1 partner\./);
  await inDialog('Mark 1 line as sent').click();
  await inDialog('Done').click();
  await expect.poll(async () => (await rowsOf(page, 'Amounts'))[1]).toMatch(/ Sent /);
  await page.unroute('**/files');
  await service.dashboard('POST', `${PROGRAM}/payouts/${payout.id}/lines`, { ids: ['1-USD'], status: 'recorded' });
  await page.reload();
});

it('an owner marks selected lines as sent, with a reference', async () => {
  await page.getByRole('checkbox', { name: 'Select the line of Ana in EUR' }).check();
  await page.getByText('1 selected, €9.80').waitFor();
  await button('Mark selected as sent…').click();
  await dialog().getByRole('heading', { name: 'Mark 1 line as sent?' }).waitFor();
  expect(await said()).toMatch(/^€9\.80 to 1 partner\./);
  await dialog().getByLabel('Reference (optional)').fill('SEPA 17');
  await inDialog('Mark 1 line as sent').click();
  await expect.poll(said).toBe('1 of 1 marked as sent.');
  await inDialog('Done').click();
  await expect.poll(async () => (await rowsOf(page, 'Amounts'))[0]).toMatch(/Sent .* Reference: SEPA 17 €9\.80$/);
  await expect.poll(() => rowsOf(page, 'Totals by status')).toEqual(['Recorded 2 $19.60', 'Sent 1 €9.80']);
  expect(await textOf(page, '.facts')).toMatch(/^Total €9\.80 \$19\.60 Status Partly sent /);
  expect((await lines())[0]).toMatchObject({ status: 'sent', reference: 'SEPA 17' });
});

it('an owner marks all lines that match the filters as paid, also after a reload', async () => {
  await button('Sent 1').click();
  await expect.poll(() => rowsOf(page, 'Amounts')).toHaveLength(1);
  await page.reload();
  await expect.poll(() => rowsOf(page, 'Amounts')).toHaveLength(1);
  await button('Mark all that match as paid…').click();
  await inDialog('Mark 1 line as paid').click();
  await inDialog('Done').click();
  await page.getByText('No line matches these filters').waitFor();
  await expect.poll(() => rowsOf(page, 'Totals by status')).toEqual(['Recorded 2 $19.60', 'Paid 1 €9.80']);
  expect(await statuses()).toEqual([
    ['1-EUR', 'paid', null],
    ['1-USD', 'recorded', null],
    ['2-USD', 'recorded', null],
  ]);
});

it('an owner marks returned payments as failed, with a reason that the partner can read', async () => {
  await page.goto(`${PROGRAM}/payouts/${payout.id}`);
  await button('Mark all as failed…').click();
  await dialog().getByRole('heading', { name: 'Mark 1 line as failed?' }).waitFor();
  await dialog().getByLabel('Reason').fill('The account is closed');
  await inDialog('Mark 1 line as failed').click();
  await expect.poll(said).toBe('1 of 1 marked as failed.');
  await inDialog('Done').click();
  await expect.poll(async () => (await rowsOf(page, 'Amounts'))[0]).toMatch(/Failed .*The account is closed/);
  expect(await page.getByRole('button', { name: /^Copy as text/ }).count()).toBe(0);
  expect((await asked<{ EUR: unknown }>('/owed')).EUR).toMatchObject({ due_now_cents: 980 });
});

it('if another owner was faster, the dialog shows which payout lines were not changed and why', async () => {
  await button('Void all…').click();
  await dialog().getByRole('heading', { name: 'Void 2 lines?' }).waitFor();
  await service.dashboard('POST', `${PROGRAM}/payouts/${payout.id}/lines`, { ids: ['1-USD'], status: 'sent' });
  await dialog().getByLabel('Reason').fill('Nothing was sent');
  await inDialog('Void 2 lines').click();
  await expect.poll(said).toBe('1 of 2 voided.');
  expect(await rowsOf(page, 'Not voided')).toEqual([
    `Ana, ${payout.id}-1-USD Payout line status cannot be changed to void. Current status: sent`,
  ]);
  await inDialog('Done').click();
  expect(await statuses()).toEqual([
    ['1-EUR', 'failed', 'The account is closed'],
    ['1-USD', 'sent', null],
    ['2-USD', 'void', 'Nothing was sent'],
  ]);
});

it('the page of a payout is accessible at every width', async () => {
  const path = `${PROGRAM}/payouts/${payout.id}`;
  expect(await findingsOn(person, { name: 'payout-lines', path })).toEqual([]);
  expect(await findingsOn(person, { name: 'payout-lines-fail', path, act: askToFail })).toEqual([]);
});

it('a payout that is still being recorded shows its progress, and one click continues it', async () => {
  await sellApproved('ben');
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
  await page.goto(`${PROGRAM}/payouts/${id}`);
  await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
  expect(await textOf(page, '.notice')).toMatch(/ \d of \d commissions?, .* so far\. /);
  expect(await page.getByRole('button', { name: /^Mark as sent/ }).count()).toBe(0);
  expect(await findingsOn(person, { name: 'payout-open', path: `${PROGRAM}/payouts/${id}` })).toEqual([]);
  await button(`Go on with payout ${id}`).click();
  await page.locator('.notice').waitFor({ state: 'detached' });
  await button('Mark all as sent…').waitFor();
  expect(await asked(`/payouts/${id}`)).toMatchObject({ status: 'made', progress: null });
});
