import { type AuditedAct, changesBetween } from '#lib/service/ground/changes/audit.ts';
import { dayLater } from '#lib/service/ground/values/day.ts';
import type { Delivery } from '#lib/service/outbox/sending/delivery.ts';
import { type Fact, FACT_DAYS, factIdFrom, factIdOf, type FactType } from '#lib/service/outbox/facts/fact.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  eventForgotten,
  Refusal,
  replayUnderWay,
  tooManyToReplay,
  webhookDisabled,
} from '#lib/service/ground/values/refusals.ts';
import { isReplayed, type WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { factsWithin, findFact, newFactWrite } from '#lib/service/outbox/facts/facts-items.ts';
import { queueDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findReplay, isUnderWay, replayWrite } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { wakeEndpoint } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

/**
 * Sends a test event to an endpoint.
 * @param event the type of event to test, copied into the payload
 * @throws Refusal if the endpoint is disabled
 */
export async function sendTest(
  deps: Deps,
  program: Program,
  endpoint: WebhookEndpoint,
  event: FactType | undefined,
): Promise<Delivery> {
  checkNotDisabled(endpoint);
  const { now, random } = deps;
  const timestamp = now.toISOString();
  const fact: Fact = {
    id: factIdOf('endpoint.test', random.requestId(), timestamp),
    type: 'endpoint.test',
    programId: program.id,
    isTest: true,
    timestamp,
    data: { program_id: program.id, is_test: true, ...(event && { event }) },
  };
  const changes = changesBetween({}, { event });
  await deps.table.transact([
    newFactWrite(fact),
    ...auditOf(deps, program, endpoint, { action: 'webhook.tested', ...(event && { changes }) }),
  ]);
  return send(deps, endpoint, fact);
}

/**
 * Sends the fact of a delivery again, immediately.
 * @throws Refusal if the endpoint is disabled or the fact has expired
 */
export async function replayDelivery(
  deps: Deps,
  program: Program,
  endpoint: WebhookEndpoint,
  { id, factId }: Delivery,
): Promise<Delivery> {
  checkNotDisabled(endpoint);
  const fact = await findFact(deps.table, program.id, factId);
  if (!fact) throw eventForgotten(FACT_DAYS);
  const changes = changesBetween({}, { delivery: id });
  await deps.table.transact(auditOf(deps, program, endpoint, { action: 'webhook.replayed', changes }));
  return send(deps, endpoint, fact);
}

interface ReplayRange {
  readonly from: string;
  readonly to: string;
  readonly type?: FactType;
}

/**
 * Sends the facts of some days again, including those from before the endpoint was created. The function that delivers
 * webhooks queues them step by step.
 * @param range days, both inclusive
 * @returns the number of facts
 * @throws Refusal if the endpoint is disabled, another replay is running, or there are too many facts to count in time
 */
export async function replayRange(
  deps: Deps,
  program: Program,
  endpoint: WebhookEndpoint,
  { from, to, type }: ReplayRange,
): Promise<number> {
  checkNotDisabled(endpoint);
  const { table, now, random } = deps;
  const range = { from: startOf(from), to: startOf(dayLater(to, 1)) };
  const queued = await countReplayed(deps, program.id, endpoint, { ...range, type });
  if (queued === 0) return 0;
  const changes = changesBetween({}, { from, to, event: type });
  const replay = { endpointId: endpoint.id, id: random.requestId(), ...range, type };
  const target = { programId: program.id, endpointId: endpoint.id };
  const former = await findReplay(table, endpoint.id);
  try {
    if (isUnderWay(former, now)) throw replayUnderWay();
    await table.transact([
      replayWrite(replay, now, former),
      ...auditOf(deps, program, endpoint, { action: 'webhook.replayed', changes }),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed || error instanceof Refusal)) throw error;
    // If a replay is running already, the sender is started nevertheless: the request that queued the replay may have
    // been interrupted before it started the sender.
    await wakeEndpoint(deps, target);
    throw replayUnderWay();
  }
  await wakeEndpoint(deps, target);
  return queued;
}

const startOf = (day: string): string => `${day}T00:00:00.000Z`;

/** Expired facts are not counted, even if the table has not removed them yet. */
const FACT_MS = FACT_DAYS * 86_400_000;

async function countReplayed(
  { table, now, deadline }: Deps,
  programId: number,
  endpoint: WebhookEndpoint,
  { from, to, type }: ReplayRange,
): Promise<number> {
  const kept = new Date(now.getTime() - FACT_MS).toISOString();
  const range = { from: factIdFrom(from > kept ? from : kept), to: factIdFrom(to) };
  let count = 0;
  try {
    for await (const facts of factsWithin(table, programId, range)) {
      count += facts.filter((fact) => isReplayed(endpoint, fact.type, type)).length;
    }
  } catch (error) {
    // The count was ended by the request's deadline, shortly before the function's timeout. Nothing was written.
    throw deadline?.aborted ? tooManyToReplay() : error;
  }
  return count;
}

/**
 * Checks that the endpoint is not disabled, because deliveries to a disabled endpoint would fail immediately.
 * @throws Refusal
 */
function checkNotDisabled({ status }: WebhookEndpoint): void {
  if (status === 'disabled') throw webhookDisabled();
}

const auditOf = (
  deps: Deps,
  { id: programId, workspaceId }: Program,
  { id, url }: WebhookEndpoint,
  act: Omit<AuditedAct, 'target'>,
) => auditWrites(deps, workspaceId, { ...act, target: { type: 'webhook', id, name: url, programId } });

async function send(deps: Deps, { id: endpointId }: WebhookEndpoint, fact: Fact): Promise<Delivery> {
  const { programId } = fact;
  const delivery = await queueDelivery(deps.table, { endpointId, fact, now: deps.now });
  await wakeEndpoint(deps, { programId, endpointId });
  return delivery;
}
