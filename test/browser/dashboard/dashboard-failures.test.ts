import type { Route } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// Failures of the service and the network. The replies simulate failures that the service does not produce on demand.

const REQUEST_ID = '0123456789abcdef0123456789abcdef';

const { service, page, newPage } = await openService();

afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

const openAs = (email: string, path: string) => enterAs(page, email, path);

const answer =
  (status: number, body: unknown, headers = {}) =>
  (route: Route) =>
    route.fulfill({ status, headers: { 'X-Request-ID': REQUEST_ID, ...headers }, json: body });

const platform = (status: number, message: string) => ({
  data: null,
  error: { status, name: 'Error', message, details: {} },
});

describe('a page of the dashboard that fails to load', () => {
  it('shows the request id of the failure, and loads when the user tries again', async () => {
    const failure = answer(500, platform(500, `Request failed (request_id: ${REQUEST_ID})`));
    await page.route('**/api/dashboard/v1/programs/1/partners*', failure, { times: 1 });
    await openAs(service.demo.owner_email, '/programs/1/partners');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(
      /^Request failed\s+Request ID 0123456789abcdef0123456789abcdef\s+Try again$/,
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Ana/ }).waitFor();
  });
});

const gone = (route: Route) => route.abort();
const READINESS = '**/api/dashboard/v1/programs/1/readiness*';
const PERFORMANCE = '**/api/dashboard/v1/programs/1/performance*';
const PARTNERS = '**/api/dashboard/v1/programs/1/partners*';

/** Changes the data in the service's own reply. */
const altered =
  (change: (data: never) => unknown, before?: () => Promise<void>) =>
  async (route: Route): Promise<void> => {
    const response = await route.fetch();
    const answered = await response.json();
    await before?.();
    await route.fulfill({ response, json: { ...answered, data: change(answered.data as never) } });
  };
const firstNamed =
  (name: string) =>
  ([partner]: readonly object[]) => [{ ...partner, name }];

describe('a page of the dashboard whose data cannot be loaded again after an action', () => {
  it('still shows a key that is shown only once', async () => {
    await openAs(service.demo.owner_email, '/programs/1/settings/api-key');
    await page.getByRole('button', { name: 'Replace key…' }).click();
    await page.route(READINESS, gone);
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
    const key = page.getByLabel('API key', { exact: true });
    await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    expect(await key.innerText()).toMatch(/^aff_1_/);
  });

  it('still shows the former data of the parts that failed, and updates the other parts of the overview', async () => {
    await openAs(service.demo.owner_email, '/programs/1');
    const next = page.getByText('The set-up is not finished.');
    await next.waitFor();
    await page.route(READINESS, gone);
    await page.route(PERFORMANCE, gone);
    await page.route(PARTNERS, altered(firstNamed('Renewed')));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('row', { name: /Renewed/ }).waitFor();
    await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    expect(await next.count()).toBe(1);
    expect(await page.locator('.metric-value').count()).toBe(5);
    await page.unroute(PERFORMANCE);
    await page.route(
      READINESS,
      altered((readiness: object) => ({ ...readiness, blocker: null })),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await next.waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('an action in the dashboard that fails', () => {
  it('does not prevent the user from signing out', async () => {
    await openAs(service.demo.owner_email, '/');
    await page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
    await page.route('**/api/dashboard/v1/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('The service did not answer, so the session itself ends after 14 days without use.').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('login_token'))).toBeNull();
  });
});

it('a notice in the dashboard says by when the key must be replaced, and links to the page for it', async () => {
  const warning = {
    code: 'api_key_rotation_required',
    message: 'This API key must be replaced by 2027-01-31.',
    hint: 'A workspace owner can create a new key in Settings → API Key. Then update SERVICE_API_KEY on your server.',
    rotate_by: '2027-01-31T00:00:00.000Z',
    docs_url: `${service.url}/docs/errors`,
  };
  await page.route('**/api/dashboard/v1/programs/1', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), warnings: [warning] } });
  });
  await openAs(service.demo.owner_email, '/programs/1/partners');
  await page.getByText('This API key must be replaced by 2027-01-31.').waitFor();
  const docs = page.getByRole('link', { name: 'What this means' });
  expect(await docs.getAttribute('href')).toBe(`${service.url}/docs/errors#api_key_rotation_required`);
  await page.getByRole('link', { name: 'Replace the key' }).click();
  await page.getByRole('heading', { name: 'API Key' }).waitFor();
});

it('a suspended user sees in the dashboard that the account is suspended', async () => {
  const stranger = await newPage();
  const body = { ...platform(403, 'Your account has been suspended.') };
  await stranger.route(
    '**/api/dashboard/v1/session',
    answer(403, { ...body, error: { ...body.error, details: { code: 'ACCOUNT_BLOCKED' } } }),
  );
  await stranger.goto('/');
  await stranger.getByRole('button', { name: 'Sign in' }).click();
  await stranger.getByLabel('E-mail').fill('suspended@acme.test');
  await stranger.getByRole('button', { name: 'Sign in' }).click();
  await stranger.getByRole('heading', { name: 'Your account is suspended' }).waitFor();
});
