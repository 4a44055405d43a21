import * as z from 'zod/mini';
import { rateLimited, signatureInvalid } from '#lib/service/ground/values/refusals.ts';
import { ANY_NUMBER, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import { inPath } from '#lib/wire/words/parameters.ts';
import { ReceivedEvent } from '#lib/wire/conversions/processor.ts';

const stripe: Family = {
  tag: 'Webhooks',
  security: ['stripeSignature'],
  errors: {},
  refusals: [signatureInvalid(), ...bodyRefusals],
  failure: 'Webhook processing failed',
  isCounted: false,
};

/** An event of Stripe; its other fields depend on its type. */
export const event = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({ object: z.looseObject({}) }),
});

export const CLICK_OF_A_PAYMENT =
  'A payment names its click by `service_click_id` in the metadata, else by a `client_reference_id` of the checkout session that has the form of a click id. The latter stands in an address that anybody may change, so it counts only where nothing else names a known customer.';
export const LIMIT_OF_A_PAYMENT =
  'Of one payment, 20 charges and disputes are followed: an event of a further one changes nothing.';

export const webhookRoutes = {
  'webhooks/stripe/platform': operation(stripe, {
    id: 'receivePlatformEvent',
    summary: 'An event of an account that is connected to the platform',
    description: `Events that change nothing are answered like all others; only a failure makes Stripe send one again. ${CLICK_OF_A_PAYMENT} ${LIMIT_OF_A_PAYMENT}`,
    body: event,
    ok: [ReceivedEvent],
  }),
  'webhooks/stripe/program': operation(stripe, {
    id: 'receiveProgramEvent',
    summary: "An event of the brand's own Stripe account",
    description: `Signed with the secret that an owner has given to the program. 1,200 signed events a minute. ${CLICK_OF_A_PAYMENT} ${LIMIT_OF_A_PAYMENT}`,
    parameters: [inPath('program_id', 'The program.')],
    body: event,
    ok: [ReceivedEvent],
    refusals: [rateLimited(ANY_NUMBER)],
  }),
} satisfies Readonly<Record<string, Operation>>;
