import { readFile } from 'node:fs/promises';
import type { Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';
import { countOf, moneysText, moneyText } from '#lib/apps/web/format.ts';
import { callsAs, enterAs, rowsOf, textOf } from '#test/browser/support/dashboard.ts';
import { findingsOn, keepPicture, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';
import { type Payee, payees } from '#test/support/payments/payees.ts';
import { expectSepaSchema } from '#test/support/payments/sepa-schema.ts';

// A finance person pays 40 partners, on the pages and against the real API. Each test continues the previous one. What the
// API answers is in test/integration/money/payout-life.test.ts.

const PROGRAM = '/programs/1';
const NEW = `${PROGRAM}/payouts/new`;
const { service, page, person } = await openService(lookingOptions);

const emailOf = (n: number) => `payee${n}@partners.test`;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
const said = () => dialog().getByRole('status').innerText();
const countsByStatus = async () =>
  (await rowsOf(page, 'Totals by status')).map((row) => row.split(' ').slice(0, 2).join(' '));
const linesNow = async (): Promise<PayoutLine[]> =>
  (await service.dashboard('GET', `${PROGRAM}/payouts/${payoutId}/lines?limit=100`)).data;
const sumOf = (lines: readonly PayoutLine[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { currency, amount_cents: cents } of lines) sums[currency] = (sums[currency] ?? 0) + cents;
  return sums;
};
const select = async (lines: readonly PayoutLine[]) => {
  for (const { partner_name: name, currency } of lines) {
    await page.getByRole('checkbox', { name: `Select the line of ${name} in ${currency}`, exact: true }).check();
  }
};
const saved = async (name: string): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
  return readFile(await download.path(), 'utf8');
};

let payoutId: number;
/** The ten lines that are marked as sent, and what becomes of some. */
let sent: PayoutLine[];
let failed: PayoutLine[];
let voided: PayoutLine;

/** A partner who accepts, says where the money goes, and earns. */
async function seed({ name, details, amounts, isHeld }: Payee, n: number): Promise<void> {
  const { data } = await service.dashboard('POST', `${PROGRAM}/partners`, { name, email: emailOf(n) });
  const call = await callsAs(service.url, emailOf(n));
  await call('POST', `${PROGRAM}/accept`, {});
  if (details) await call('PUT', '/payout-details', details);
  for (const [currency, cents] of Object.entries(amounts)) {
    const bonus = { amount_cents: cents, currency, reason: 'Bonus' };
    await service.dashboard('POST', `${PROGRAM}/partners/${data.id}/commissions`, bonus);
  }
  if (isHeld) await call('PUT', '/payout-details', { method: 'paypal', email: 'changed@money.test' });
}

beforeAll(async () => {
  const payer = { name: 'Acme GmbH', address: 'Am Markt 1\n10115 Berlin', iban: 'DE89370400440532013000' };
  await service.dashboard('PATCH', '/workspace/payer', payer);
  const left = payees.entries();
  const inTurn = async () => {
    for (const [n, payee] of left) await seed(payee, n);
  };
  await Promise.all([inTurn(), inTurn(), inTurn(), inTurn()]);
  await enterAs(page, service.demo.owner_email, NEW);
});

it('a new payout shows its totals, why partners are left out, and which partners have the same account', async () => {
  await expect.poll(() => page.getByText('Same account as Partner').count()).toBe(2);
  await page.getByRole('button', { name: /^Record payout of .* to 36 partners…$/ }).click();
  await expect.poll(() => rowsOf(page, 'Left out')).toHaveLength(4);
  const leftOut = await rowsOf(page, 'Left out');
  expect(leftOut.filter((row) => row.includes('No payout details'))).toHaveLength(3);
  expect(leftOut.filter((row) => row.includes('Just changed'))).toHaveLength(1);
  await inDialog('Record payout').click();
  await page.getByRole('heading', { name: /^Payout \d+$/ }).waitFor();
  payoutId = Number(/\d+$/.exec(page.url())?.[0]);
  const lines = await linesNow();
  await expect
    .poll(() => textOf(page, '.facts'))
    .toContain(
      `Total ${Object.entries(sumOf(lines))
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([currency, cents]) => moneyText(cents, currency))
        .join(' ')} Status Recorded Pays 36 partners,`,
    );
});

it('each file of a payout has the number of lines and the sum that the page shows', async () => {
  await expect.poll(() => rowsOf(page, 'Files')).toHaveLength(5);
  const lines = await linesNow();
  for (const [format, method, currency, ending] of [
    ['PayPal payouts', 'paypal', 'EUR', 'csv'],
    ['PayPal payouts', 'paypal', 'USD', 'csv'],
    ['Wise batch, by e-mail', 'wise', 'EUR', 'csv'],
    ['Wise batch, by e-mail', 'wise', 'USD', 'csv'],
    ['SEPA transfer (pain.001)', 'bank', 'EUR', 'xml'],
  ] as const) {
    const ofFile = lines.filter((line) => line.method === method && line.currency === currency);
    const sum = moneysText(sumOf(ofFile));
    expect((await rowsOf(page, 'Files')).map((row) => row.replace(/ Download.*/, ''))).toContain(
      `${format} ${ofFile.length} ${sum}`,
    );
    const name = method === 'bank' ? 'sepa' : method;
    const text = await saved(`Download: payout-${payoutId}-${name}-${currency}.${ending}`);
    const amounts = ofFile.map((line) => (line.amount_cents / 100).toFixed(2));
    expect([format, currency, text.match(/\d+\.\d\d(?=,|<\/InstdAmt)/g)]).toEqual([format, currency, amounts]);
  }
  expectSepaSchema(await saved(`Download: payout-${payoutId}-sepa-EUR.xml`));
  expect((await saved('CSV for Excel')).startsWith('\uFEFFpayout_id,')).toBe(true);
  await expect.poll(() => page.getByText('Bank account, but not in euros').count()).toBe(1);
  expect(await findingsOn(person, { name: 'payout-of-40', path: `${PROGRAM}/payouts/${payoutId}` })).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

it('if a line’s hold ends before the file is downloaded, the line can be marked together with the other lines of the file', async () => {
  const inFile = (await linesNow()).filter(({ method, currency }) => method === 'paypal' && currency === 'EUR');
  const isHeld = { id: inFile[0]!.id, reason: 'held' };
  // The list of files as it was before the end of the hold.
  const before = async (route: Route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, without_file: [...data.without_file, isHeld] } } });
  };
  await page.route('**/files', before, { times: 1 });
  await page.reload();
  await page.getByText('Details were just changed').waitFor();
  await saved(`Download: payout-${payoutId}-paypal-EUR.csv`);
  await page.getByText('Details were just changed').waitFor({ state: 'detached' });
  await button('Mark as sent… PayPal payouts, EUR').click();
  await expect.poll(said).toContain(moneysText(sumOf(inFile)));
  await inDialog('Cancel').click();
});

