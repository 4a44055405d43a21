import * as z from 'zod/mini';
import { eventIncomplete, programKeyTexts, unauthorized } from '#lib/service/ground/values/refusals.ts';
import { about } from '#lib/wire/words/fields.ts';
import { bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import { base } from '#lib/wire/traffic/tracking-operations.ts';
import { CLICK_OF_A_PAYMENT, event, LIMIT_OF_A_PAYMENT } from '#lib/wire/outbox/webhooks-operations.ts';
import { ForwardedEvent } from '#lib/wire/conversions/processor.ts';

const serverOnly: Family = {
  ...base,

  security: ['programKey'],
  errors: { stableCodes: true },
  refusals: [],
};

/** The account of the event does not matter, because the key identifies the program. */
const forwarded = z.extend(event, {
  created: about('Unix seconds.', z.int()),
  livemode: z.nullish(z.boolean()),
});

export const forwardedEventRoutes = {
  'track/stripe': operation(serverOnly, {
    id: 'trackStripeEvent',
    summary: 'Forward an event of Stripe',
    description: `From a server only, once it has verified the event's signature. The whole event, at most 1 MiB, as Stripe sends it to webhooks. It does what it would do at the program's own endpoint, and one that came there before is \`repeated\`. Send every event that you receive: those that change nothing are answered 200 too. After 500 send it again; nothing is lost or counted twice. Events may come in any order: what a payment earns goes by when it was made. One limit: a later payment of a subscription whose metadata name no customer is \`unattributed\` before the first payment, and lost until it is sent again. 1,200 events a minute, counted per program together with its own endpoint. ${CLICK_OF_A_PAYMENT} ${LIMIT_OF_A_PAYMENT}`,
    body: forwarded,
    ok: [ForwardedEvent],
    refusals: [...Object.values(programKeyTexts).map(unauthorized), ...bodyRefusals, eventIncomplete()],
    failures: ['Stripe event processing failed'],
  }),
} satisfies Readonly<Record<string, Operation>>;
