import * as z from 'zod/mini';
import { type EventOutcome, eventOutcomes } from '#lib/service/conversions/processors/event-outcomes.ts';
import { deliveryWays } from '#lib/service/conversions/processors/delivered-event.ts';
import { unattributedReasons } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import { about, flag, named, optionalText, text, time } from '#lib/wire/words/fields.ts';
import { success } from '#lib/wire/traffic/tracked.ts';

export const processorMode = z.nullable(z.enum(['connect', 'direct']));

const processorFields = z.strictObject({
  connected: flag,
  mode: processorMode,
  account_id: optionalText,
  charges_enabled: flag,
  payouts_enabled: flag,
  details_submitted: flag,
  livemode: z.nullable(flag),
  connected_at: z.nullable(time),
  webhook_url: about('The URL that the brand registers at Stripe as its own endpoint (direct mode).', text),
  signing_secret_set: flag,
  last_delivery: about(
    'The last event received. `via`: `webhook` if Stripe sent it, `forwarded` if your server did. `outcome`: `processed`, or why the event changed nothing.',
    z.nullable(z.strictObject({ at: time, type: text, outcome: text, via: z.enum(deliveryWays) })),
  ),
  last_bad_signature_at: about('When an event with an invalid signature was last received.', z.nullable(time)),
});

export const Processor = named('Processor', processorFields);
export type Processor = z.output<typeof Processor>;

/** The reply when the last program of an account is disconnected. */
export const DisconnectedProcessor = z.extend(processorFields, {
  deauthorized: about('Whether Stripe removed the platform from the account.', flag),
});
export type DisconnectedProcessor = z.output<typeof DisconnectedProcessor>;

/** The reply when a connection is started. It contains the URL at Stripe on which the owner continues. */
export const ConnectStart = z.strictObject({ url: about("Stripe's page.", text) });
export type ConnectStart = z.output<typeof ConnectStart>;

/** A payment that was not recorded as a sale. */
export const UnattributedPayment = z.strictObject({
  event_id: about(
    'Null for a sale sent to the sale endpoint. Use its transaction id instead of the event id.',
    optionalText,
  ),
  event_type: about("Stripe's event type, or `api` for a sale sent to the sale endpoint.", text),
  transaction_id: text,
  amount_cents: z.int(),
  currency: about('The currency as it was sent.', text),
  reason: about(
    'Why the payment is not attributed. `click_after_payment` is also the reason if the e-mail address alone, or a key that only a browser sent, found a customer who clicked after an earlier, unattributed payment of this payer.',
    z.enum(unattributedReasons),
  ),
  detail: about('Further details of the reason.', optionalText),
  at: about('When the payment was received.', time),
});
export type UnattributedPayment = z.output<typeof UnattributedPayment>;

/** The result of retrying a payment. */
export const RetriedPayment = named(
  'RetriedPayment',
  z.strictObject({
    recorded: about('True also if the payment had been recorded before.', flag),
    reason: about('Why the payment was not recorded. Null if it was.', z.nullable(z.enum(unattributedReasons))),
  }),
);
export type RetriedPayment = z.output<typeof RetriedPayment>;

/** The reply to an event of the card processor. */
export const ReceivedEvent = z.strictObject({ received: z.literal(true) });
export type ReceivedEvent = z.output<typeof ReceivedEvent>;

const outcomes = Object.keys(eventOutcomes) as [EventOutcome, ...EventOutcome[]];
const outcomeTexts = outcomes.map((outcome) => `- \`${outcome}\`: ${eventOutcomes[outcome]}`).join('\n');

/** The reply to an event that the brand's server forwards. */
export const ForwardedEvent = z.strictObject({
  ...success,
  event_id: text,
  outcome: about(
    `None of these is a failure. Unless the text says otherwise, you need not do anything.\n\n${outcomeTexts}`,
    z.enum(outcomes),
  ),
  message: z.literal('Stripe event received'),
});
export type ForwardedEvent = z.output<typeof ForwardedEvent>;
