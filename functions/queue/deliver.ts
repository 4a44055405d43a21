import { setTimeout as pause } from 'node:timers/promises';
import { queueConsumer } from '#lib/service/http/triggers/queue-consumer.ts';
import { deliverWebhooks, LAST_START_MS } from '#lib/service/outbox/deliveries/deliver-webhooks.ts';
import type { WakeMessage } from '#lib/service/outbox/effects/wake-queue.ts';

/** Sends the due deliveries of a webhook endpoint. */
export const handler = queueConsumer<WakeMessage>((deps, target, { clock, remainingMs }) =>
  deliverWebhooks({ ...deps, clock, hasTime: () => remainingMs() > LAST_START_MS, pause: () => pause(1_000) }, target),
);
