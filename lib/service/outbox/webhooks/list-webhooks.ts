import { type Delivery, type DeliveryStatus, factIdOfDelivery } from '#lib/service/outbox/sending/delivery.ts';
import { isFactId } from '#lib/service/outbox/facts/fact.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { deliveryNotFound } from '#lib/service/ground/values/refusals.ts';
import { endpointWithId, type WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { deliveriesOf, findDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findWebhooks } from '#lib/service/outbox/webhooks/webhooks-items.ts';

/** Endpoints of a program, oldest first. */
export async function listEndpoints(
  { table }: Deps,
  programId: number,
  { most, after = '0' }: PageRequest,
): Promise<Page<WebhookEndpoint>> {
  const { endpoints } = await findWebhooks(table, programId);
  const following = endpoints.filter(({ id }) => id > Number(after));
  const items = following.slice(0, most);
  return { items, next: following.length > most ? String(items.at(-1)!.id) : undefined };
}

/**
 * Finds an endpoint of a program.
 * @param endpointId undefined if the sent value cannot be an id
 * @throws Refusal if there is no such endpoint
 */
export const endpointOf = async (
  { table }: Deps,
  programId: number,
  endpointId: number | undefined,
): Promise<WebhookEndpoint> => endpointWithId(await findWebhooks(table, programId), endpointId);

/** Deliveries contain the responses to their attempts, so a hundred of them may be too large for a reply. */
const MOST_DELIVERIES = 25;

/** Deliveries of an endpoint, newest facts first. */
export const listDeliveries = (
  { table, now }: Deps,
  endpointId: number,
  status: DeliveryStatus | undefined,
  { most, after }: PageRequest,
): Promise<Page<Delivery>> =>
  deliveriesOf(table, endpointId, { most: Math.min(most, MOST_DELIVERIES), after }, { now, status });

/** Finds a delivery of an endpoint. @throws Refusal if there is no such delivery */
export async function deliveryOf({ table }: Deps, endpointId: number, deliveryId = ''): Promise<Delivery> {
  const delivery = isFactId(factIdOfDelivery(deliveryId)) && (await findDelivery(table, endpointId, deliveryId));
  if (!delivery) throw deliveryNotFound();
  return delivery;
}
