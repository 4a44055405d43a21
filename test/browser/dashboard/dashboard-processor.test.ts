import type { Route } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { stripeEvents } from '#lib/apps/dashboard/settings/integrations/stripe-events.ts';
import { timeText } from '#lib/apps/web/format.ts';
import { enterAs, signIn } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// The page with the processor's documented replies. A stand-in answers, because the processor's own page is not
// available offline.

const { service, page, newPage } = await openService();
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

const none = {
  connected: false,
  mode: null,
  account_id: null,
  charges_enabled: false,
  payouts_enabled: false,
  details_submitted: false,
  livemode: null,
  connected_at: null,
  webhook_url: 'https://track.acme.test/api/v1/webhooks/stripe/1',
  signing_secret_set: false,
  last_delivery: null,
  last_bad_signature_at: null,
};
const direct = {
  ...none,
  connected: true,
  mode: 'direct',
  signing_secret_set: true,
  connected_at: '2026-11-20T15:00:00.000Z',
};
const connected = {
  ...direct,
  mode: 'connect',
  account_id: 'acct_1',
  charges_enabled: true,
  livemode: false,
  signing_secret_set: false,
};

const notConfigured = {
  data: null,
  error: {
    status: 409,
    name: 'ConflictError',
    message: 'Stripe Connect is not configured on this installation. Use a direct endpoint instead.',
    details: {},
  },
};

/** Answers the processor's routes and records the requests. */
async function standIn(processor: object, answers: Readonly<Record<string, (route: Route) => Promise<void>>> = {}) {
  const sent: unknown[] = [];
  await page.route('**/api/dashboard/v1/programs/1/processor{,/connect}', async (route) => {
    const method = route.request().method();
    if (method !== 'GET') sent.push([method, route.request().postDataJSON()]);
    await (answers[method] ?? ((one) => one.fulfill({ json: { data: processor } })))(route);
  });
  return sent;
}

async function openAs(email: string, query = ''): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const settings = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...settings, stripe_connect: true } });
  });
  await enterAs(page, email, `/programs/1/settings${query}`);
  await page.locator('#processor .facts').waitFor();
}

const section = () => page.locator('#processor');

it('the page for connecting Stripe offers both ways, and accepts a signing secret', async () => {
  let current: object = none;
  const sent = await standIn(none, {
    GET: (route) => route.fulfill({ json: { data: current } }),
    PUT: (route) => {
      current = direct;
      return route.fulfill({ json: { data: direct } });
    },
    POST: (route) => route.fulfill({ status: 409, json: notConfigured }),
  });
  await openAs(service.demo.owner_email, '?processor=error&reason=denied');
  await section().getByRole('button', { name: 'Connect with Stripe' }).click();
  await section().getByText('Stripe Connect is not configured').waitFor();
  await expect.poll(() => section().getByRole('alert').count()).toBe(2);
  await section().getByText('Not connected').waitFor();
  await section().getByText('Or use a direct endpoint').click();
  expect(await section().getByLabel('webhook address', { exact: true }).innerText()).toBe(none.webhook_url);
  await section().getByRole('button', { name: 'Copy Stripe events' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(stripeEvents.join('\n'));
  expect(await section().getByText('The secret has not been checked yet').count()).toBe(0);
  await section().getByLabel('Signing secret').fill(' whsec_1 ');
  await section().getByRole('button', { name: 'Save secret' }).click();
  await section().getByText('Direct endpoint', { exact: true }).waitFor();
  expect(sent).toEqual([
    ['POST', {}],
    ['PUT', { signing_secret: 'whsec_1' }],
  ]);
  await section().getByText('The secret has not been checked yet').waitFor();
  await expect.poll(() => section().getByRole('alert').count()).toBe(0);
  await expect.poll(() => section().getByLabel('Signing secret').inputValue()).toBe('');
});

it('the page for connecting Stripe shows the connection, and ends it after a confirmation', async () => {
  let current: object = connected;
  const sent = await standIn(connected, {
    GET: (route) => route.fulfill({ json: { data: current } }),
    DELETE: (route) => {
      current = none;
      return route.fulfill({ json: { data: none } });
    },
  });
  await openAs(service.demo.owner_email, '?processor=connected');
  await section().getByText('The processor is connected.').waitFor();
  expect((await section().locator('.facts').innerText()).replaceAll(/\s+/g, ' ')).toBe(
    `State Connected account Test mode Account acct_1 Takes payments Yes Since ${timeText(connected.connected_at)}`,
  );
  await section().getByRole('button', { name: 'Disconnect…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await section().getByText('Not connected').waitFor();
  expect(sent).toEqual([['DELETE', {}]]);
});

it('the page for connecting Stripe says that the attempt failed, even if its program is unknown', async () => {
  const stranger = await newPage();
  await stranger.goto('/?processor=error&reason=invalid_state');
  await signIn(stranger, service.demo.owner_email);
  await stranger.getByRole('heading', { name: 'The processor was not connected' }).waitFor();
  await stranger.getByText('took longer than ten minutes').waitFor();
});
