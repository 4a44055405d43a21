import { createHmac } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { enterAs } from '#test/browser/support/dashboard.ts';
import { openService } from '#test/browser/support/open-service.ts';

// An owner searches for a missing payment. Each test continues the previous one.

const SECRET = 'whsec_example';
const TITLE = 'Payments that did not become a sale';

const { service, page } = await openService();

beforeAll(async () => {
  await enterAs(page, service.demo.owner_email, '/programs/1/payments');
});

/** An event that Stripe would send to the program's own endpoint. */
async function pay(id: string, currency: string, amountCents: number, clickId: string): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000);
  const event = JSON.stringify({
    id: `evt_${id}`,
    type: 'checkout.session.completed',
    created: seconds,
    livemode: true,
    data: {
      object: {
        id,
        mode: 'payment',
        payment_status: 'paid',
        amount_total: amountCents,
        currency,
        payment_intent: `pi_${id}`,
        metadata: { service_click_id: clickId },
      },
    },
  });
  const signature = createHmac('sha256', SECRET).update(`${seconds}.${event}`).digest('hex');
  const response = await fetch(`${service.url}/api/v1/webhooks/stripe/1`, {
    method: 'POST',
    headers: { 'Stripe-Signature': `t=${seconds},v1=${signature}` },
    body: event,
  });
  expect(await response.json()).toEqual({ received: true });
}

const rows = async (): Promise<string[][]> =>
  page
    .getByRole('table', { name: TITLE })
    .locator('tbody tr')
    .evaluateAll((all: HTMLTableRowElement[]) =>
      all.map((row) => [...row.cells].map((cell) => cell.innerText.replaceAll(/\s*\n\s*/g, ' / '))),
    );

it('an empty list of payments that became no sale explains why it is empty, with and without a connected Stripe account', async () => {
  await page.getByText('No card processor is connected').waitFor();
  await page.getByRole('link', { name: 'Connect a card processor' }).click();
  await page.waitForURL('**/programs/1/settings/card-processor#processor');
  await service.dashboard('PUT', '/programs/1/processor', { signing_secret: SECRET });
  await page.goto('/programs/1/payments');
  await page.getByText('Every payment of the last 90 days that named a customer became a sale.').waitFor();
});

it('each payment that became no sale is shown with its time, its amount, the reason and the next step', async () => {
  const { click_id: clickId } = await service.track('click', { affiliate_url: 'https://acme.test/?aff=ana' });
  await pay('cs_1', 'gbp', 2_900, clickId);
  await pay('cs_2', 'usd', 4_900, 'clk_of_nobody');
  await pay('cs_3', 'usd', 4_900, clickId);
  await page.reload();
  await expect.poll(rows).toEqual([
    [
      'cs_2 / checkout.session.completed',
      expect.stringMatching(/\d:\d\d:\d\d [AP]M$/),
      '$49.00',
      'Its click id does not exist in this program, or belongs to an unlinked customer.',
      'Check that your checkout sends the click id of this program’s tracker, unchanged. / Try again',
    ],
    [
      'cs_1 / checkout.session.completed',
      expect.stringMatching(/\d:\d\d:\d\d [AP]M$/),
      '£29.00',
      'The service does not record sales in this currency. / currency GBP is not supported',
      'Charge in one of the currencies in the program’s settings. Or ask the operator to add this currency, then try again. / Try again',
    ],
  ]);
});
