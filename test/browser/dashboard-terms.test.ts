import { beforeAll, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// Terms of the program, of a group and of a partner. Each test continues the previous one.

const PROGRAM = '/programs/1';
const ANA = `${PROGRAM}/partners/1`;

const { service, page } = await openService();

beforeAll(async () => {
  await enterAs(page, service.demo.owner_email, `${PROGRAM}/settings/terms`);
});

const read = async (path: string) => (await service.dashboard('GET', path)).data;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const saveTerms = async () => {
  await press('Save terms');
  const question = page.getByRole('dialog', { name: 'Change what partners earn?' });
  await question.getByRole('button', { name: 'Change terms' }).click();
};
const says = (text: string) => page.getByText(text, { exact: true }).waitFor();

it('the settings show a preview of the commission terms while they are entered', async () => {
  await says(
    'A partner gets 20% of each sale, renewals excluded, from the terms of the program. Commissions wait 15 days for refunds.',
  );
  await page.getByLabel('Rate', { exact: true }).fill('25');
  await page.getByLabel('Per signup').fill('2.50');
  await press('Add a step');
  await page.getByLabel('Sales a month, step 1').fill('10');
  await page.getByLabel('Rate in percent, step 1').fill('30');
  await page.getByLabel('Percentage of').selectOption('The amount without tax');
  await page.getByLabel('Renewals are paid by').selectOption('The terms of the first sale');
  await says(
    'A partner gets 25% of each sale, renewals excluded (from 10 sales a month 30%), and $2.50 per signup, from the terms of the program. ' +
      'Commissions wait 15 days for refunds.',
  );
  await press('Save terms');
  const question = page.getByRole('dialog', { name: 'Change what partners earn?' });
  await question.getByText('20% of each sale, renewals excluded. Commissions wait 15 days for refunds.').waitFor();
  await question.getByText(/^25% of each sale.* \(from 10 sales a month 30%\), and \$2.50 per signup/).waitFor();
  await question.getByText(/For sales from now on\. \d+ active partners are paid by these terms\./).waitFor();
  // Without a confirmation nothing is saved, and the entries stay.
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await read(PROGRAM)).commission_rate).toBe(20);
  expect(await page.getByText('Saved.', { exact: true }).count()).toBe(0);
  await press('Save terms');
  await question.getByRole('button', { name: 'Change terms' }).click();
  await says('Saved.');
  expect(await read(PROGRAM)).toMatchObject({
    commission_rate: 25,
    commission_base: 'excluding_tax',
    lead_commission_cents: 250,
    tiers: [{ from_sales: 10, rate: 30 }],
    terms_apply: 'first_sale',
  });
});

it('a group of partners gets terms that differ from the program’s', async () => {
  await press('Add group');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Creators');
  await dialog.getByLabel('Rate', { exact: true }).fill('40');
  // The dialog first shows the program's terms.
  expect(await dialog.getByLabel('Per signup').inputValue()).toBe('2.5');
  await dialog.getByLabel('Per signup').fill('');
  await dialog.getByText('Program: 25%').waitFor();
  await dialog.getByText('Program: $2.50').waitFor();
  expect(await dialog.getByText('Program: from 10 sales a month 30%').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Remove step 1' }).click();
  await dialog.getByText('Program: from 10 sales a month 30%').waitFor();
  await dialog.getByLabel('Commission', { exact: true }).selectOption('Percent of each sale, with renewals');
  await dialog.getByLabel('Renewals count for').fill('12');
  await dialog
    .getByText(/^A partner gets 40% of each sale, renewals for 12 months, from the terms of the group\./)
    .waitFor();
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await page.getByText('Creators, 0 partners').waitFor();
  await press('Edit Creators');
  await dialog.getByLabel('Hold').fill('30');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [group] = await read(`${PROGRAM}/groups`);
  expect(group).toMatchObject({ name: 'Creators', terms: { commission_rate: 40, hold_period_days: 30 } });
});

it('a partner is added to a group', async () => {
  await page.goto(ANA);
  await says('From the terms of the program. Settings, all versions');
  await press('Change terms');
  await page.getByLabel('Group').selectOption('Creators');
  await says(
    'Ana gets 40% of each sale, renewals for 12 months, from the terms of the group Creators. Commissions wait 30 days for refunds.',
  );
  await saveTerms();
  await says('From the terms of the group Creators. Settings, all versions');
  expect(await read(ANA)).toMatchObject({ group_name: 'Creators', terms: null });
});

it('a partner gets personal terms, which are then removed again', async () => {
  await press('Change terms');
  await page.getByRole('combobox', { name: 'Terms' }).selectOption('For this partner alone');
  await page.getByLabel('Commission', { exact: true }).selectOption('Fixed amount per sale, renewals excluded');
  await page.getByLabel('Amount').fill('12.5');
  await says('Ana gets $12.5 per sale, renewals excluded, from personal terms. Commissions wait 30 days for refunds.');
  await saveTerms();
  await says('From personal terms. Settings, all versions');
  expect((await read(ANA)).terms).toMatchObject({ commission_type: 'fixed', commission_rate: 12.5, tiers: [] });
  await press('Change terms');
  await page.getByRole('combobox', { name: 'Terms' }).selectOption('Those of the group, or of the program');
  await page.getByLabel('Group').selectOption('None');
  await saveTerms();
  await says('From the terms of the program. Settings, all versions');
  expect(await read(ANA)).toMatchObject({ group_id: null, terms: null });
});

it('a selection that the user makes while the form is still loading is saved', async () => {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          const group = document.querySelector<HTMLSelectElement>('dialog select[name="group_id"]');
          if (!group) return;
          observer.disconnect();
          group.selectedIndex = 1;
          for (const name of ['input', 'change']) group.dispatchEvent(new Event(name, { bubbles: true }));
          resolve();
        }).observe(document.body, { childList: true, subtree: true });
        [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Change terms')!.click();
      }),
  );
  await saveTerms();
  await says('From the terms of the group Creators. Settings, all versions');
});
