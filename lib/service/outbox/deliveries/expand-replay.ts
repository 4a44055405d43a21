import { factIdFrom } from '#lib/service/outbox/facts/fact.ts';
import { isReplayed, type WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { factHeadsOfProgram } from '#lib/service/outbox/facts/facts-items.ts';
import { queueDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { advanceReplay, endReplay, type Replay } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';

type ReplayDeps = Pick<Deps, 'table'> & { readonly clock: () => Date };

/** Facts of a step: few, so that what happens meanwhile comes between. */
const A_STEP = 50;

/** Queues the next facts of a replay. Where it is broken off they are queued once more, and so sent twice, with one id. */
export async function expandReplay(
  { table, clock }: ReplayDeps,
  programId: number,
  endpoint: WebhookEndpoint,
  replay: Replay,
): Promise<void> {
  // The sender comes back here when nothing waits any more.
  if (replay.isQueued) return endReplay(table, replay);
  const { type, after = factIdFrom(replay.from) } = replay;
  const now = clock();
  const { items, next } = await factHeadsOfProgram(table, programId, { type }, { most: A_STEP, after }, now);
  const facts = items.filter((fact) => fact.timestamp < replay.to);
  const wanted = facts.filter((fact) => isReplayed(endpoint, fact.type, type));
  await Promise.all(wanted.map((fact) => queueDelivery(table, { endpointId: endpoint.id, fact, now })));
  const isLast = next === undefined || next >= factIdFrom(replay.to);
  if (isLast && wanted.length === 0) await endReplay(table, replay);
  else await advanceReplay(table, replay, isLast ? { isQueued: true } : { after: next });
}
