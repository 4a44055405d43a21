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

/** The document describes how events are read only once: at the operation that forwards them. */
const AS_FORWARDED = '`trackStripeEvent` describes how events are read.';

export const webhookRoutes = {
  'webhooks/stripe/platform': operation(stripe, {
    id: 'receivePlatformEvent',
    summary: 'Receive an event of an account connected to the platform',
    description: `Events that change nothing are answered 200 too. Only a failure makes Stripe send the event again. ${AS_FORWARDED}`,
    body: event,
    ok: [ReceivedEvent],
  }),
  'webhooks/stripe/program': operation(stripe, {
    id: 'receiveProgramEvent',
    summary: "Receive an event of the brand's own Stripe account",
    description: `The event is signed with the secret that an owner set in the program. The limit is 1,200 signed events per minute. ${AS_FORWARDED}`,
    parameters: [inPath('program_id', 'The program.')],
    body: event,
    ok: [ReceivedEvent],
    refusals: [rateLimited(ANY_NUMBER)],
  }),
} satisfies Readonly<Record<string, Operation>>;
