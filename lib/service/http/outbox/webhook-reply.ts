import type { Delivery } from '#lib/service/outbox/sending/delivery.ts';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import type * as wire from '#lib/wire/outbox/webhook.ts';

/** An endpoint without its secrets. */
export const endpointReply = (endpoint: WebhookEndpoint): wire.WebhookEndpoint => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events,
  status: endpoint.status,
  disabled_reason: endpoint.disabledReason ?? null,
  failing_since: endpoint.failingSince ?? null,
  created_at: endpoint.createdAt,
});

export const deliveryReply = (delivery: Delivery): wire.WebhookDelivery => ({
  id: delivery.id,
  event_id: delivery.factId,
  event_type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts.map(({ at, statusCode, error, durationMs, response }) => ({
    at,
    status_code: statusCode ?? null,
    error: error ?? null,
    duration_ms: durationMs,
    response: response ?? null,
  })),
  next_attempt_at: delivery.nextAttemptAt ?? null,
  slowed: delivery.isSlowed ?? false,
  created_at: delivery.createdAt,
});
