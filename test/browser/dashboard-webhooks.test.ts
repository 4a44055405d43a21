import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { findingsOnAll, lookingOptions, press } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner sets up webhooks for another system. Each test continues the previous one.

const PROGRAM = '/programs/1';

/** Starts a receiver of webhooks on this machine. */
async function startReceiver() {
  const received: IncomingMessage['headers'][] = [];
  const answer = { status: 500, body: 'Out of order' };
  const server = createServer((request, response) => {
    received.push(request.headers);
    request.resume();
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received, answer, stop };
}

const { service, person, page } = await openService(lookingOptions);
const receiver = await startReceiver();
afterAll(() => receiver.stop());
beforeAll(() => enterAs(page, service.demo.owner_email, `${PROGRAM}/settings#webhooks`));

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = (name: string) => page.getByRole('dialog', { name });
const endpoints = async () => (await service.dashboard('GET', `${PROGRAM}/webhooks`)).data;
const endpointPath = async () => `${PROGRAM}/webhooks/${(await endpoints())[0].id}`;
const deliveries = async () => (await service.dashboard('GET', `${await endpointPath()}/deliveries`)).data;
const rows = () => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');

it('an owner adds a webhook endpoint, sees errors in the form, and sees the secret only once', async () => {
  await page.getByRole('link', { name: 'Webhook endpoints' }).click();
  await page.getByText('No endpoints yet').waitFor();
  await button('Add endpoint').click();
  const adding = dialog('Add endpoint');
  await adding.getByLabel('Address').fill('https://192.168.0.1/hooks');
  await adding.getByRole('button', { name: 'Add endpoint' }).click();
  await adding
    .getByText(
      'Address must be an https address of a public host, on port 443 or above 1023, without user and password',
    )
    .waitFor();
  await adding.getByLabel('Address').fill(receiver.url);
  await adding.getByLabel('Description').fill('Billing');
  await adding.getByLabel('Events', { exact: true }).selectOption('Some');
  await adding.getByRole('button', { name: 'Add endpoint' }).click();
  await adding.getByText('Events must be a list of one or more event names, each of them once').waitFor();
  await adding.getByLabel('sale.recorded').check();
  await adding.getByLabel('sale.refunded').check();
  await adding.getByRole('button', { name: 'Add endpoint' }).click();
  const added = dialog('Endpoint added');
  await added.getByRole('button', { name: 'Copy signing secret' }).click();
  await added.getByText('Copied').waitFor();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = added.getByLabel('signing secret', { exact: true });
  expect(await shown.innerText()).toBe(secret);
  expect(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await added.getByRole('button', { name: 'I have stored it' }).click();
  expect(await endpoints()).toMatchObject([
    { url: receiver.url, description: 'Billing', events: ['sale.recorded', 'sale.refunded'], status: 'active' },
  ]);
  const address = page.getByRole('link', { name: receiver.url });
  // The full URL, because endpoints of one host differ only in their paths.
  expect(await address.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await address.click();
  await page.getByText('sale.recorded, sale.refunded').waitFor();
  expect(await page.content()).not.toContain(secret);
});

it('an owner sends a test to a webhook endpoint and sees the response', async () => {
  await button('Send test').click();
  await rows().getByText('Answered 500').waitFor();
  expect(receiver.received[0]!['webhook-id']).toBe((await deliveries())[0].event_id);
  await button(/^Show endpoint.test evt_/).click();
  const details = dialog('Delivery of endpoint.test');
  await details.getByText(`POST ${receiver.url}`).waitFor();
  await details.getByText('Out of order').first().waitFor();
  await details.getByText('"type": "endpoint.test"').waitFor();
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
});

it('the pages of a program say that its webhook endpoint refuses deliveries', async () => {
  await page.goto(PROGRAM);
  await page.getByText(`The webhook endpoint ${new URL(receiver.url).host} has taken no deliveries`).waitFor();
  await page.getByRole('link', { name: 'Look at its deliveries' }).click();
  await rows().first().waitFor();
});

it('an owner sends one webhook delivery again, and then all events of a day', async () => {
  Object.assign(receiver.answer, { status: 200, body: 'Thanks' });
  await button(/^Send again: endpoint.test evt_/).click();
  await rows().getByText('Delivered').waitFor();
  await service.dashboard('POST', `${PROGRAM}/codes`, { partner_id: 1, code: 'SAVE10' });
  await service.track('sale', { transaction_id: 'told', amount_cents: 4900, coupon_code: 'SAVE10' });
  await expect.poll(async () => (await deliveries()).length).toBe(2);
  await button('Send events again…').click();
  const again = dialog('Send events again');
  await again.getByLabel('Events', { exact: true }).selectOption('sale.refunded');
  await again.getByRole('button', { name: 'Send again' }).click();
  await again.getByText('There is no such event on these days.').waitFor();
  await again.getByRole('button', { name: 'Close', exact: true }).last().click();
  await button('Send events again…').click();
  await again.getByLabel('Events', { exact: true }).selectOption('sale.recorded');
  await again.getByRole('button', { name: 'Send again' }).click();
  await again.getByText('1 event will be sent.').waitFor();
  await again.getByRole('button', { name: 'Close', exact: true }).last().click();
  const idsOfSale = () => receiver.received.map((headers) => headers['webhook-id']).filter((id) => id !== idOfTest);
  const [{ event_id: idOfSale }, { event_id: idOfTest }] = await deliveries();
  await expect.poll(idsOfSale).toEqual([idOfSale, idOfSale]);
});

it('an owner changes, pauses and activates a webhook endpoint', async () => {
  await button('Edit').click();
  const editing = dialog('Edit endpoint');
  await editing.getByLabel('Events', { exact: true }).selectOption('All, with clicks');
  await editing.getByLabel('Description').fill('Books');
  await editing.getByRole('button', { name: 'Save changes' }).click();
  await editing.waitFor({ state: 'detached' });
  await page.getByText('Books').waitFor();
  await button('Pause').click();
  await page.getByText('Paused', { exact: true }).waitFor();
  expect(await endpoints()).toMatchObject([
    { description: 'Books', events: ['*', 'click.recorded'], status: 'paused' },
  ]);
  await button('Send test').click();
  await rows().getByText('When it is active', { exact: true }).waitFor();
  await button('Activate').click();
  await page.getByText('Active', { exact: true }).waitFor();
  await rows().getByText('Pending').waitFor({ state: 'detached' });
});

it('the page of a disabled webhook endpoint says why it was disabled, until it is active again', async () => {
  Object.assign(receiver.answer, { status: 410, body: '' });
  await button('Send test').click();
  await expect.poll(async () => (await endpoints())[0].status).toBe('disabled');
  await page.reload();
  await page
    .getByText(`The webhook endpoint ${new URL(receiver.url).host} was disabled. It answered 410 Gone. Nothing is sent`)
    .waitFor();
  expect(await button('Send test').count()).toBe(0);
  await button('Activate').click();
  await page.getByText('was disabled.').waitFor({ state: 'detached' });
  await page.getByText('Active', { exact: true }).waitFor();
});

it('the pages about webhooks pass the accessibility checks at every width', { timeout: 300_000 }, async () => {
  const path = await endpointPath();
  // A delivery that is hard to display.
  const { id } = (
    await service.dashboard('POST', `${PROGRAM}/webhooks`, {
      url: `https://${'long-name.'.repeat(20)}brand.com/${'a'.repeat(1_700)}`,
      description: 'x'.repeat(200),
      events: ['sale.recorded', 'sale.refunded', 'sale.disputed', 'commission.created', 'commission.recalculated'],
    })
  ).data;
  const seen = [
    { name: 'webhooks', path: `${PROGRAM}/webhooks` },
    { name: 'webhooks-add', path: `${PROGRAM}/webhooks`, act: press('Add endpoint') },
    { name: 'webhook', path },
    {
      name: 'webhook-delivery',
      path,
      act: () =>
        button(/^Show endpoint.test evt_/)
          .last()
          .click(),
    },
    { name: 'webhook-extreme', path: `${PROGRAM}/webhooks/${id}` },
    { name: 'webhook-edit', path: `${PROGRAM}/webhooks/${id}`, act: press('Edit') },
    { name: 'webhook-replay', path, act: press('Send events again…') },
  ];
  expect(await findingsOnAll(person, 'dashboard', seen)).toEqual([]);
  await service.dashboard('DELETE', `${PROGRAM}/webhooks/${id}`);
});
