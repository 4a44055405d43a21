import { beforeAll, expect, it } from 'vitest';
import { settingsPages } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { settingLabels } from '#lib/apps/dashboard/audit/setting-words.ts';
import { enterAs, textOf } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { isLoaded } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner exports and erases a customer, and reads in the audit list who did what. Each test continues the previous one.

const { service, page } = await openService();
let clickId: string;

beforeAll(async () => {
  clickId = (await service.track('click', { affiliate_url: 'https://acme.test/?aff=ana' })).click_id;
  await service.track('lead', { click_id: clickId, customer_key: 'user_1', email: 'jo@example.com' });
  await service.track('sale', { transaction_id: 'in_1', customer_key: 'user_1', amount_cents: 4_900 });
  await enterAs(page, service.demo.owner_email, `/programs/1/customers/${clickId}`);
  await page.getByRole('heading', { name: 'user_1' }).waitFor();
});

it('an owner saves all stored data of a customer as a file', async () => {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toBe(`customer-${clickId}.json`);
});

it('an owner erases a customer after typing the last characters of the click id', async () => {
  await page.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this customer’s data?' });
  const field = dialog.getByLabel('The last 6 characters of the click id');
  await field.fill('xxxxxx');
  await dialog.getByRole('button', { name: 'Erase customer' }).click();
  await dialog.getByText(`The last 6 characters of the click id must be ${clickId.slice(-6)}`).waitFor();
  await field.fill(clickId.slice(-6));
  await dialog.getByRole('button', { name: 'Erase customer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('All records follow within five minutes.').waitFor();
  expect(await page.getByRole('button', { name: 'Erase…' }).count()).toBe(0);
  expect(await textOf(page, 'main')).not.toContain('user_1');
  expect(await textOf(page, 'main')).toContain('Your id Erased E-mail Erased');
});

it('the customer’s page says that the erasure is done', async () => {
  await fetch(`${service.url}/local/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: 120 }) });
  await eventually(async () => {
    const { data } = await service.dashboard('POST', `/programs/1/customers/${clickId}/erase`, { confirm: clickId });
    if (data.status !== 'erased') throw new Error(data.status);
  });
  await page.reload();
  await page.getByText('1 sale stays without personal data.').waitFor();
});

it('the audit trail shows the export and the erasure, and can be saved as a file', async () => {
  await page.getByRole('link', { name: 'Audit list' }).click();
  const actions = page.getByRole('table', { name: 'Audit list' }).getByRole('rowheader');
  await actions.filter({ hasText: 'Customer: exported' }).waitFor();
  await page.getByLabel('Who', { exact: true }).selectOption('owner');
  await page.getByLabel('What', { exact: true }).selectOption('Customer: erased');
  await page.getByLabel('About', { exact: true }).selectOption('Customers');
  await expect.poll(() => actions.allInnerTexts()).toEqual(['Customer: erased']);
  const asked = page.waitForRequest('**/audit.csv?*');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit.csv');
  expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual({
    actor_id: '1',
    action: 'customer.erased',
    target_type: 'customer',
  });
  await page.getByLabel('Who', { exact: true }).selectOption('member');
  await page.getByText('No change matches these filters').waitFor();
});

/** Opens each page of the settings. */
async function eachSettingsPage(read: () => Promise<void>): Promise<void> {
  await page.goto('/programs/1/settings');
  for (const { title } of settingsPages) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: title }).click();
    await expect.poll(() => page.title()).toBe(`Settings: ${title} – Referrals`);
    await expect.poll(() => isLoaded(page)).toBe(true);
    await read();
  }
}

it('the audit trail calls settings by the labels of their form fields', async () => {
  const shown: string[] = [];
  // The choice of another commission is left unsaved.
  page.once('dialog', (question) => question.accept());
  await eachSettingsPage(async () => {
    const type = page.getByLabel('Commission', { exact: true });
    if (await type.isVisible()) await type.selectOption('Percent of each sale, with renewals');
    shown.push(...(await page.locator('main :is(label, legend)').allInnerTexts()));
  });
  expect(Object.values(settingLabels).filter((label) => !shown.includes(label))).toEqual([]);
});

it('on a phone the settings, with the code in them, do not scroll sideways', async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  await eachSettingsPage(async () => {
    const wide = await page
      .locator('body, main *')
      .evaluateAll((all) =>
        all
          .filter((one) => one.scrollWidth > one.clientWidth && /auto|scroll/.test(getComputedStyle(one).overflowX))
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      );
    expect(wide).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
