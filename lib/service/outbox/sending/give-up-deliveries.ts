import { givenUp } from '#lib/service/outbox/sending/delivery.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  type DueDelivery,
  findDelivery,
  replaceDelivery,
  replaceDue,
} from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { endReplay, type Replay } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';

type GiveUpDeps = Pick<Deps, 'table'>;

/** Ends some of the deliveries to a disabled endpoint. @returns whether there may be more */
export async function giveUpDeliveries(
  deps: GiveUpDeps,
  endpointId: number,
  { due, replay }: { readonly due: readonly DueDelivery[]; readonly replay?: Replay },
): Promise<boolean> {
  await Promise.all(due.map((one) => giveUpDelivery(deps, endpointId, one)));
  if (replay) await endReplay(deps.table, replay);
  return due.length > 0 || replay !== undefined;
}

/** Ends a due delivery and removes its due entry. */
export async function giveUpDelivery({ table }: GiveUpDeps, endpointId: number, due: DueDelivery): Promise<void> {
  const delivery = await findDelivery(table, endpointId, due.deliveryId);
  const isPending = delivery?.status === 'pending';
  const left = isPending ? await replaceDelivery(table, delivery, givenUp(delivery)) : delivery;
  await replaceDue(table, endpointId, due, left);
}
