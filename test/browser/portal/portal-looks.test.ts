import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { enterAs, newPerson, type Person } from '#test/browser/support/dashboard.ts';
import { findingsOnAll, lookingOptions, press, type Seen } from '#test/browser/support/looks.ts';
import { type Service, startService } from '#test/browser/support/service.ts';

// Every page, light and dark, wide and narrow. Screenshots are stored in .local/screenshots for review.

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitänsmützen & Sons <b>International</b>';
/** A color that cannot be read, and texts without a space. */
const LONG_BRAND = {
  display_name: `Donaudampfschifffahrtsgesellschaftskapitänsmützen & Sons`,
  accent_color: '#ffff00',
  welcome: `Welcome!\n\n${'x'.repeat(300)}`,
  contact_email: `${'questions-of-partners'.repeat(4)}@acme.test`,
};
const LONG_TERMS = `${'Advertise nowhere where we do. '.repeat(300)}\n${'x'.repeat(300)}`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** The pages that differ without any data. */
const emptyPages = new Set(['home', 'overview', 'commissions', 'payouts']);

/** Every page of a partner. */
function pagesOf(service: Service, commissionId: number | string, payoutId: number | string): readonly Seen[] {
  const program = `/partner/programs/${service.demo.program_id}`;
  return [
    { name: 'home', path: '/partner' },
    { name: 'overview', path: program },
    { name: 'links', path: `${program}/links` },
    { name: 'links-add', path: `${program}/links`, act: press('Make a link') },
    { name: 'links-share', path: `${program}/links`, act: press('Share link ana') },
    { name: 'codes', path: `${program}/codes` },
    { name: 'customers', path: `${program}/customers` },
    { name: 'commissions', path: `${program}/commissions` },
    { name: 'commission', path: `${program}/commissions/${commissionId}` },
    { name: 'payouts', path: `${program}/payouts` },
    { name: 'payout', path: `${program}/payouts/${payoutId}` },
    { name: 'no-such-statement', path: `${program}/statements/0-1-USD` },
    { name: 'no-such-payout', path: `${program}/payouts/0` },
    { name: 'terms', path: `${program}/terms` },
    { name: 'payout-details', path: '/partner/payout-details' },
    { name: 'settings', path: '/partner/settings' },
    { name: 'leave', path: '/partner/settings', act: press('Leave Acme Pro…') },
    { name: 'close', path: '/partner/settings', act: press('Close account…') },
    { name: 'no-such-page', path: '/partner/nothing' },
    { name: 'as-partner', path: `/join/${service.demo.program_id}/acme-pro` },
  ];
}

describe.each([
  { demo: 'living', variables: { DEMO: '1' } },
  { demo: 'empty', variables: { DEMO: 'small' } },
])('the portal with the $demo demo', ({ demo, variables }) => {
  let service: Service;
  let person: Person;
  let pages: readonly Seen[];

  beforeAll(async () => {
    service = await startService(variables);
    const { partner, program_id: programId } = service.demo;
    const program = `/programs/${programId}`;
    await service.dashboard('PATCH', program, { join: 'open' });
    await service.dashboard('POST', `${program}/codes`, { partner_id: partner.id, code: 'ANA20' });
    const { data } = await service.dashboard('GET', `${program}/commissions?partner_id=${partner.id}`);
    const { data: payouts } = await service.dashboard('GET', `${program}/payouts`);
    pages = pagesOf(service, data[0]?.id ?? 0, payouts[0]?.id ?? 0).filter(
      ({ name }) => demo === 'living' || emptyPages.has(name),
    );
    person = await newPerson(browser, service.url, lookingOptions);
    await enterAs(person.page, partner.email, '/partner');
    await person.page.getByRole('main').getByRole('link', { name: 'Acme Pro' }).waitFor();
  });
  afterAll(async () => {
    await person.leave();
    await service.stop();
  });

  // One test, because the pages are known only when the service runs.
  it('passes the accessibility checks on every page at every width', { timeout: 600_000 }, async () => {
    expect(await findingsOnAll(person, `${demo}-portal`, pages)).toEqual([]);
  });
});

