import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { isWanted } from '#lib/service/outbox/webhooks/webhook.ts';
import { addDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';
import { wakeEndpointLater, type WakeDeps } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

const AT_ONCE = 25;

/**
 * Creates the deliveries of facts to all endpoints that are subscribed to them. The call may be repeated: finished
 * deliveries are not sent again, and missing ones are added. A paused endpoint gets its deliveries when it is resumed.
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

/**
 * Creates deliveries like `fanOut`, for groups of facts. If it fails, each group is tried separately, because a single
 * group may have caused the error.
 * @returns for each group its error; undefined if its deliveries were created
 */
export async function fanOutGroups(deps: WakeDeps, groups: readonly (readonly Fact[])[]): Promise<readonly unknown[]> {
  try {
    await fanOut(deps, groups.flat());
    return groups.map(() => undefined);
  } catch (error) {
    if (groups.length === 1) return [error];
    const errors: unknown[] = [];
    for (const group of groups) errors.push(await fanOut(deps, group).catch((failure: unknown) => failure));
    return errors;
  }
}

async function wantedBy({ table }: WakeDeps, fact: Fact) {
  const { endpoints } = await findWebhooks(table, fact.programId);
  return endpoints
    .filter((endpoint) => endpoint.status !== 'disabled' && isWanted(endpoint, fact.type))
    .map(({ id: endpointId }) => ({ endpointId, fact }));
}