it('only the lines in the downloaded file are marked as sent, even if the file would contain other lines now', async () => {
  const [changed, ended, ...others] = (await linesNow()).filter(
    ({ method, currency }) => method === 'paypal' && currency === 'EUR',
  );
  // At the download the second line was still on hold. Afterwards its hold ended, and the first line's details changed.
  await page.route(
    '**/*.paypal.csv?*',
    async (route) => {
      const response = await route.fetch();
      const rows = (await response.text()).split('\r\n').filter((row) => !row.includes(`,${ended!.number},`));
      await route.fulfill({ response, body: rows.join('\r\n') });
    },
    { times: 1 },
  );
  await saved(`Download: payout-${payoutId}-paypal-EUR.csv`);
  const after = async (route: Route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, without_file: [{ id: changed!.id, reason: 'held' }] } } });
  };
  await page.route('**/files', after);
  await page.reload();
  await button('Mark as sent… PayPal payouts, EUR').click();
  await expect.poll(said).toContain(moneysText(sumOf([changed!, ...others])));
  await inDialog('Cancel').click();
  await page.unroute('**/files', after);
});

it('an owner marks the lines in the SEPA file as sent, and further lines after selecting them', async () => {
  const lines = await linesNow();
  const inFile = lines.filter(({ method, currency }) => method === 'bank' && currency === 'EUR');
  await button('Mark as sent… SEPA transfer (pain.001), EUR').click();
  await expect.poll(said).toContain(moneysText(sumOf(inFile)));
  await dialog().getByLabel('Reference (optional)').fill('SEPA 17');
  await inDialog(`Mark ${countOf(inFile.length, 'line')} as sent`).click();
  await inDialog('Done').click();
  const more = lines.filter(({ method }) => method === 'paypal').slice(0, 10 - inFile.length);
  await select(more);
  await button('Mark selected as sent…').click();
  await inDialog(`Mark ${countOf(more.length, 'line')} as sent`).click();
  await inDialog('Done').click();
  await button('Sent 10').waitFor();
  sent = (await linesNow()).filter(({ status }) => status === 'sent');
  expect(sent.map(({ id }) => id)).toEqual(
    [...inFile, ...more].map(({ id }) => id).toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b)),
  );
  await expect.poll(() => rowsOf(page, 'Files')).toHaveLength(4);
});

