import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enterAs, newPerson, type Person, signIn } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, browser } = await openService();
let person: Person;

beforeEach(async () => {
  person = await newPerson(browser, service.url);
});
afterEach(async () => {
  expect(person.problems).toEqual([]);
  await person.leave();
});

const heading = (name: string) => person.page.getByRole('heading', { level: 1, name });

describe('signing in', () => {
  it('leads to the programs of the person', async () => {
    const { page } = person;
    await page.goto('/partner');
    await signIn(page, 'ana@partners.test');
    await heading('Your programs').waitFor();
    expect(new URL(page.url()).pathname).toBe('/partner');
    await page.getByRole('link', { name: 'Open Acme Pro' }).click();
    await heading('Acme Pro').waitFor();
  });

  it('leads back to where the person wanted to go', async () => {
    const { page } = person;
    const path = `/partner/programs/${service.demo.program_id}/terms`;
    await page.goto(path);
    await signIn(page, 'ben@partners.test');
    await heading('Terms').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  });

  it('tells who is a partner of nothing what to do', async () => {
    const { page } = person;
    await enterAs(page, 'nobody@partners.test', '/partner');
    await page.getByText('You are in no program yet').waitFor();
    await page.getByText('nobody@partners.test', { exact: true }).first().waitFor();
  });
});

describe('a session', () => {
  it('is shared with the dashboard, each of which leads to the other where there is one', async () => {
    const { page } = person;
    await enterAs(page, service.demo.owner_email, '/partner');
    await page.getByRole('link', { name: 'Dashboard of Acme' }).click();
    await heading('Acme Pro').waitFor();
    expect(await page.getByRole('link', { name: 'Your pages as a partner' }).count()).toBe(0);

    const email = service.demo.owner_email;
    await service.dashboard('POST', `/programs/${service.demo.program_id}/partners`, { name: 'Olga', email });
    await page.reload();
    await page.getByRole('link', { name: 'Your pages as a partner' }).click();
    await page.getByRole('link', { name: 'Look at the invitation of Acme Pro' }).click();
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('link', { name: 'Your programs' }).click();
    await page.getByRole('link', { name: 'Open Acme Pro' }).waitFor();
  });

  it('ends when the person signs out', async () => {
    const { page } = person;
    await enterAs(page, 'ana@partners.test', '/partner');
    await heading('Your programs').waitFor();
    const token = await page.evaluate(() => sessionStorage.getItem('login_token'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/partner');
    const answer = await fetch(`${service.url}/api/partner/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
  });

  it('that ended elsewhere asks to sign in again, and goes on at the same page', async () => {
    const { page } = person;
    await enterAs(page, 'ana@partners.test', '/partner/settings');
    await heading('Settings').waitFor();
    const token = await page.evaluate(() => sessionStorage.getItem('login_token'));
    await fetch(`${service.url}/api/dashboard/v1/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    await page.reload();
    await page.getByText('Your session has ended. Sign in again').waitFor();
    await signIn(page, 'ana@partners.test');
    await heading('Settings').waitFor();
  });

  it('of a partner without a workspace leads from the dashboard to the pages of the partner', async () => {
    const { page } = person;
    await enterAs(page, 'ana@partners.test', '/');
    await page.getByRole('link', { name: 'Your pages as a partner' }).click();
    await heading('Your programs').waitFor();
  });
});

it('says that there is no such page', async () => {
  const { page } = person;
  await enterAs(page, 'ana@partners.test', '/partner/nothing');
  await heading('There is no such page').waitFor();
  await page.goto('/partner/programs/%E0');
  await heading('There is no such page').waitFor();
});

it('shows nothing of a program that is not the partner’s', async () => {
  const { page } = person;
  await enterAs(page, 'ana@partners.test', '/partner/programs/99/links');
  await page.getByText('You are signed in as ana@partners.test; this address is no partner of this program.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Your programs' }).click();
  await heading('Your programs').waitFor();
});
