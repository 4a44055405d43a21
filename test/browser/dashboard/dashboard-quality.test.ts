import { beforeAll, describe, expect, it } from 'vitest';
import { enterAs, textOf } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner checks which clicks are real, and which commissions to review before they are paid.

const { service, page, newPage } = await openService();
const program = `/programs/${service.demo.program_id}`;

beforeAll(async () => {
  await enterAs(page, service.demo.owner_email, `${program}/settings#rules`);
});

const stored = async () => (await service.dashboard('GET', program)).data;
const section = (name: string) => page.getByRole('region', { name });
const rules = () => section('Rules for sales and signups');
const row = (text: string) => page.getByRole('row').filter({ hasText: text });

describe('the hold rules in the settings of a program', () => {
  it('are a page, to which former addresses of the section lead', async () => {
    await rules().getByRole('button', { name: 'Save rules' }).waitFor();
    const { pathname, hash } = new URL(page.url());
    expect([pathname, hash]).toEqual([`${program}/settings/rules`, '#rules']);
    const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    expect(await links.and(page.locator('[aria-current=page]')).allInnerTexts()).toEqual(['Traffic rules']);
    expect(await page.title()).toBe('Settings: Traffic rules – Referrals');
  });

  it('are saved, together with the lists of sites and campaigns', async () => {
    await rules().getByLabel('Paid advertisement').selectOption('Hold it for review');
    await rules().getByLabel('Banned site', { exact: true }).selectOption('Flag the commission');
    await rules().getByLabel('Banned sites').fill('coupons.example\n*.deals.example');
    await rules().getByLabel('Campaigns that are allowed').fill('partner spring');
    await rules().getByLabel('Networks in a minute').fill('250');
    await rules().getByLabel('Found by address alone').selectOption('Do nothing');
    await rules().getByLabel('People who may pay with one click').fill('7');
    await rules().getByRole('button', { name: 'Save rules' }).click();
    await rules().getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject({
      rules: {
        self_referral: 'flag',
        same_domain: 'off',
        disposable_email: 'off',
        paid_ad: 'hold',
        banned_referrer: 'flag',
        velocity: 'off',
        address_only: 'off',
      },
      banned_referrers: ['coupons.example', '*.deals.example'],
      paid_ad_allowed_campaigns: ['partner spring'],
      velocity_clicks: 250,
      shared_click_payers: 7,
    });
  });
});

describe('clicks from the brand’s own network', () => {
  it('can be excluded by one button on the set-up page', async () => {
    await page.getByRole('link', { name: 'Set-up', exact: true }).click();
    await page.getByText('Leave out your own clicks', { exact: true }).click();
    await page.getByRole('button', { name: 'Ignore my address' }).click();
    await page.getByText('Clicks from 127.0.0.1 count as those of bots from now on.').waitFor();
    await page.getByText('Test calls from this machine no longer make customers.').waitFor();
    const undo = page.getByRole('link', { name: 'Your own clicks' });
    expect(await undo.getAttribute('href')).toBe(`${program}/settings/tracking#own-clicks`);
    expect((await stored()).ignored_addresses).toEqual(['127.0.0.1']);
  });

  it('are excluded by the addresses and ranges in the settings, which can be changed', async () => {
    await page.getByRole('link', { name: 'settings', exact: true }).click();
    const own = section('Your own clicks');
    const addresses = own.getByLabel('Ignored addresses');
    await expect.poll(() => addresses.inputValue()).toBe('127.0.0.1');
    await addresses.fill('203.0.113.9/24\n2001:DB8::1/64');
    await own.getByRole('button', { name: 'Save addresses' }).click();
    await own.getByText('Saved.').waitFor();
    expect(await addresses.inputValue()).toBe('203.0.113.0/24\n2001:db8::/64');
    expect(await own.getByText('much of the internet').count()).toBe(0);
  });
});

/** A visitor of the link, with the user agent sent by the brand's server. */
const click = (link: string, { query = '', ...fields }: Readonly<Record<string, string>> = {}) =>
  service.track('click', { affiliate_url: `https://acme.test/?aff=${link}${query}`, ...fields });

