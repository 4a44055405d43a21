import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { enterAs, signIn } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, newPage } = await openService();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe('signing in to the portal', () => {
  it('returns to the page that was requested', async () => {
    const page = await newPage();
    const path = `/partner/programs/${service.demo.program_id}/terms`;
    await page.goto(path);
    await signIn(page, 'ben@partners.test');
    await heading(page, 'Terms').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  });
});

describe('a session in the portal', () => {
  it('is shared with the dashboard, and each links to the other if the person has pages there', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/partner');
    await page.getByRole('link', { name: 'Dashboard of Acme' }).click();
    await heading(page, 'Acme Pro').waitFor();
    expect(await page.getByRole('link', { name: 'Your pages as a partner' }).count()).toBe(0);

    const email = service.demo.owner_email;
    await service.dashboard('POST', `/programs/${service.demo.program_id}/partners`, { name: 'Olga', email });
    await page.reload();
    await page.getByRole('link', { name: 'Your pages as a partner' }).click();
    await page.getByRole('link', { name: 'See the invitation of Acme Pro' }).click();
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('link', { name: 'Your programs' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Acme Pro' }).waitFor();
  });

  it('of a partner without a workspace leads from the dashboard to the portal', async () => {
    const page = await newPage();
    await enterAs(page, 'ana@partners.test', '/');
    await page.getByRole('link', { name: 'Your pages as a partner' }).click();
    await heading(page, 'Your programs').waitFor();
  });
});
