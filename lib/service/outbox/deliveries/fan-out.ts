import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { isWanted } from '#lib/service/outbox/webhooks/webhook.ts';
import { addDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import { wakeEndpointLater, type WakeDeps } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

const AT_ONCE = 25;

/**
 * Leaves facts to be sent to the endpoints that want them. It may be repeated: what is sent is not sent again, what is not
 * is found. A paused endpoint gets them when it is active again.
 */
export async function fanOut(deps: WakeDeps, facts: readonly Fact[]): Promise<void> {
  const { table, now } = deps;
  const wanted = (await Promise.all(facts.map((fact) => wantedBy(deps, fact)))).flat();
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    await Promise.all(wanted.slice(at, at + AT_ONCE).map((one) => addDelivery(table, { ...one, now })));
  }
  const targets = new Map(wanted.map(({ endpointId, fact: { programId } }) => [endpointId, { endpointId, programId }]));
  await Promise.all([...targets.values()].map((target) => wakeEndpointLater(deps, target)));
}

async function wantedBy({ table }: WakeDeps, fact: Fact) {
  const { endpoints } = await findWebhooks(table, fact.programId);
  return endpoints
    .filter((endpoint) => endpoint.status !== 'disabled' && isWanted(endpoint, fact.type))
    .map(({ id: endpointId }) => ({ endpointId, fact }));
}
