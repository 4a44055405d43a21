import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { enterAs, signIn, signInAtIssuer } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

const { service, newPage } = await openService();

const me = (token: string) =>
  fetch(`${service.url}/api/dashboard/v1/me`, { headers: { authorization: `Bearer ${token}` } });

describe('signing in to the dashboard', () => {
  it('uses PKCE with the identity provider, and returns to the page that was requested', async () => {
    const page = await newPage();
    await page.goto('/programs/1/settings?processor=error&reason=denied#api-key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/local/oidc/authorize?*');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      response_type: 'code',
      client_id: 'service-dashboard',
      redirect_uri: `${service.url}/signed-in`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    await signInAtIssuer(page, service.demo.owner_email);
    await page.getByRole('heading', { name: 'API Key' }).waitFor();
    expect(page.url()).toBe(`${service.url}/programs/1/settings/api-key?processor=error&reason=denied#api-key`);
  });

  it('leaves no token, code or state in the URL, the history, cookies or the local storage', async () => {
    const page = await newPage();
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.goto('/');
    await signIn(page, service.demo.owner_email);
    await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
    const token = await page.evaluate(() => sessionStorage.getItem('login_token'));
    expect(token).toMatch(/^lgn_\w{40}$/);
    expect(addresses.join(' ')).not.toContain('lgn_');
    expect(addresses.filter((address) => address.includes('code='))).toHaveLength(1);
    expect(await page.evaluate(() => [location.search, document.cookie, localStorage.length])).toEqual(['', '', 0]);
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  it('refuses an id_token that was issued for another sign-in', async () => {
    const page = await newPage();
    const response = await fetch(`${service.url}/local/oidc/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: service.demo.owner_email }),
    });
    const body = await response.text();
    await page.route('**/local/oidc/token', (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(service.demo.owner_email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The sign-in service answered for another sign-in. Sign in again.').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('refuses a code from another window, and shows the identity provider’s error', async () => {
    const page = await newPage();
    await page.goto('/signed-in?code=stolen&state=guessed');
    await page.getByText('This sign-in does not belong to this window, or was already used. Sign in again.').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('login_token'))).toBeNull();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goto('/signed-in?error=access_denied&error_description=You%20changed%20your%20mind');
    await page.getByText('Sign-in was not completed: You changed your mind').waitFor();
  });
});

const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('login_token'));

/** Ends the session as another device would. */
async function endSession(page: Page): Promise<void> {
  const token = await page.evaluate(() => sessionStorage.getItem('login_token')!);
  await fetch(`${service.url}/api/dashboard/v1/session`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
}

describe('a session in the dashboard', () => {
  it('ends when the user signs out, and the service then refuses its token', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/');
    await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
    const token = await page.evaluate(() => sessionStorage.getItem('login_token')!);
    expect((await me(token)).status).toBe(200);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect((await me(token)).status).toBe(401);
    expect(await page.evaluate(() => sessionStorage.getItem('login_token'))).toBeNull();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('ends with a redirect to the identity provider’s sign-out URL, with parameters in both usual formats', async () => {
    const page = await newPage();
    await page.route('**/config.json', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), logout_endpoint: '/docs/errors' } });
    });
    await enterAs(page, service.demo.owner_email, '/');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/docs/errors?*');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      client_id: 'service-dashboard',
      post_logout_redirect_uri: `${service.url}/`,
      logout_uri: `${service.url}/`,
    });
  });

  it('that ends while a form is filled in can be renewed in a new tab, and the form keeps its input', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/programs/1/partners');
    // A list that still loads would find the end of the session before the form does.
    await page.getByRole('row', { name: /Ana/ }).waitFor();
    await page.getByRole('button', { name: 'Add partner' }).click();
    const form = page.getByRole('dialog', { name: 'Add partner' });
    await form.getByLabel('Name').fill('Typed before');
    await form.getByLabel('E-mail').fill('typed@partners.test');
    await form.getByLabel('How').selectOption('Add at once, without a mail');
    await endSession(page);
    await form.getByRole('button', { name: 'Add partner' }).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
    ]);
    await signIn(tab, service.demo.owner_email);
    await tab.getByRole('heading', { name: 'Acme Pro' }).waitFor();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Typed before');
    await form.getByRole('button', { name: 'Add partner' }).click();
    await form.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Typed before/ }).waitFor();
  });

  it('of a second user, who signs in after the first user’s session has ended, does not show the first user’s pages', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/programs/1/partners');
    await page.getByRole('row', { name: /Ana/ }).waitFor();
    await endSession(page);
    await page.getByRole('link', { name: 'Events' }).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
    ]);
    await signIn(tab, 'nobody-yet@other.test');
    await tab.getByRole('heading', { name: 'Create your workspace' }).waitFor();
    await page.getByRole('heading', { name: 'Create your workspace' }).waitFor();
  });

  it('that replaces an expired one is used only after the service has named its user', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/programs/1/partners');
    await page.getByRole('row', { name: /Ana/ }).waitFor();
    const first = await kept(page);
    await endSession(page);
    await page.getByRole('link', { name: 'Events' }).click();
    await page.route('**/dashboard/v1/me', (route) => route.abort());
    const asked = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/dashboard/v1/me'));
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
    ]);
    await signIn(tab, service.demo.member_email);
    await tab.getByRole('heading', { name: 'Acme Pro' }).waitFor();
    await asked;
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await kept(page)).toBe(first);
  });

  it('is shared by all tabs of the browser, survives a reload and ends in all tabs', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/');
    await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/programs/1/partners');
    await tab.getByRole('row', { name: /Ana/ }).waitFor();
    expect(await kept(tab)).toBe(await kept(page));
    await page.reload();
    await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
    const stranger = await newPage();
    await stranger.goto('/');
    await stranger.getByRole('button', { name: 'Sign in' }).waitFor();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByText('You are signed out.').waitFor();
    await page.getByText('You signed out in another tab.').waitFor();
    expect([await kept(tab), await kept(page)]).toEqual([null, null]);
    // Signing in again in one tab continues the other.
    await signIn(page, service.demo.owner_email);
    await tab.getByRole('row', { name: /Ana/ }).waitFor();
  });
});

const advance = (body: object) => fetch(`${service.url}/local/clock`, { method: 'POST', body: JSON.stringify(body) });

describe('an action in the dashboard that needs a recent sign-in', () => {
  it('succeeds an hour after the sign-in if the user signs in again, and keeps the entered values', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await dialog.getByLabel('E-mail').fill('co-founder@acme.test');
    await dialog.getByLabel('Role').selectOption('Owner');
    expect((await advance({ advance_seconds: 3_600 })).status).toBe(200);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('alert').getByText('Sign in again for this').waitFor();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Sign in in a new tab' }).click(),
    ]);
    const first = await kept(page);
    await tab.getByLabel('E-mail').fill(service.demo.owner_email);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('heading', { name: 'You have signed in again' }).waitFor();
    await expect.poll(() => kept(page)).not.toBe(first);
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('co-founder@acme.test');
    expect(await dialog.getByLabel('Role').inputValue()).toBe('owner');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page
      .getByRole('row', { name: /co-founder@acme\.test/ })
      .getByText('Invited')
      .waitFor();
  });
});

describe('a member in the dashboard', () => {
  it('can do what members may do, and sees which actions only owners can do', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.member_email, '/programs/1/commissions');
    await page.getByText('A workspace owner pays out.').waitFor();
    expect(await page.getByRole('link', { name: 'Pay out', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Settings' }).click();
    const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('region', { name: 'Program', exact: true }).getByLabel('Name').fill('Acme Other');
    await page.getByRole('button', { name: 'Save program' }).click();
    await page.getByText('Saved.').waitFor();
    await service.dashboard('PATCH', '/programs/1', { name: 'Acme Pro' });
    await open('API Key');
    await page.getByText('Only a workspace owner can generate a key. Ask one to hand it to you.').waitFor();
    expect(await page.getByRole('button', { name: /key/i }).count()).toBe(0);
    const readOnly = {
      Terms: ['Rate', 'Hold'],
      Payouts: ['Minimum payout'],
      'Traffic rules': ['Self-referral', 'Banned sites'],
      Tracking: ['Attribution window', 'Ignored addresses'],
    };
    const settings = page.getByRole('navigation', { name: 'Settings' });
    for (const [title, labels] of Object.entries(readOnly)) {
      await settings.getByRole('link', { name: title }).click();
      for (const label of labels) expect(await page.getByLabel(label, { exact: true }).isDisabled()).toBe(true);
    }
    expect(await page.getByRole('button', { name: 'Save' }).allInnerTexts()).toEqual(['Save tracking']);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('row', { name: /owner@acme\.test/ }).waitFor();
    expect(await page.getByRole('button', { name: /Invite|Remove|Make/ }).count()).toBe(0);
  });

  it('who becomes an owner sees the owner’s buttons; the last owner cannot be removed', async () => {
    const page = await newPage();
    await enterAs(page, service.demo.owner_email, '/members');
    await page.getByRole('button', { name: 'Make member: owner@acme.test' }).click();
    await page.getByText('A workspace needs at least one owner').waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await dialog.getByLabel('E-mail').fill('new@acme.test');
    await dialog.getByLabel('Role').selectOption('Owner');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page
      .getByRole('row', { name: /new@acme\.test/ })
      .getByText('Invited')
      .waitFor();

    const invited = await newPage();
    await enterAs(invited, 'new@acme.test', '/members');
    await invited.getByText('owner invites you to Acme as an owner.').waitFor();
    await invited.getByRole('button', { name: 'Accept: Acme' }).click();
    await invited.getByRole('button', { name: 'Invite' }).waitFor();
  });
});