/** A sale that came from an ad, which a rule holds, and from a banned site, which another rule flags. */
async function sell(transactionId: string): Promise<void> {
  const { click_id } = await click('ana', { query: '&gclid=1', referrer_url: 'https://coupons.example/best' });
  const sale = { transaction_id: transactionId, customer_key: transactionId, click_id, amount_cents: 5_000 };
  await service.track('sale', sale);
}

const heldNow = async () =>
  (await service.dashboard('GET', `${program}/commissions?status=held`)).data.map(
    ({ transaction_id: id }: { readonly transaction_id: string }) => id,
  );
const statuses = async () => {
  const { data } = await service.dashboard('GET', `${program}/commissions`);
  return Object.fromEntries(
    data.map(({ transaction_id: id, status }: Readonly<Record<string, string>>) => [id, status]),
  );
};

describe('commissions that a rule holds for review', () => {
  it('can be reached from the overview with one click, and show the rule’s evidence', async () => {
    for (const transactionId of ['in_1', 'in_2', 'in_3']) await sell(transactionId);
    expect(await heldNow()).toEqual(['in_3', 'in_2', 'in_1']);
    await page.goto(program);
    await page.getByText('3 commissions are held for review.').waitFor();
    await page.getByRole('link', { name: 'Review commissions' }).click();
    await row('in_1').getByText('Held for review').waitFor();
    expect(await row('in_1').locator('.flag').allInnerTexts()).toEqual([
      expect.stringMatching(/^Paid advertisement: \S/),
      expect.stringMatching(/^Banned site: \S/),
    ]);
    await page.getByText('Until someone releases them, they are in no payout and in no figure').waitFor();
    const rulesLink = page.getByRole('link', { name: 'The rules are in the settings' });
    expect(await rulesLink.getAttribute('href')).toBe(`${program}/settings/rules#rules`);
  });

  it('are shown to their partner as in review, without the rule’s name', async () => {
    const partner = await newPage();
    await enterAs(partner, service.demo.partner.email, `/partner${program}/commissions`);
    await partner.getByRole('button', { name: 'In review' }).click();
    await expect
      .poll(() => partner.locator('td[data-title=Status]').allInnerTexts())
      .toEqual(Array(3).fill('In review'));
    await partner.locator('tbody a').first().click();
    await partner
      .getByText('The brand looks at it first. Until the brand accepts it, it counts as “in review” only.')
      .waitFor();
    expect(await textOf(partner, 'main')).not.toMatch(/\brule|flag|advert|banned|coupons/i);
  });

  it('are explained and decided on the page of the sale', async () => {
    await page.getByRole('link', { name: 'in_3', exact: true }).click();
    await page.getByRole('heading', { name: 'Why Ana' }).waitFor();
    await page.getByText('It is in no payout and in no figure of commissions until someone releases it.').waitFor();
    await page.getByText('once it is released and approved').waitFor();
    await page.getByRole('button', { name: 'Release the commission of in_3' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release commission' }).click();
    await page.getByText('Held for review, and released').waitFor();
    await page.goBack();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
  });

  it('can be released together, either the selected ones or all', async () => {
    await page.getByRole('checkbox', { name: 'Select the commission of in_1' }).check();
    await page.getByRole('button', { name: 'Release selected…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Release 1 held commission?' }).waitFor();
    await dialog.getByText('$10.00 of 1 partner.').waitFor();
    await dialog.getByRole('button', { name: 'Release 1', exact: true }).click();
    await dialog.getByText('1 of 1 released.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Release all held…' }).click();
    await dialog.getByRole('heading', { name: 'Release 1 held commission?' }).waitFor();
    await dialog.getByRole('button', { name: 'Release 1', exact: true }).click();
    await dialog.getByText('1 of 1 released.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Nothing is held for review', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /(Release|Reject) all/ }).count()).toBe(0);
    expect(await statuses()).toEqual({ in_1: 'pending', in_2: 'pending', in_3: 'pending' });
  });
});
