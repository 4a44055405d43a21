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
    summary: 'Is the integration complete?',
    parameters: [programId, inQuery('force_recheck', '`true` or `1`: skip any cache.')],
    ok: [data(Readiness)],
  }),
  'dashboard/verification/post': operation(family, {
    id: 'runVerification',
    summary: 'Run the verification chain',
    description: 'Click, lead and sale as tests, through the code of real ones. Ten runs an hour.',
    parameters: [programId],
    body: z.optional(z.object({})),
    ok: [data(ChainResult)],
    refusals: [...bodyRefusals, refusals.tooManyChains(ANY_NUMBER)],
  }),
  'dashboard/processor/get': operation(family, {
    id: 'getProcessor',
    summary: 'How the program is connected to Stripe',
    parameters: [programId],
    ok: [data(Processor)],
  }),
  'dashboard/processor/payments': operation(family, {
    id: 'listUnsoldPayments',
    summary: 'What did not become a sale',
    description:
      'Newest first, for 90 days: payments of Stripe and sales of the sale endpoint that named a customer or a click and were not recorded. Those of the sale endpoint have no event, and type `api`; of several with one id it is the newest. `other_program` and `misspelt_metadata` are payments of a customer of this program whose metadata name another one, or have a name that is close to one that counts. What was recorded since is left out. An invoice waits for its payment intent for 30 days before it is listed with `waiting_for_payment_intent`. A payment with a promotion code that is no code of the program is listed with `waiting_for_code`; when the code becomes known within 30 days, it is recorded.',
    parameters: [programId, ...page],
    ok: [listOf(UnattributedPayment)],
    refusals: pageRefusals,
  }),
  'dashboard/processor/retry': operation(family, {
    id: (_, path) => (path.includes('{event_id}') ? 'retryUnsoldPayment' : 'retryUnsoldPaymentByQuery'),
    summary: 'Try to record a payment again',
    description:
      "By the rules of today: the program's window, partners and currencies, and the customer whom its identifiers name now. Metadata that name another program, or are misspelt, are read as they were meant for this program. It is recorded at the time it was paid, and once however often it is tried. A payment whose id another program has is recorded as `<program id>_<id>`, or with `_` and 26 random characters behind that where it is taken as well; refunds, disputes and repetitions find the sale under the id that was sent. An id that a path cannot carry (one with `/`, `?`, `%` or segments of dots) goes in the query. What waits for its payment intent or its code goes on waiting. Nothing is kept of payments that came in before this operation existed, or of an erased customer: their reason stays.",
    parameters: [
      programId,
      ...inPathOrQuery('event_id', "The event's id, or the transaction id of a sale whose `event_id` is null."),
    ],
    ok: [data(RetriedPayment)],
    refusals: [refusals.paymentNotFound()],
  }),
  'dashboard/processor/put': operation(recentSignIn(owners), {
    id: 'setSigningSecret',
    summary: "Connect the program's own endpoint",
    description: 'For owners. The former secret counts for another 24 hours. No answer holds one.',
    parameters: [programId],
    body: SigningSecret,
    ok: [data(Processor)],
    refusals: [...completeBodyRefusals(SigningSecret), refusals.signingSecretInvalid()],
  }),
  'dashboard/processor/delete': operation(recentSignIn(owners), {
    id: 'disconnectProcessor',
    summary: 'Disconnect Stripe',
    description:
      'For owners. Removes the account and the secrets. The last program to leave an account takes the platform off it at Stripe; `deauthorized` is then there, and false when Stripe did not do so: remove the platform in the Stripe account.',
    parameters: [programId],
    ok: [data(Processor), data(DisconnectedProcessor)],
  }),
  'dashboard/processor/connect': operation(recentSignIn(owners), {
    id: 'connectProcessor',
    summary: "Begin to connect the brand's Stripe account",
    description: 'For owners. The browser goes on to `url`.',
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
      summary: "A browser comes back from Stripe's page",
      parameters: [
        inQuery('state', 'Of the attempt.'),
        inQuery('code', 'Of Stripe, when the person agreed.'),
        inQuery('error', 'Of Stripe, when the person did not.'),
      ],
      others: {
        302: {
          description: 'On to the dashboard, whatever happened; `processor` and `reason` in its query tell.',
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
