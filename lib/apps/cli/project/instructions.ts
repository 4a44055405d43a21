import { commissionText } from '#lib/apps/cli/commands/commission-text.ts';
import { trackingCalls } from '#lib/apps/cli/project/tracking-calls.ts';
import type { CreatedProgram } from '#lib/wire/programs/program.ts';

const SANDBOX =
  '| Sandbox | For rehearsals: payments of Stripe’s test mode earn here, live ones are not recorded, and nothing is paid out. Ship with the id and key of another program |\n';

/** A new program, and whether its workspace is a sandbox. */
export type SetUpProgram = CreatedProgram & { readonly sandbox?: boolean };

/**
 * Instructions for people and coding agents to integrate the program: `.service/AGENTS.md`, also written as
 * `skills.md`. They contain no secret.
 */
export function instructions(program: SetUpProgram, apiUrl: string): string {
  const { program_id: id, name, domain, attribution_window_days: windowDays, api_key_url: keyPage } = program;
  const { script_tag: scriptTag, signup_call: signupCall } = trackingCalls(apiUrl, id);
  return `# Referral tracking of ${name}

Instructions for people and coding agents. This file holds no secrets and may be committed.

| | |
|---|---|
| Program id | ${id} |
| Domain | ${domain} |
| Commission | ${commissionText(program)} |
| Attribution window | ${windowDays} days |
${program.sandbox ? SANDBOX : ''}| Leads | \`${program.lead_auth}\` |
| Base URL | ${apiUrl} |
| Program key | \`SERVICE_API_KEY\` in \`.service/.env\`, which is not committed. A workspace owner generates it at ${keyPage} |

The program key is read from the environment, on servers only. Never write it into code, pages, logs or this file.

## 1. Every page: the tracker

\`\`\`html
${scriptTag}
\`\`\`

It reads the \`aff\` parameter of the landing URL, records the click and keeps its id in the first-party cookie
\`service_click_id\`. Send it to your server in a form field of the same name, filled with \`service.getClickId()\`; where
the field is missing, the server may read the cookie, if it is below the same domain.

## 2. Signup

In the browser, right after the account exists:

\`\`\`html
<script>${signupCall}</script>
\`\`\`

On the server, which settles the lead. Send both identifiers when you have both. Most visitors have no click: the client
resolves with \`reason: 'no_attribution'\` for them, the API answers 400 \`Customer not found…\`, and neither is a failure.

\`\`\`js
import { clickIdFrom, ReferralClient } from 'referral-tracking-service';
const referrals = new ReferralClient({ apiKey: process.env.SERVICE_API_KEY, baseUrl: '${apiUrl}' });
await referrals.trackLead({ customerId: userId, clickId: clickIdFrom(request), email: user.email });
\`\`\`

\`\`\`sh
curl ${apiUrl}/api/v1/track/lead \\
  -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\
  -d '{"customer_key":"<your user id>","click_id":"<field service_click_id, else the cookie>","email":"<e-mail address>"}'
\`\`\`

While the program's leads are \`server_required\`, a lead from a browser stays provisional until the server sends it too,
or a payment through Stripe confirms it. A sale by the API alone does not: until then its customer key is not known.

## 3. Payment: the first of these ways that fits, never two for the same payments

**Stripe, without code.** An owner connects Stripe in the dashboard's program settings, and Stripe tells the service of
payments, renewals, refunds and disputes itself. Only the customer is to be named: put the identifiers into the checkout
session's metadata and, for subscriptions, into \`subscription_data.metadata\` as well. Stripe does not copy one to the other,
and without the second the renewals cannot be attributed:

\`\`\`js
const metadata = {
  service_click_id: clickId,
  service_customer_key: userId,
  // program_id: '<your program id>', only where one connected account serves several programs
};
await stripe.checkout.sessions.create({
  mode: 'subscription',
  metadata,
  subscription_data: { metadata },
  // line_items, success_url, ...
});
\`\`\`

**Stripe, by your own webhook.** With the same metadata, forward every event whose signature you have verified, as a whole. The
same happens as in the first way. Where the call fails with 400, the body is no whole event: report it and answer 200. Where it
fails with anything else, answer Stripe 500: it sends the event again, and each counts once. A later payment of a subscription
without metadata that arrives before the first payment is lost until it is sent again: put the metadata on the subscription.

\`\`\`sh
curl ${apiUrl}/api/v1/track/stripe \\
  -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\
  --data-binary @event.json
\`\`\`

In JavaScript \`await referrals.trackStripeEvent(event)\`, by the package below.

Select these events in Stripe, for the service's endpoint or for your own webhook:

\`\`\`text
checkout.session.completed
checkout.session.async_payment_succeeded
payment_intent.succeeded
invoice.paid
invoice_payment.paid
promotion_code.created
promotion_code.updated
customer.discount.created
charge.refunded
charge.dispute.created
charge.dispute.closed
charge.dispute.funds_withdrawn
charge.dispute.funds_reinstated
\`\`\`

**Other processors and languages: by API.** From your server, after each payment succeeded, first payments and renewals:

\`\`\`sh
curl ${apiUrl}/api/v1/track/sale \\
  -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\
  -d '{"transaction_id":"<your invoice id>","customer_key":"<your user id>","amount_cents":4900,"currency":"USD","subscription_id":"<your subscription id>"}'
\`\`\`

\`tax_cents\` says how much of the amount is tax, where it is known: programs may compute commissions without it.

A payment of a subscription is a renewal if this customer has paid for the subscription before. The service knows that by
\`subscription_id\`: send it with each payment of a subscription, the first one too. \`is_recurring: true\` is needed only
where you send none. A payment with neither counts as a single purchase, which every program pays for.

In JavaScript the same by the package that brings \`affitor\`. The service itself serves it; it is in no registry:
\`npm install ${apiUrl}/client.tgz\`. It retries what is safe to retry. If it still fails, the customer has paid nevertheless:
catch the error, and send the sale again later.

\`\`\`js
import { ReferralClient } from 'referral-tracking-service';
const referrals = new ReferralClient({ apiKey: process.env.SERVICE_API_KEY, baseUrl: '${apiUrl}' });
await referrals.trackSale({ customerId: userId, amount: 4900, invoiceId: invoice.id, subscriptionId: subscription.id });
\`\`\`

Track the first payment and every renewal; skip amounts of 0. 409 with \`details.own\` true means that
this sale is recorded already: treat it as success. With false it is not recorded: an owner records it on the page Payments.
Do not call this for Stripe's payments: it loses upgrades, usage, manual invoices and disputes. Where a server does it all the
same, send each \`invoice.paid\` whose \`amount_paid\` is above 0, with any \`billing_reason\`, and nothing for a
subscription's checkout session; send the id of the payment intent (\`pi_…\`) as \`provider_payment_id\`, and refund by that id.
The same id must have been sent with a lead from the server, or the sale names the \`click_id\` too (\`clickId\`):
\`no_attribution\` otherwise. Ids are one space over all brands, and over test and real sales:
put a prefix of your own before those that others may have too. When money goes back, tell it, or the partner keeps the
commission. With \`refund_id\`, your own id of the refund, it counts once with its own amount; without it
\`refund_amount_cents\` is the total so far, and without an amount all is refunded. A refund that comes before its sale answers
404 and is not kept: send it again once the sale is recorded.

\`\`\`sh
curl ${apiUrl}/api/v1/track/refund \\
  -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\
  -d '{"transaction_id":"<your invoice id>","refund_id":"<your refund id>","refund_amount_cents":900,"reason":"refund"}'
\`\`\`

What was told wrongly, and a dispute that the brand has won, is told again with the same \`refund_id\`, the amount that is
right (0 for a won dispute) and \`"correction": true\`: the partner gets back what was taken too much.

## The customer's identifier is the same in all four places

| Place | Name |
|---|---|
| Browser tracker | first argument of \`signup\` |
| Lead API | \`customer_key\` |
| Sale API | \`customer_key\` |
| Processor metadata | \`service_customer_key\` |

## Conventions

1. Amounts are integers in the smallest currency unit (cents).
2. \`transaction_id\` is unique per sale, over all programs. A duplicate answers 409.
3. The same stable internal user id is the \`customer_key\` at signup and at every payment.
4. Sales are sent from a server, never from a browser.
5. \`"additional_data":{"test_mode":true}\` makes a test event: no commission, no fee.
6. The click id is in a first-party cookie; a server knows it only if the client forwards it.

## Commands

| Command | What for |
|---|---|
| \`affitor status\` | the last 24 hours, and whether the integration is verified |
| \`affitor test click\`, \`lead\`, \`sale\` | one test event |
| \`affitor test chain\` | a click, a lead and a sale through the real attribution; fails unless the sale is attributed |
| \`affitor listen\` | the program's events as they happen; \`--forward\` sends them to your receiver |
| \`affitor programs\` | the workspace's programs |
| \`affitor login\`, \`logout\`, \`whoami\` | the person behind the terminal |

All take \`--json\`. Do not run \`affitor init\` again: it creates another program.

## Endpoints

| Method | Path | Credential | What for |
|---|---|---|---|
| POST | \`/api/v1/track/click\` | none | record a click (the tracker does) |
| POST | \`/api/v1/track/lead\` | program key; none from browsers | record a signup |
| POST | \`/api/v1/track/sale\` | program key | record a sale |
| POST | \`/api/v1/track/refund\` | program key | record a refund or chargeback |
| POST | \`/api/v1/track/stripe\` | program key | forward an event of Stripe |
| GET | \`/api/v1/programs/me/readiness\` | program key | what is missing until the integration is verified |
| GET | \`/api/v1/cli/status\` | program key | the program's health |
| POST | \`/api/v1/cli/test-event\` | program key | synthetic test events |

Read \`error.code\` of a failed call first, then \`error.message\`. Retry 429 after \`Retry-After\` seconds and 500 with
backoff, but never after \`Failed to create commission\`: that sale is recorded.
`;
}
