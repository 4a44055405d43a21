import { expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { findingsOn, keepPicture, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, page, person, newPage } = await openService(lookingOptions);

const statement = {
  number: '9-1-USD',
  status: 'paid',
  reason: null,
  program: { id: 1, name: 'Acme Pro' },
  payer: { name: 'Acme Inc.', address: '1 Main Street\nSpringfield', country: 'US', tax_id: '12-3456789' },
  payee: { name: 'Ana', address: null, country: 'FR', tax_id: null },
  paid_to: { method: 'paypal', masked: 'a***@money.test' },
  reference: 'SEPA 17',
  currency: 'USD',
  issued_on: '2026-11-20',
  sent_on: '2026-11-21',
  paid_on: '2026-11-22',
  ended_on: null,
  total_cents: 960,
  note: 'Self-billed invoice.\nReverse charge.',
  items_total: 1_002,
  items: [
    { commission_id: 4, kind: 'sale', occurred_at: '2026-11-20T15:00:00.000Z', text: 'Sale', amount_cents: 980 },
    { commission_id: 3, kind: 'sale', occurred_at: '2026-11-19T15:00:00.000Z', text: 'Refund', amount_cents: -20 },
  ],
};

it.each([
  ['owner', service.demo.owner_email, '/programs/1', '/lines/9-1-USD'],
  ['partner', 'ana@partners.test', '/partner/programs/1', '/payouts/9'],
])(
  'the %s can open the statement of a payout line, which prints without the navigation',
  async (side, email, program, payment) => {
    const path = `${program}/statements/9-1-USD`;
    await page.route('**/api/**/statements/*', (route) => route.fulfill({ json: { data: statement } }));
    await enterAs(page, email, path);
    await page.getByRole('article', { name: 'Statement 9-1-USD' }).waitFor();
    const sheet = (await page.getByRole('article').innerText()).replaceAll(/\s+/g, ' ');
    for (const part of [
      'Acme Inc. 1 Main Street Springfield',
      'Tax id: 12-3456789',
      'Paid Nov 22, 2026',
      '-$0.20',
      'first 2 of 1,002',
    ]) {
      expect(sheet).toContain(part);
    }
    const back = page.locator('.page-back a');
    expect(await back.getAttribute('href')).toBe(`${program}${payment}`);
    const hint = page.getByText('Statements of later payments print your address once you have entered it');
    expect(await hint.count()).toBe(side === 'partner' ? 1 : 0);
    expect(await findingsOn(person, { name: `statement-${side}`, path })).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    expect(await page.locator('.navigation').first().isVisible()).toBe(false);
    expect(await back.isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Print or save as PDF' }).isVisible()).toBe(false);
    expect(await hint.isVisible()).toBe(false);
    await keepPicture(page, `statement-${side}-print`);
    await page.emulateMedia({ media: 'screen' });
  },
);

it.each([
  ['owner', service.demo.owner_email, '/programs/1', '999-1-USD'],
  ['partner', 'ana@partners.test', '/partner/programs/1', '999-1-USD'],
  ['partner', 'ana@partners.test', '/partner/programs/1', 'mistyped'],
])(
  'the %s reads at the address of a statement that does not exist where the payouts are',
  async (_, email, program, number) => {
    const path = `${program}/statements/${number}`;
    const visitor = await newPage();
    await enterAs(visitor, email, path);
    await visitor.getByRole('heading', { level: 1, name: 'There is no such statement' }).waitFor();
    await visitor.getByText(`No statement here has the number ${number}`).waitFor();
    expect(await visitor.getByRole('alert').count()).toBe(0);
    await visitor.getByRole('link', { name: 'All payouts' }).click();
    await visitor.waitForURL(`**${program}/payouts`);
  },
);
