import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { enterAs, newPerson, type Person } from '#test/browser/support/dashboard.ts';
import { eventually } from '#test/browser/support/eventually.ts';
import { findingsOnAll, lookingOptions, press, type Seen } from '#test/browser/support/looks.ts';
import { type Service, startService } from '#test/browser/support/service.ts';

// What people agree to, and the owner's pages before a payout: every width, light and dark.

const PROGRAM = '/programs/1';
const ANA = 'ana@partners.test';
const NOT_YET = 'not-yet@partners.test';
const CLOSED = 'closed@partners.test';
const NEW = 'new@partners.test';

let browser: Browser;
let service: Service;
const ids: Record<string, number> = {};

/** A call by another user than the owner, possibly from another network. */
async function call(method: string, path: string, body: unknown, token?: string, address?: string) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(address && { 'x-forwarded-for': address }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok && response.status !== 409) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function tokenOf(email: string): Promise<string> {
  const { id_token } = await call('POST', '/local/oidc/token', { email });
  return (await call('POST', '/api/dashboard/v1/session', { id_token })).data.token;
}

const owner = async (method: string, path: string, body?: unknown) =>
  (await service.dashboard(method, path, body)).data;

/** A partner with a link and an approved commission, who has not accepted. */
async function earning(name: string, email: string): Promise<void> {
  const { id } = await owner('POST', `${PROGRAM}/partners`, { name, email });
  ids[email] = id;
  // The name of the first link, which the partner got when added.
  await buy(name.toLowerCase().replaceAll(' ', '-'));
}

async function buy(link: string): Promise<void> {
  const { click_id } = await service.track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
  const sale = { transaction_id: `in_${link}`, customer_key: `user_${link}`, click_id, amount_cents: 4_900 };
  const { commission_id } = await service.track('sale', sale);
  await owner('POST', `${PROGRAM}/commissions/${commission_id}/approve`);
}

