import { afterAttempt, type AttemptOutcome, factIdOfDelivery } from '#lib/service/outbox/sending/delivery.ts';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { secretsInForce, type WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import { webhookBodyOf, webhookHeaders } from '#lib/service/outbox/sending/webhook-signature.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findFact } from '#lib/service/outbox/facts/facts-items.ts';
import {
  type DueDelivery,
  findDelivery,
  replaceDelivery,
  replaceDue,
} from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { open } from '#lib/service/ground/effects/vault.ts';
import { sendWebhook } from '#lib/service/outbox/effects/webhook-sender.ts';
import { giveUpDelivery } from '#lib/service/outbox/sending/give-up-deliveries.ts';
import type { HealthRecorder } from '#lib/service/outbox/sending/record-endpoint-health.ts';

export interface AttemptDeps extends Pick<Deps, 'table' | 'once' | 'deadline' | 'random' | 'log'> {
  /** Returns the current time, which advances during sending. */
  readonly clock: () => Date;
}

export interface AttemptTarget {
  readonly programId: number;
  readonly endpoint: WebhookEndpoint;
  readonly health: HealthRecorder;
  /** The time of the attempt. */
  readonly at: Date;
}

/**
 * Makes an attempt that is due, and stores when the next one is due. The present due entry is removed last, so that
 * after an interruption the attempt is made again.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  { programId, endpoint, health, at }: AttemptTarget,
  due: DueDelivery,
): Promise<void> {
  const { table } = deps;
  const [delivery, fact] = await readForAttempt(deps, { programId, endpoint }, due);
  // The due entry is obsolete. Another attempt was made, or the delivery was queued again, but that was interrupted
  // before the entry was removed.
  if (delivery?.nextAttemptAt !== due.dueAt) return replaceDue(table, endpoint.id, due, delivery);
  // The fact has expired, so the delivery ends.
  if (!fact) return giveUpDelivery(deps, endpoint.id, due);
  const outcome = await send(deps, endpoint, fact, at);
  const left = await replaceDelivery(table, delivery, afterAttempt(delivery, outcome, at, deps.random.fraction()));
  await replaceDue(table, endpoint.id, due, left);
  await health.record(outcome, at);
}

/** Loads the delivery and its fact. The reads of several attempts are combined into one batch. */
const readForAttempt = (
  { table }: AttemptDeps,
  { programId, endpoint }: Pick<AttemptTarget, 'programId' | 'endpoint'>,
  { deliveryId }: DueDelivery,
) =>
  Promise.all([findDelivery(table, endpoint.id, deliveryId), findFact(table, programId, factIdOfDelivery(deliveryId))]);

async function send(deps: AttemptDeps, endpoint: WebhookEndpoint, fact: Fact, at: Date): Promise<AttemptOutcome> {
  const body = webhookBodyOf(fact);
  const secrets = await Promise.all(
    secretsInForce(endpoint, at).map(({ sealed }) => open(deps, sealed, { programId: fact.programId })),
  );
  return sendWebhook(deps, { url: endpoint.url, headers: webhookHeaders(fact.id, at, body, secrets), body });
}