it('two returned lines are marked as failed, and one that was never sent as void', async () => {
  failed = sent.slice(0, 2);
  await select(failed);
  await button('Mark selected as failed…').click();
  await dialog().getByLabel('Reason').fill('The account is closed');
  await inDialog('Mark 2 lines as failed').click();
  await inDialog('Done').click();
  await button('Failed 2').waitFor();
  voided = (await linesNow()).find(({ status }) => status === 'recorded')!;
  await select([voided]);
  await button('Void selected…').click();
  await dialog().getByLabel('Reason').fill('Wrong amount');
  await inDialog('Void 1 line').click();
  await inDialog('Done').click();
  await button('Void 1').waitFor();
  const left = (await linesNow()).length - 11;
  await expect.poll(countsByStatus).toEqual([`Recorded ${left}`, 'Sent 8', 'Failed 2', 'Void 1']);
});

it('a payout line shows its commissions, and its statement prints on one sheet of A4', async () => {
  const line = sent.slice(2).find(({ method }) => method === 'bank');
  await page.goto(`${PROGRAM}/lines/${line!.number}`);
  await expect.poll(() => rowsOf(page, 'Commissions of the line')).toHaveLength(1);
  const amount = moneyText(line!.amount_cents, line!.currency);
  expect((await rowsOf(page, 'Commissions of the line'))[0]).toMatch(
    new RegExp(`^Manual Bonus .* Sent \\${amount} \\${amount}$`),
  );
  expect(await findingsOn(person, { name: 'payout-line', path: `${PROGRAM}/lines/${line!.number}` })).toEqual([]);
  await page.getByRole('link', { name: 'Statement', exact: true }).click();
  const sheet = page.getByRole('article', { name: `Statement ${line!.number}` });
  await sheet.waitFor();
  const text = (await sheet.innerText()).replaceAll(/\s+/g, ' ');
  for (const part of ['Acme GmbH', 'Am Markt 1', line!.partner_name!, amount, 'SEPA 17']) expect(text).toContain(part);
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await keepPicture(page, 'payout-statement-print');
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  await page.emulateMedia({ media: 'screen' });
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
  expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
});

it('after a deduction from a paid partner, the next payout contains exactly the amounts of failed and void lines', async () => {
  const paid = sent.at(-1)!;
  await page.goto(`${PROGRAM}/partners/${paid.partner_id}`);
  await button('Add bonus or deduction').click();
  await dialog().getByLabel('What to do').selectOption('deduct');
  await dialog().getByLabel('Amount').fill('7');
  await dialog().getByLabel('Currency').selectOption(paid.currency);
  await dialog().getByLabel('Reason').fill('Paid too much');
  await inDialog('Add deduction').click();
  await dialog().waitFor({ state: 'detached' });
  await page.goto(NEW);
  const back = [...failed, voided];
  const partners = new Set(back.map(({ partner_id: id }) => id)).size;
  const sums = moneysText(sumOf(back));
  await button(`Record payout of ${sums} to ${partners === 1 ? '1 partner' : `${partners} partners`}…`).click();
  await inDialog('Record payout').click();
  await page.getByRole('heading', { name: /^Payout (?!1$)\d+$/ }).waitFor();
  await expect.poll(() => rowsOf(page, 'Amounts')).toHaveLength(3);
});

it.each([
  ['sent', () => sent.at(-1)!, / Sent /],
  ['failed', () => failed[0]!, /Failed The account is closed\. The amount is due again/],
  ['void', () => voided, /Void Wrong amount\. The amount is due again/],
])('a partner reads in the portal that the payment is %s', async (_, lineOf, text) => {
  const line = lineOf();
  const n = payees.findIndex(({ name }) => name === line.partner_name);
  await enterAs(page, emailOf(n), `/partner${PROGRAM}/payouts`);
  const ownRow = async () => (await rowsOf(page, 'Payouts').catch(() => [])).find((row) => row.includes(line.number));
  await expect.poll(ownRow).toMatch(text);
  expect(await ownRow()).toContain(moneyText(line.amount_cents, line.currency));
  await page.goto(`/partner${PROGRAM}/statements/${line.number}`);
  await page
    .getByRole('article', { name: `Statement ${line.number}` })
    .getByText(line.partner_name!)
    .first()
    .waitFor();
});
