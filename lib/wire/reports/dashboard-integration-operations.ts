import * as z from 'zod/mini';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ANY_NUMBER, bodyRefusals, completeBodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { inPathOrQuery, inQuery, page, programId } from '#lib/wire/words/parameters.ts';
import {
  ConnectStart,
  DisconnectedProcessor,
  Processor,
  RetriedPayment,
  UnattributedPayment,
} from '#lib/wire/conversions/processor.ts';
import { ChainResult, Readiness } from '#lib/wire/reports/readiness.ts';
import { SigningSecret } from '#lib/wire/outbox/signing-secret-request.ts';
import { ofProgram, open, ownersOnly, pageRefusals, recentSignIn } from '#lib/wire/document/dashboard-operations.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';

const family = ofProgram('integration');
const owners = ownersOnly(family);

export const integrationRoutes = {
  'dashboard/readiness/get': operation(family, {
    id: 'getProgramReadiness',
    summary: 'Check whether the integration is complete',
    parameters: [programId, inQuery('force_recheck', '`true` or `1` bypasses caches.')],
    ok: [data(Readiness)],
  }),
  'dashboard/verification/post': operation(family, {
    id: 'runVerification',
    summary: 'Run the verification chain',
    description:
      'Sends a test click, lead and sale through the same code as real ones. The limit is ten runs per hour.',
    parameters: [programId],
    body: z.optional(z.object({})),
    ok: [data(ChainResult)],
    refusals: [...bodyRefusals, refusals.tooManyChains(ANY_NUMBER)],
  }),
  'dashboard/processor/get': operation(family, {
    id: 'getProcessor',
    summary: "Read the program's connection to Stripe",
    parameters: [programId],
    ok: [data(Processor)],
  }),
  'dashboard/processor/payments': operation(family, {
    id: 'listUnsoldPayments',
    summary: 'List payments that did not become sales',
    description:
      "The last 90 days, newest first: payments of Stripe, and sales of the sale endpoint that contained a customer key or a click id, that were not recorded. A sale of the sale endpoint has no event id and the type `api`; of several with the same transaction id, the newest is listed. `other_program` and `misspelt_metadata`: the payment is by a customer of this program, but its metadata contain another program's id, or a misspelt name. Payments that have been recorded since are left out. An invoice waits for its payment intent for 30 days before it is listed with `waiting_for_payment_intent`. A payment with a coupon code that the program does not have is listed with `waiting_for_code`; it is recorded if the code becomes known within 30 days.",
    parameters: [programId, ...page],
    ok: [listOf(UnattributedPayment)],
    refusals: pageRefusals,
  }),
  'dashboard/processor/retry': operation(family, {
    id: (_, path) => (path.includes('{event_id}') ? 'retryUnsoldPayment' : 'retryUnsoldPaymentByQuery'),
    summary: 'Retry a payment',
    description:
      "Uses the program's present window, partners and currencies, and the customer whom the payment's identifiers find now. Metadata with another program's id or a misspelt name are read as meant for this program. The sale is dated at the time of the payment, and recorded only once. If another program has a sale with this id, the sale is recorded as `<program id>_<id>`, or if that is taken too, with `_` and 26 random characters after it; refunds, disputes and repetitions still find it by the original id. Send an id in the query if it cannot be part of a path (if it contains `/`, `?`, `%` or segments of dots). A payment that waits for its payment intent or coupon code continues to wait. Payments of erased customers, and those received before this operation existed, cannot be recorded.",
    parameters: [
      programId,
      ...inPathOrQuery('event_id', 'The id of the event, or the transaction id of a sale whose `event_id` is null.'),
    ],
    ok: [data(RetriedPayment)],
    refusals: [refusals.paymentNotFound()],
  }),
  'dashboard/processor/put': operation(recentSignIn(owners), {
    id: 'setSigningSecret',
    summary: "Connect the program's own endpoint",
    description: 'For owners. The former secret stays valid for 24 hours. No reply contains a secret.',
    parameters: [programId],
    body: SigningSecret,
    ok: [data(Processor)],
    refusals: [...completeBodyRefusals(SigningSecret), refusals.signingSecretInvalid()],
  }),
  'dashboard/processor/delete': operation(recentSignIn(owners), {
    id: 'disconnectProcessor',
    summary: 'Disconnect Stripe',
    description:
      'For owners. Deletes the account and the secrets. If no other program uses the account, the platform is also removed from it at Stripe; the reply then contains `deauthorized`. If that is false, Stripe did not do it: remove the platform in your Stripe account.',
    parameters: [programId],
    ok: [data(Processor), data(DisconnectedProcessor)],
  }),
  'dashboard/processor/connect': operation(recentSignIn(owners), {
    id: 'connectProcessor',
    summary: "Start to connect the brand's Stripe account",
    description: 'For owners. Open `url` in the browser.',
    parameters: [programId],
    body: z.optional(z.object({})),
    ok: [data(ConnectStart)],
    moreHeaders: ['Set-Cookie'],
    refusals: [...bodyRefusals, refusals.connectNotConfigured()],
  }),
  'dashboard/processor/callback': operation(
    { ...open, tag: family.tag, security: ['connectCookie', 'anonymous'] },
    {
      id: 'completeConnection',
      summary: "Receive the browser that returns from Stripe's page",
      parameters: [
        inQuery('state', 'The `state` of the attempt.'),
        inQuery('code', 'The code that Stripe sends if the person agreed.'),
        inQuery('error', 'The error that Stripe sends if the person did not agree.'),
      ],
      others: {
        302: {
          description:
            'Redirects to the dashboard in every case. `processor` and `reason` in its query report the result.',
          headers: {
            'X-Request-ID': 'always',
            Location: 'always',
            'X-RateLimit-Limit': 'always',
            'X-RateLimit-Remaining': 'always',
            'X-RateLimit-Reset': 'always',
          },
        },
      },
    },
  ),
} satisfies Readonly<Record<string, Operation>>;