async function findingsOf(person: Person, pages: readonly Seen[]): Promise<string[]> {
  const findings = await findingsOnAll(person, 'portal', pages);
  await person.leave();
  return findings;
}

describe('the portal of a partner with the largest amounts and the longest texts', () => {
  let service: Service;
  const program = '/partner/programs/1';
  const longLink = 'l'.repeat(64);
  beforeAll(async () => {
    service = await startService();
    for (const currency of ['USD', 'EUR', 'VND']) {
      const granted = { amount_cents: 1_000_000_000_000, currency, reason: 'r'.repeat(500) };
      await service.dashboard('POST', '/programs/1/partners/1/commissions', granted);
    }
    await service.dashboard('POST', '/programs/1/payouts', { currency: 'EUR' });
    await service.dashboard('POST', '/programs/1/links', {
      partner_id: 1,
      short_link: longLink,
      destination_url: `https://acme.test/${'path/'.repeat(200)}`,
    });
    await service.dashboard('PATCH', '/programs/1/links/ana', { status: 'inactive' });
  });
  afterAll(() => service.stop());

  it('is accessible on every page at every width', async () => {
    const somebody = await newPerson(browser, service.url, lookingOptions);
    await enterAs(somebody.page, 'ana@partners.test', '/partner');
    const pages = [
      { name: 'extreme-home', path: '/partner' },
      { name: 'extreme-overview', path: program },
      { name: 'extreme-links', path: `${program}/links` },
      { name: 'extreme-share', path: `${program}/links`, act: press(`Share link ${longLink}`) },
      { name: 'extreme-commissions', path: `${program}/commissions` },
      { name: 'extreme-payouts', path: `${program}/payouts` },
      { name: 'extreme-close', path: '/partner/settings', act: press('Close account…') },
    ];
    expect(await findingsOf(somebody, pages)).toEqual([]);
  });
});

describe('the portal for people who are no partners yet', () => {
  let service: Service;
  let program: string;
  beforeAll(async () => {
    service = await startService();
    program = `/programs/${service.demo.program_id}`;
    await service.dashboard('PATCH', program, { name: LONG_NAME, partner_terms: LONG_TERMS, join: 'apply' });
    await service.dashboard('PATCH', `${program}/brand`, LONG_BRAND);
    await service.dashboard('POST', `${program}/partners`, { name: 'Ida', email: 'ida@partners.test', invite: true });
  });
  afterAll(() => service.stop());

  it('passes the accessibility checks on every page at every width, signed out', async () => {
    const pages = [
      { name: 'sign-in', path: '/partner' },
      { name: 'branded-sign-in', path: '/partner/programs/1' },
      { name: 'join', path: '/join/1/any-words' },
      { name: 'join-nothing', path: '/join/99' },
    ];
    expect(await findingsOf(await newPerson(browser, service.url, lookingOptions), pages)).toEqual([]);
  });

  it.each([
    {
      email: 'ida@partners.test',
      pages: [
        { name: 'invited', path: '/partner' },
        { name: 'invitation', path: '/partner/programs/1' },
      ],
    },
    {
      email: 'new@partners.test',
      pages: [
        { name: 'apply', path: '/join/1/any-words' },
        { name: 'nothing-yet', path: '/partner' },
        { name: 'foreign', path: '/partner/programs/99' },
      ],
    },
    { email: 'ana@partners.test', pages: [{ name: 'new-terms', path: '/partner/programs/1/terms' }] },
    {
      email: 'owner@acme.test',
      pages: [
        { name: 'viewed', path: '/partner/programs/1/links?as=1' },
        { name: 'viewed-account', path: '/partner/settings?as=1' },
      ],
    },
  ])('passes the accessibility checks on every page for the user $email', async ({ email, pages }) => {
    const somebody = await newPerson(browser, service.url, lookingOptions);
    await enterAs(somebody.page, email, pages[0]!.path);
    expect(await findingsOf(somebody, pages)).toEqual([]);
  });
});