beforeAll(async () => {
  browser = await launchChromium();
  service = await startService();
  await buy('ana');
  await earning('Not yet', NOT_YET);
  await earning('Closed', CLOSED);

  const ana = await tokenOf(ANA);
  await call('PUT', '/api/partner/v1/payout-details', { method: 'paypal', email: 'ana@money.test' }, ana);
  await call('PUT', '/api/partner/v1/payout-details', { method: 'paypal', email: 'other@money.test' }, ana);
  const closed = await tokenOf(CLOSED);
  await call('POST', '/api/partner/v1/programs/1/accept', {}, closed);
  await call('PUT', '/api/partner/v1/payout-details', { method: 'paypal', email: 'shut@money.test' }, closed);
  await call('DELETE', '/api/partner/v1/me', { confirm: CLOSED }, closed);

  // Details entered before anything is due cause no hold, and are new to the owner.
  await owner('POST', `${PROGRAM}/partners`, { name: 'New', email: NEW });
  const fresh = await tokenOf(NEW);
  await call('POST', '/api/partner/v1/programs/1/accept', {}, fresh);
  await call('PUT', '/api/partner/v1/payout-details', { method: 'paypal', email: 'new@money.test' }, fresh);
  await buy('new');

  await owner('PATCH', PROGRAM, {
    join: 'apply',
    commission_rate: 21,
    partner_terms: 'Say that you get a commission.',
  });
  for (let one = 0; one < 12; one += 1) {
    const email = `fake${one}@one-domain.test`;
    const terms = { message: `I am number ${one}`, terms_version: 1 };
    await call('POST', '/api/partner/v1/join/1', terms, await tokenOf(email), '203.0.113.7');
  }
  await owner('POST', `${PROGRAM}/partners`, { name: 'Ida', email: 'ida@partners.test', invite: true });
  const { data: login } = await call('POST', '/api/v1/cli/auth/start', {}, undefined, '198.51.100.77');
  const { id_token } = await call('POST', '/local/oidc/token', { email: service.demo.owner_email });
  await call('POST', '/api/v1/cli/auth/callback', { state: login.state, id_token });
  await call('GET', new URL(login.poll_url).pathname + new URL(login.poll_url).search, undefined);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function signedIn(email: string, path: string): Promise<Person> {
  const person = await newPerson(browser, service.url, lookingOptions);
  await enterAs(person.page, email, path);
  return person;
}

async function findingsOf(person: Person, pages: readonly Seen[]): Promise<string[]> {
  const findings = await findingsOnAll(person, 'consent', pages);
  await person.leave();
  return findings;
}

it('the portal, before a partner accepts, passes the accessibility checks at every width', async () => {
  const pages = [
    { name: 'portal-listed', path: '/partner' },
    { name: 'portal-listed-invitation', path: `/partner${PROGRAM}` },
  ];
  expect(await findingsOf(await signedIn(NOT_YET, '/partner'), pages)).toEqual([]);
});

it('the pages to delete payout details and close the account pass the accessibility checks at every width', async () => {
  const pages = [
    { name: 'portal-details', path: '/partner/payout-details' },
    { name: 'portal-delete-details', path: '/partner/settings', act: press('Delete payout details…') },
    { name: 'portal-close', path: '/partner/settings', act: press('Close account…') },
  ];
  expect(await findingsOf(await signedIn(ANA, '/partner'), pages)).toEqual([]);
});

it(
  'the pages that an owner uses before a payout pass the accessibility checks at every width',
  { timeout: 300_000 },
  async () => {
    const pages = [
      { name: 'members-freeze', path: '/members', act: press('Freeze payouts…') },
      {
        name: 'pay-out',
        path: `${PROGRAM}/payouts/new`,
        act: async (page: Page) => {
          await page.getByText('New since the last payout').waitFor();
          await page.getByText('of terms since').click();
        },
      },
      { name: 'partner-not-yet', path: `${PROGRAM}/partners/${ids[NOT_YET]}` },
      { name: 'partner-closed', path: `${PROGRAM}/partners/${ids[CLOSED]}` },
    ];
    const person = await signedIn(service.demo.owner_email, '/');
    expect(await findingsOf(person, pages)).toEqual([]);
  },
);

it('the pages that a member can only read pass the accessibility checks at every width', async () => {
  const pages = [
    { name: 'member-settings', path: `${PROGRAM}/settings/terms` },
    { name: 'member-brand', path: `${PROGRAM}/settings/brand` },
    { name: 'member-partner', path: `${PROGRAM}/partners/${ids[NOT_YET]}` },
    { name: 'member-pay-out', path: `${PROGRAM}/payouts/new` },
  ];
  expect(await findingsOf(await signedIn(service.demo.member_email, '/'), pages)).toEqual([]);
});

it('the pages to confirm a CLI login and to block a mail’s sender pass the accessibility checks at every width', async () => {
  const { data: login } = await call('POST', '/api/v1/cli/auth/start', {}, undefined, '198.51.100.77');
  const { text } = await eventually(async () => {
    const mails = await call('GET', '/local/mail', undefined);
    const mail = mails.find(({ to }: { to: string }) => to === 'ida@partners.test');
    expect(mail).toBeDefined();
    return mail;
  });
  const block = /I don't know this sender:?\s+(\S+)/.exec(text)![1]!;
  const pages = [
    { name: 'terminal', path: login.auth_url },
    { name: 'block', path: block },
    { name: 'blocked', path: block, act: press('Block this sender') },
  ];
  const stranger = await newPerson(browser, service.url, lookingOptions);
  expect(await findingsOf(stranger, pages)).toEqual([]);
});

it('the pages with frozen payouts and with a request to sign in again pass the accessibility checks at every width', async () => {
  const person = await signedIn(service.demo.owner_email, '/');
  await owner('PATCH', '/workspace', { payouts_frozen: true });
  const frozen = [
    { name: 'members-frozen', path: '/members' },
    { name: 'pay-out-frozen', path: `${PROGRAM}/payouts/new` },
  ];
  const findings = await findingsOnAll(person, 'consent', frozen);
  await owner('PATCH', '/workspace', { payouts_frozen: false });
  await call('POST', '/local/clock', { advance_seconds: 3_600 });
  const stale = {
    name: 'pay-out-sign-in-again',
    path: `${PROGRAM}/payouts/new`,
    act: async (page: Page) => {
      await page.reload();
      await page.getByRole('button', { name: /^Record payout of/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Record payout', exact: true }).click();
      await page.getByText('Sign in again for this').waitFor();
    },
  };
  expect([...findings, ...(await findingsOf(person, [stale]))]).toEqual([]);
});
