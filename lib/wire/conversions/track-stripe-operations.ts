import * as z from 'zod/mini';
import { eventIncomplete, programKeyTexts, unauthorized } from '#lib/service/ground/values/refusals.ts';
import { about } from '#lib/wire/words/fields.ts';
import { bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import { base } from '#lib/wire/traffic/tracking-operations.ts';
import { event } from '#lib/wire/outbox/webhooks-operations.ts';
import { ForwardedEvent } from '#lib/wire/conversions/processor.ts';

const serverOnly: Family = {
  ...base,

  security: ['programKey'],
  errors: { stableCodes: true },
  refusals: [],
};

/** The event's `account` is not read here, because the program key already identifies the program. */
const forwarded = z.extend(event, {
  created: about('Unix seconds.', z.int()),
  livemode: z.nullish(z.boolean()),
});

export const forwardedEventRoutes = {
  'track/stripe': operation(serverOnly, {
    id: 'trackStripeEvent',
    summary: 'Forward an event of Stripe',
    description: `Call it from your server only, after it has verified the event's signature. Send the whole event as Stripe sent it, at most 1 MiB. It has the same effect as at the program's own endpoint; if received there before, it is \`repeated\`. Send every event that you receive: events that change nothing are answered 200 too. After a 500, send the event again: nothing is lost or counted twice. Events may come in any order, because commissions depend on when a payment was made. Exception: if a subscription's metadata name no customer, a later payment that arrives before the first one is \`unattributed\`, and not recorded until you send it again. At most 1,200 events per minute and program, including its own endpoint. The click of a payment is read from \`service_click_id\` in the metadata, otherwise from a \`client_reference_id\` of the checkout session that has the form of a click id. Anybody can change the latter, because it is part of a URL, so it counts only if no other identifier finds a known customer. At most 20 charges and disputes of a payment are recorded. Events of further ones change nothing.`,
    body: forwarded,
    ok: [ForwardedEvent],
    refusals: [...Object.values(programKeyTexts).map(unauthorized), ...bodyRefusals, eventIncomplete()],
    failures: ['Stripe event processing failed'],
  }),
} satisfies Readonly<Record<string, Operation>>;
