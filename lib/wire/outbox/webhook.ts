import * as z from 'zod/mini';
import { deliveryStatuses } from '#lib/service/outbox/sending/delivery.ts';
import { ALL_EVENTS, endpointStatuses } from '#lib/service/outbox/webhooks/webhook.ts';
import { WebhookEventType } from '#lib/wire/outbox/fact.ts';
import { about, count, id, named, optionalText, optionalTime, text, time } from '#lib/wire/words/fields.ts';

const endpointFields = {
  id,
  url: text,
  description: text,
  events: about(
    '`*` means every type except `click.recorded`.',
    z.readonly(z.array(z.union([z.literal(ALL_EVENTS), WebhookEventType]))),
  ),
  status: about(
    '`disabled` if the service disabled the endpoint, because it replied 410 or no delivery succeeded for five days.',
    z.enum(endpointStatuses),
  ),
  disabled_reason: optionalText,
  failing_since: about('The time of the first failure since the last success.', optionalTime),
  created_at: time,
};

export const WebhookEndpoint = named('WebhookEndpoint', z.strictObject(endpointFields));
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

/** The reply when an endpoint is created. No other reply contains the secret. */
export const NewWebhookEndpoint = named(
  'NewWebhookEndpoint',
  z.strictObject({
    ...endpointFields,
    secret: about('The secret that signs deliveries. It is shown only once.', text),
  }),
);
export type NewWebhookEndpoint = z.output<typeof NewWebhookEndpoint>;

export const WebhookSecret = z.strictObject({ secret: text });
export type WebhookSecret = z.output<typeof WebhookSecret>;

const DeliveryAttempt = z.strictObject({
  at: time,
  status_code: z.nullable(z.int()),
  error: optionalText,
  duration_ms: count,
  response: about('The first kilobyte of the reply.', optionalText),
});

export const WebhookDelivery = named(
  'WebhookDelivery',
  z.strictObject({
    id: text,
    event_id: about('Equal to the header `webhook-id`.', text),
    event_type: WebhookEventType,
    status: z.enum(deliveryStatuses),
    attempts: about('The latest 20 attempts, oldest first.', z.array(DeliveryAttempt)),
    next_attempt_at: optionalTime,
    slowed: about(
      'Whether the attempt was delayed by the limit of ten requests per second to a host, over all programs.',
      z.boolean(),
    ),
    created_at: time,
  }),
);
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const QueuedReplay = z.strictObject({ queued: count });
export type QueuedReplay = z.output<typeof QueuedReplay>;
