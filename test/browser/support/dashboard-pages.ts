import { press, type Seen } from '#test/browser/support/looks.ts';
import type { Service } from '#test/browser/support/service.ts';

/**
 * Every page of the application for the signed-in user, with the most important dialogs; dashboard-webhooks has its
 * own.
 */
export async function pagesOf({ dashboard, demo }: Service): Promise<readonly Seen[]> {
  const program = `/programs/${demo.program_id}`;
  const first = async (list: string) => (await dashboard('GET', `${program}/${list}`)).data[0];
  const [commission, customer, payout, partner] = await Promise.all(
    ['commissions', 'customers?status=conversion', 'payouts', 'partners?sort=revenue'].map(first),
  );
  const link = await first(`links?partner_id=${partner.id}`);
  const line = await first(`payouts/${payout.id}/lines`);
  const transaction = encodeURIComponent(commission.transaction_id);
  return [
    { name: 'overview', path: program },
    {
      name: 'setup-opened',
      path: `${program}/setup`,
      act: async (page) => {
        await page.getByText('Send sales', { exact: true }).click();
        await page.getByText('Leave out your own clicks', { exact: true }).click();
        await press('Ignore my address')(page);
        await page.getByText('Clicks from 127.0.0.1').waitFor();
      },
    },
    { name: 'partners', path: `${program}/partners?period=this-month&sort=revenue` },
    { name: 'partners-add', path: `${program}/partners?period=this-month&sort=revenue`, act: press('Add partner') },
    {
      name: 'partners-invite-several',
      path: `${program}/partners`,
      act: async (page) => {
        await press('Add partner')(page);
        await press('Several')(page);
        await page
          .getByLabel('People', { exact: true })
          .fill('Una Vance, una@vance.test\nNo address\n"Silva, Ana", una@vance.test, Nobody');
        await press('Check')(page);
        await page.getByText('1 of 3 invitations can be sent.').waitFor();
      },
    },
    { name: 'partner', path: `${program}/partners/${partner.id}` },
    { name: 'links', path: `${program}/links` },
    { name: 'links-add', path: `${program}/links`, act: press('Add link') },
    { name: 'link', path: `${program}/links/${link.short_link}` },
    { name: 'codes', path: `${program}/codes` },
    { name: 'customers', path: `${program}/customers` },
    { name: 'customer', path: `${program}/customers/${customer.click_id}` },
    { name: 'commissions', path: `${program}/commissions` },
    { name: 'payouts', path: `${program}/payouts` },
    { name: 'pay-out', path: `${program}/payouts/new` },
    { name: 'payout', path: `${program}/payouts/${payout.id}` },
    { name: 'payout-line', path: `${program}/lines/${line.number}` },
    { name: 'events', path: `${program}/events` },
    { name: 'payments', path: `${program}/payments` },
    { name: 'sale', path: `${program}/sale?transaction=${transaction}` },
    { name: 'no-such-sale', path: `${program}/sale?transaction=nothing` },
    { name: 'search', path: `${program}/search?q=nothing` },
    { name: 'settings', path: `${program}/settings` },
    { name: 'settings-brand', path: `${program}/settings/brand` },
    { name: 'settings-partners', path: `${program}/settings/partners` },
    { name: 'settings-payouts', path: `${program}/settings/payouts` },
    { name: 'settings-tracking', path: `${program}/settings/tracking` },
    { name: 'settings-card-processor', path: `${program}/settings/card-processor` },
    { name: 'settings-rules', path: `${program}/settings/rules`, act: press('Check the last 30 days') },
    {
      name: 'settings-add-group',
      path: `${program}/settings/terms`,
      act: async (page) => {
        await press('Add group')(page);
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Hold').fill('30');
        await dialog.getByRole('button', { name: 'Add a step' }).click();
        await dialog.getByText('Program: 15 days').waitFor();
      },
    },
    {
      name: 'settings-change-terms',
      path: `${program}/settings/terms`,
      act: async (page) => {
        await page.getByLabel('Hold', { exact: true }).fill('31');
        await press('Save terms')(page);
        await page.getByRole('dialog', { name: 'Change what partners earn?' }).waitFor();
      },
    },
    { name: 'replace-key', path: `${program}/settings/api-key`, act: press('Replace key…') },
    { name: 'members', path: '/members' },
    { name: 'audit', path: '/audit' },
    { name: 'new-program', path: '/programs/new' },
    { name: 'no-such-page', path: '/programs/nothing' },
  ];
}
