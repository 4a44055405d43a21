import { type DeliveryAttempt, healthAfter } from '#lib/service/outbox/sending/delivery.ts';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { lastChangeWrites } from '#lib/service/ground/changes/last-changes-items.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findWebhooks, webhooksWrite } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

type HealthDeps = Pick<Deps, 'table'>;

type Attempt = Pick<DeliveryAttempt, 'statusCode'>;

/**
 * Updates an endpoint's health (since when its requests have failed) after attempts. Writes one after the other, and
 * only if the health changes.
 */
export interface HealthRecorder {
  /** Sets the endpoint as the sender has last read it. */
  readonly setEndpoint: (endpoint: WebhookEndpoint) => void;
  /** Applies the result of an attempt to the endpoint's health. @param at when the attempt started */
  readonly record: (attempt: Attempt, at: Date) => Promise<void>;
}

export function createHealthRecorder(deps: HealthDeps, programId: number, endpointId: number): HealthRecorder {
  let known: WebhookEndpoint | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function recordNext(attempt: Attempt, at: Date): Promise<void> {
    if (!known || healthAfter(known, attempt, at) === known) return;
    known = await retryOnConflict(deps, () => recordAttempt(deps, { programId, endpointId }, attempt, at));
  }
  return {
    setEndpoint: (endpoint) => {
      known = endpoint;
    },
    record: (attempt, at) => {
      const recorded = last.then(() => recordNext(attempt, at));
      last = recorded.catch(() => undefined);
      return recorded;
    },
  };
}

/**
 * Stores the endpoint's health after an attempt, if it changes.
 * @returns the current endpoint; undefined if it was deleted
 */
async function recordAttempt(
  { table }: HealthDeps,
  { programId, endpointId }: { readonly programId: number; readonly endpointId: number },
  attempt: Attempt,
  at: Date,
): Promise<WebhookEndpoint | undefined> {
  table.forget();
  const webhooks = await findWebhooks(table, programId);
  const endpoint = webhooks.endpoints.find(({ id }) => id === endpointId);
  const after = endpoint && healthAfter(endpoint, attempt, at);
  if (!after || after === endpoint) return after;
  const endpoints = webhooks.endpoints.map((one) => (one === endpoint ? after : one));
  const isDisabled = after.status === 'disabled';
  await table.transact([
    webhooksWrite(programId, webhooks, endpoints),
    ...(isDisabled ? await disabledMail({ table }, programId, after, at) : []),
    ...(isDisabled
      ? lastChangeWrites({ type: 'webhook', id: endpointId, programId }, ['status'], { at: at.toISOString() })
      : []),
  ]);
  return after;
}

/** The mail which notifies the owners. Its writes are in the transaction that disables the endpoint. */
async function disabledMail(
  { table }: HealthDeps,
  programId: number,
  { id, url, disabledReason }: WebhookEndpoint,
  now: Date,
): Promise<Write[]> {
  const program = await findProgram(table, programId);
  if (!program) return [];
  return mailWrites({
    kind: 'webhook_disabled',
    fact: `${programId} ${id} ${now.toISOString()}`,
    to: { ownersOf: program.workspaceId },
    data: { programId, programName: program.name, url, reason: disabledReason! },
    now,
  });
}
