/** What code examples contain about the program and the installation. */
export interface SnippetFacts {
  readonly baseUrl: string;
  readonly programId: number;
  readonly domain: string;
  /** The program's currency, which the examples use. */
  readonly currency: string;
}

const TEST_MODE = '"additional_data":{"test_mode":true}';

/** Writes a call of the tracking API as a shell command. The key comes from an environment variable. */
const curl = (baseUrl: string, path: string, body: string): string => `curl ${baseUrl}/api/v1/track/${path} \\
  -H "Authorization: Bearer $SERVICE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;

const client = (
  baseUrl: string,
  call: string,
  imported = 'ReferralClient',
): string => `// npm install ${baseUrl}/client.tgz
import { ${imported} } from 'referral-tracking-service';

const referrals = new ReferralClient({
  apiKey: process.env.SERVICE_API_KEY,
  baseUrl: '${baseUrl}',
});

${call}`;

export const environmentLine = (key: string): string => `export SERVICE_API_KEY=${key}`;

export const clickSnippets = {
  tracker: ({ baseUrl, programId }: SnippetFacts) =>
    `<script async src="${baseUrl}/js/tracker.js" data-service-program-id="${programId}"></script>`,
  test: ({ baseUrl }: SnippetFacts) => curl(baseUrl, 'click', `{${TEST_MODE}}`),
};

export const leadSnippets = {
  test: ({ baseUrl }: SnippetFacts) => curl(baseUrl, 'lead', `{"customer_key":"user_123",${TEST_MODE}}`),
  node: ({ baseUrl }: SnippetFacts) =>
    client(
      baseUrl,
      `// When somebody signed up. The click id comes with the form field service_click_id, else with the cookie.
await referrals.trackLead({ customerId: user.id, clickId: clickIdFrom(request), email: user.email });`,
      'clickIdFrom, ReferralClient',
    ),
  curl: ({ baseUrl }: SnippetFacts) =>
    curl(
      baseUrl,
      'lead',
      '{"click_id":"<form field service_click_id, else the cookie>","customer_key":"<your user id>","email":"<their address>"}',
    ),
  browser: () => `window.serviceQueue = window.serviceQueue || [];
serviceQueue.push(['signup', '<your user id>', '<their address>']);`,
};

export const saleSnippets = {
  test: ({ baseUrl, currency }: SnippetFacts) =>
    curl(baseUrl, 'sale', `{"customer_key":"user_123","amount_cents":4900,"currency":"${currency}",${TEST_MODE}}`),
  node: ({ baseUrl, currency }: SnippetFacts) =>
    client(
      baseUrl,
      `// When an invoice was paid. The invoice's id makes the call safe to repeat.
// The same user.id must have been sent before, with a lead from your server.
await referrals.trackSale({
  customerId: user.id,
  amount: 4900,
  invoiceId: invoice.id,
  currency: '${currency}',
  // The service recognises a renewal by this. Only a payment without a subscription omits it.
  subscriptionId: subscription.id,
});`,
    ),
  curl: ({ baseUrl, currency }: SnippetFacts) =>
    curl(
      baseUrl,
      'sale',
      `{"transaction_id":"<invoice id>","customer_key":"<your user id>","amount_cents":4900,"currency":"${currency}","subscription_id":"<subscription id, the same for each of its payments>"}`,
    ),
  stripe: () => `const metadata = {
  service_click_id: clickId, // from the form field service_click_id, else the cookie
  service_customer_key: user.id,
  // program_id: '<your program id>', only where one connected account serves several programs
};
await stripe.checkout.sessions.create({
  // …
  metadata,
  subscription_data: { metadata }, // subscriptions only: renewals need it too
});`,
  forward: ({ baseUrl }: SnippetFacts) =>
    client(
      baseUrl,
      `// In your own webhook: the event that stripe.webhooks.constructEvent verified.
try {
  await referrals.trackStripeEvent(event);
} catch (error) {
  // 400 is final: it is no whole event. After anything else answer Stripe 500, so that it sends the event again.
  if (error.status !== 400) throw error;
  console.error(error);
}`,
    ),
};
