import { factIdFrom } from '#lib/service/outbox/facts/fact.ts';
import { isReplayed, type WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { factHeadsOfProgram } from '#lib/service/outbox/facts/facts-items.ts';
import { queueDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { advanceReplay, endReplay, type Replay } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';

type ReplayDeps = Pick<Deps, 'table'> & { readonly clock: () => Date };

/** How many facts one step queues. The number is small, so that new facts are sent in between. */
const A_STEP = 50;

/** Queues the next facts of a replay. After an interruption they are queued and sent again, with the same ids. */
export async function expandReplay(
  { table, clock }: ReplayDeps,
  programId: number,
  endpoint: WebhookEndpoint,
  replay: Replay,
): Promise<void> {
  // All deliveries of the replay were attempted, so it ends.
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
