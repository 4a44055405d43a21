import { expect, it } from 'vitest';
import { saleSnippets } from '#lib/apps/dashboard/snippets.ts';

it('the example code in Node for a sale names the package to install, creates the client, and says that a lead must come first', () => {
  const facts = { baseUrl: 'https://track.test', programId: 1, domain: 'acme.test', currency: 'EUR' };
  expect(saleSnippets.node(facts)).toBe(`// npm install https://track.test/client.tgz
import { ReferralClient } from 'referral-tracking-service';

const referrals = new ReferralClient({
  apiKey: process.env.SERVICE_API_KEY,
  baseUrl: 'https://track.test',
});

// When an invoice was paid. The invoice's id makes the call safe to repeat.
// The same user.id must have been sent before, with a lead from your server.
await referrals.trackSale({
  customerId: user.id,
  amount: 4900,
  invoiceId: invoice.id,
  currency: 'EUR',
  // The service recognises a renewal by this. Only a payment without a subscription omits it.
  subscriptionId: subscription.id,
});`);
});
