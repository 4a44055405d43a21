import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { enterAs, signInAtIssuer } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, newPage } = await openService();
let program: string;

const WELCOME = 'Welcome to Acme Pro.';

beforeAll(async () => {
  program = `/programs/${service.demo.program_id}`;
  await service.dashboard('PATCH', program, { join: 'apply', partner_terms: 'Say that you get a commission.' });
  await service.dashboard('PATCH', `${program}/brand`, { welcome: WELCOME });
});

/** A person with a separate browser, signed in with this address. */
async function at(path: string, email: string): Promise<Page> {
  const page = await newPage();
  await enterAs(page, email, path);
  return page;
}

/** Sends an application through the program's own page. */
async function apply(email: string, message: string): Promise<Page> {
  const page = await at(`/join/${service.demo.program_id}/acme-pro`, email);
  await page.getByLabel('Your website or channel').fill('videos.test/');
  await page.getByLabel('Message to the brand').fill(message);
  await accept(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Your application is with the brand.').waitFor();
  return page;
}

const accept = (page: Page) => page.getByLabel('I have read the terms and accept them').check();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true });

describe('an invitation to a partner', () => {
  it('is sent from the dashboard and accepted with the terms', async () => {
    const owner = await at(`${program}/partners`, service.demo.owner_email);
    await owner.getByRole('button', { name: 'Add partner' }).click();
    await owner.getByLabel('Name').fill('Ida');
    await owner.getByLabel('E-mail').fill('ida@partners.test');
    await owner.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await owner.getByText('Ida finds the invitation for 30 days').waitFor();
    await owner.getByRole('button', { name: 'Done' }).click();
    await owner.getByRole('row', { name: /Ida/ }).getByText('Invited').waitFor();

    const ida = await at('/partner', 'ida@partners.test');
    await ida.getByRole('link', { name: 'See the invitation of Acme Pro' }).click();
    await heading(ida, 'Acme Pro invites you').waitFor();
    expect(await ida.getByRole('main').innerText()).toContain(WELCOME);
    await ida.getByText('Say that you get a commission.').waitFor();
    await ida.getByRole('button', { name: 'Accept the invitation' }).click();
    const box = ida.getByLabel('I have read the terms');
    expect(await box.evaluate(({ validity }: HTMLInputElement) => validity.valid)).toBe(false);
    await accept(ida);
    await ida.getByRole('button', { name: 'Accept the invitation' }).click();
    await heading(ida, 'Acme Pro').waitFor();
    await owner.reload();
    await expect.poll(() => owner.getByRole('row', { name: /Ida/ }).getByText('Invited').count()).toBe(0);
  });
});

describe('an application to become a partner', () => {
  it('is read and accepted by the brand in the dashboard', async () => {
    const ike = await apply('ike@partners.test', 'I make videos.\n<b>Many</b> of them.');
    const owner = await at(program, service.demo.owner_email);
    await owner.getByText('1 application waits for your decision.').waitFor();
    await owner.getByRole('link', { name: 'See applications' }).click();
    await owner.getByRole('link', { name: new RegExp(`/join/${service.demo.program_id}/`) }).waitFor();
    await owner
      .getByRole('row', { name: /ike@partners.test/ })
      .getByRole('link')
      .first()
      .click();
    await owner.getByText('<b>Many</b> of them.').waitFor();
    await owner.getByRole('link', { name: 'https://videos.test/' }).waitFor();
    await owner.getByRole('button', { name: /^Accept/ }).click();
    await owner.getByRole('button', { name: /^Remove/ }).waitFor();

    await ike.goto('/partner');
    await ike.getByRole('main').getByRole('link', { name: 'Acme Pro' }).waitFor();
  });
});

it('a person who is signed in with the wrong account can apply with another one', async () => {
  const page = await at(`/join/${service.demo.program_id}/acme-pro`, 'wrong@partners.test');
  await page.getByText('You are signed in as wrong@partners.test.').waitFor();
  await page.getByRole('button', { name: 'Use another account' }).click();
  await page.getByRole('button', { name: 'Sign in to go on' }).click();
  await signInAtIssuer(page, 'right@partners.test');
  await page.getByText('You are signed in as right@partners.test.').waitFor();
  await page.getByRole('button', { name: 'Apply' }).waitFor();
});

it('a partner who left can be invited again, but not restored', async () => {
  await service.dashboard('POST', `${program}/partners`, { name: 'Lea', email: 'lea@partners.test' });
  const lea = await at(`/partner${program}`, 'lea@partners.test');
  await accept(lea);
  await lea.getByRole('button', { name: 'Accept the invitation' }).click();
  await heading(lea, 'Acme Pro').waitFor();
  await lea.goto('/partner/settings');
  await lea.getByRole('button', { name: 'Leave Acme Pro…' }).click();
  await lea.getByRole('button', { name: 'Leave the program' }).click();
  await expect.poll(() => lea.getByRole('button', { name: /^Leave/ }).count()).toBe(0);

  const owner = await at(`${program}/partners?status=removed`, service.demo.owner_email);
  const row = owner.getByRole('row', { name: /lea@partners.test/ });
  await row.getByRole('button', { name: 'Invite again: Lea' }).waitFor();
  expect(await row.getByRole('button').allInnerTexts()).toEqual(['Invite again']);
  await row.getByRole('link').first().click();
  await owner.getByText(/^Lea left this program, or declined, on \w{3} \d/).waitFor();
  expect(await owner.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
  await owner.getByRole('button', { name: 'Invite again: Lea' }).click();
  await owner.getByRole('button', { name: 'Withdraw: Lea' }).waitFor();
});

it('new terms apply to a partner once the partner has accepted them', async () => {
  const ana = await at(`/partner${program}/links`, 'ana@partners.test');
  await ana.getByRole('row', { name: /^ana / }).waitFor();
  expect(await ana.getByRole('button', { name: /Make a link|Switch/ }).count()).toBe(0);
  await ana.getByRole('link', { name: 'Your programs' }).click();
  await ana.getByRole('link', { name: 'Read the new terms of Acme Pro' }).click();
  await ana.getByText('Until you accept them').waitFor();
  expect(await ana.getByRole('link', { name: 'Read the terms' }).count()).toBe(0);
  await accept(ana);
  await ana.getByRole('button', { name: 'Accept the terms' }).click();
  const accepted = ana.getByText(/^You accepted version 1 on \w{3} \d/);
  await expect.poll(() => accepted.evaluate((shown) => shown === document.activeElement)).toBe(true);
  expect(await ana.getByText('Until you accept them').count()).toBe(0);
  await ana.getByRole('link', { name: 'Links', exact: true }).click();
  await ana.getByRole('button', { name: 'Make a link' }).waitFor();
});
