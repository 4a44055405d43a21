import { type AuditedAct, changesBetween } from '#lib/service/ground/changes/audit.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import {
  changedEndpoint,
  type EndpointChange,
  endpointWithId,
  type WebhookEndpoint,
  type Webhooks,
  withNewEndpoint,
  withNewSecret,
} from '#lib/service/outbox/webhooks/webhook.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { factsBegunAt, type Program } from '#lib/service/programs/program/program.ts';
import { beginFacts, findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findWebhooks, webhooksWrite } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { wakeEndpoint } from '#lib/service/outbox/deliveries/wake-endpoint.ts';
import { seal } from '#lib/service/ground/effects/vault.ts';

export type NewEndpoint = Pick<WebhookEndpoint, 'url' | 'events' | 'description'>;

/** An endpoint with its newest secret, which is shown only once. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * Creates an endpoint. The program's facts are stored from the creation of its first endpoint on.
 * @throws Refusal if the program has the maximum number of endpoints
 */
export async function createEndpoint(deps: Deps, programId: number, wanted: NewEndpoint): Promise<EndpointWithSecret> {
  const { secret, sealed } = await newSecret(deps, programId);
  const created: WebhookEndpoint = {
    id: await deps.ids.take(deps.table),
    ...wanted,
    status: 'active',
    secrets: [{ sealed }],
    createdAt: deps.now.toISOString(),
  };
  const { url, events, description } = wanted;
  const endpoint = await changeWebhooks(deps, programId, created.id, async (webhooks, program) => {
    const endpoints = withNewEndpoint(webhooks, created);
    if (factsBegunAt(program) === undefined) await beginFacts(deps.table, programId, deps.now);
    return {
      after: created,
      endpoints,
      act: { action: 'webhook.created', changes: changesBetween({}, { url, events, description }) },
    };
  });
  return { endpoint, secret };
}

/**
 * Changes the settings or the status of an endpoint.
 * @throws Refusal if there is no such endpoint, or if the endpoint has changed since the caller last read it
 */
export async function changeEndpoint(
  deps: Deps,
  programId: number,
  endpointId: number,
  change: EndpointChange,
  seen?: Comparison<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  const endpoint = await changeOne(deps, programId, endpointId, async (before) => {
    await checkSeen(deps, { type: 'webhook', id: endpointId, programId }, seen, before);
    return {
      after: changedEndpoint(before, change),
      act: { action: 'webhook.changed', changes: changesBetween(before, change) },
    };
  });
  // Sends the deliveries that waited while the endpoint was paused. This also happens if the request changes nothing,
  // so that repeating a failed request starts the sender.
  if (change.status === 'active') await wakeEndpoint(deps, { programId, endpointId });
  return endpoint;
}

/** Deletes an endpoint. Its waiting deliveries are not sent. @throws Refusal if there is no such endpoint */
export const removeEndpoint = (deps: Deps, programId: number, endpointId: number): Promise<WebhookEndpoint> =>
  changeWebhooks(deps, programId, endpointId, (webhooks) => ({
    after: endpointWithId(webhooks, endpointId),
    endpoints: webhooks.endpoints.filter(({ id }) => id !== endpointId),
    act: { action: 'webhook.deleted' },
  }));

/**
 * Creates a new secret. For one more day, deliveries are also signed with the former secrets.
 * @throws Refusal if there is no such endpoint
 */
export async function rollSecret(deps: Deps, programId: number, endpointId: number): Promise<EndpointWithSecret> {
  const { secret, sealed } = await newSecret(deps, programId);
  const endpoint = await changeOne(deps, programId, endpointId, (before) => ({
    after: withNewSecret(before, sealed, deps.now),
    act: { action: 'webhook.secret_rolled' },
  }));
  return { endpoint, secret };
}

async function newSecret(deps: Deps, programId: number) {
  const secret = deps.random.webhookSecret();
  return { secret, sealed: await seal(deps, secret, { programId }) };
}

interface EndpointDecision {
  readonly after: WebhookEndpoint;
  readonly act: Omit<AuditedAct, 'target'>;
}

interface WebhooksDecision extends EndpointDecision {
  readonly endpoints: readonly WebhookEndpoint[];
}

const changeOne = (
  deps: Deps,
  programId: number,
  endpointId: number,
  decide: (before: WebhookEndpoint) => EndpointDecision | Promise<EndpointDecision>,
): Promise<WebhookEndpoint> =>
  changeWebhooks(deps, programId, endpointId, async (webhooks) => {
    const decision = await decide(endpointWithId(webhooks, endpointId));
    const { after } = decision;
    return { ...decision, endpoints: webhooks.endpoints.map((one) => (one.id === endpointId ? after : one)) };
  });

/** Changes the endpoints of a program. @param decide computes the change; may throw a Refusal */
const changeWebhooks = (
  deps: Deps,
  programId: number,
  endpointId: number,
  decide: (webhooks: Webhooks, program: Program) => WebhooksDecision | Promise<WebhooksDecision>,
): Promise<WebhookEndpoint> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [program, webhooks] = await Promise.all([findProgram(table, programId), findWebhooks(table, programId)]);
    if (!program) throw programNotFound();
    const { after, endpoints, act } = await decide(webhooks, program);
    await table.transact([
      webhooksWrite(programId, webhooks, endpoints),
      ...auditWrites(deps, program.workspaceId, {
        ...act,
        target: { type: 'webhook', id: endpointId, name: after.url, programId },
      }),
    ]);
    return after;
  });
