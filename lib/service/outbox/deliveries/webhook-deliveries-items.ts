import { type Delivery, deliveryIdOf, type DeliveryStatus } from '#lib/service/outbox/sending/delivery.ts';
import { erasedDelivery } from '#lib/service/outbox/facts/erasure.ts';
import { FACT_DAYS } from '#lib/service/outbox/facts/fact.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Condition } from '#lib/service/ground/table/expressions.ts';
import type { FactHead } from '#lib/service/outbox/facts/facts-items.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

const DAY_SECONDS = 86_400;

interface Expiring {
  readonly expires_at: number;
}

type StoredDelivery = Delivery & Expiring;

/** That a delivery is to be attempted at a time. It counts while the delivery itself names this time. */
export interface DueDelivery extends Expiring {
  readonly dueAt: string;
  readonly deliveryId: string;
  /** The delivery itself says so already. */
  readonly isSlowed?: true;
}

/** A fact for an endpoint. */
interface NewDelivery {
  readonly endpointId: number;
  readonly fact: Pick<FactHead, 'id' | 'type' | 'programId'>;
  readonly now: Date;
}

const fresh = ({ endpointId, fact, now }: NewDelivery): StoredDelivery => ({
  id: deliveryIdOf(fact.id),
  endpointId,
  programId: fact.programId,
  factId: fact.id,
  type: fact.type,
  status: 'pending',
  attempts: [],
  failures: 0,
  nextAttemptAt: now.toISOString(),
  createdAt: now.toISOString(),
  expires_at: Math.ceil(now.getTime() / 1_000) + FACT_DAYS * DAY_SECONDS,
});

const keyOf = ({ endpointId, id }: Delivery) => factKeys.delivery(endpointId, id);

/** Whoever has changed it meanwhile has ended it, named another time, or erased what was answered. */
const asRead = ({ status, nextAttemptAt, erasedAt }: Delivery): Condition => ({
  equals: { status, nextAttemptAt, erasedAt },
});

/** A delivery of a fact that has just become one. Of a fact that is derived again, what became of it stays. */
export async function addDelivery(table: Table, added: NewDelivery): Promise<void> {
  const delivery = fresh(added);
  const existing = await lostTo('item', () => table.put(keyOf(delivery), delivery, { isNew: true }));
  await putDue(table, existing ? existing.item! : delivery);
}

/**
 * Makes a delivery due at once, whether there was one of this fact before or not: a person wants it. Whoever calls this
 * wakes the endpoint afterwards.
 */
export async function queueDelivery(table: Table, queued: NewDelivery): Promise<Delivery> {
  const delivery = fresh(queued);
  let before: StoredDelivery | undefined;
  for (;;) {
    const after: StoredDelivery = { ...delivery, ...(before && kept(before)) };
    const condition: Condition = before ? asRead(before) : { isNew: true };
    // Together, because nothing repeats this where it is broken off.
    const lost = await lostTo('delivery', () =>
      table.transact([
        { name: 'delivery', key: keyOf(after), put: after, condition },
        { name: 'due', ...dueItem(after, delivery.nextAttemptAt!) },
      ]),
    );
    if (!lost) return after;
    // An attempt has ended, or another person was faster: decided again on what is there.
    before = lost.item;
  }
}

const kept = ({ createdAt, attempts, erasedAt, isSlowed }: Delivery) => ({ createdAt, attempts, erasedAt, isSlowed });

/** Writes a delivery after an attempt. @returns the delivery that was there instead; undefined: it is gone, too */
export async function replaceDelivery(table: Table, before: Delivery, after: Delivery): Promise<Delivery | undefined> {
  const lost = await lostTo('item', () => table.put(keyOf(after), after, asRead(before)));
  return lost ? lost.item : after;
}

/**
 * Removes what an endpoint has answered to attempts of a fact, which may name the person that is erased. An attempt that is
 * under way is made again.
 */
export async function eraseAnswers(table: Table, endpointId: number, factId: string, now: Date): Promise<void> {
  for (;;) {
    table.forget();
    const delivery = await findDelivery(table, endpointId, deliveryIdOf(factId));
    if (!delivery) return;
    const lost = await lostTo('item', () =>
      table.put(keyOf(delivery), erasedDelivery(delivery, now), asRead(delivery)),
    );
    if (!lost) return;
  }
}

/** @returns undefined when it is written, or else the item that was in the way, if there was one */
async function lostTo(
  name: string,
  write: () => Promise<unknown>,
): Promise<{ readonly item?: StoredDelivery } | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return { item: error.existing.get(name) as StoredDelivery | undefined };
  }
}

/** Notes when a delivery is to be attempted next, unless it has ended. It may be repeated. */
async function putDue(table: Table, delivery: Delivery): Promise<void> {
  if (delivery.nextAttemptAt === undefined) return;
  const { key, put } = dueItem(delivery as StoredDelivery, delivery.nextAttemptAt);
  await table.put(key, put);
}

const dueItem = ({ endpointId, id: deliveryId, isSlowed, expires_at }: StoredDelivery, dueAt: string) => ({
  key: factKeys.dueDelivery(endpointId, dueAt, deliveryId),
  put: { dueAt, deliveryId, isSlowed, expires_at } satisfies DueDelivery,
});

/**
 * Leaves the note of the next attempt, if there is to be one, and takes this one away: last, so that wherever this is
 * broken off, something is due. @param left the delivery as it is stored now
 */
export async function replaceDue(
  table: Table,
  endpointId: number,
  { dueAt, deliveryId }: DueDelivery,
  left?: Delivery,
): Promise<void> {
  if (left) await putDue(table, left);
  if (left?.nextAttemptAt !== dueAt) await removeItem(table, factKeys.dueDelivery(endpointId, dueAt, deliveryId));
}

/**
 * Notes of a delivery that it has to wait for a turn at its host. It stays due as it is, and so keeps its place before
 * what became due later.
 */
export async function noteSlowed(
  table: Table,
  endpointId: number,
  { dueAt, deliveryId, isSlowed }: DueDelivery,
): Promise<void> {
  if (isSlowed) return;
  const change = { set: { isSlowed: true } };
  const key = factKeys.delivery(endpointId, deliveryId);
  // It was attempted meanwhile, or is to be at another time.
  if (await lostTo('item', () => table.update(key, change, { equals: { nextAttemptAt: dueAt } }))) return;
  // Last, so that whoever is interrupted begins again.
  await lostTo('item', () =>
    table.update(factKeys.dueDelivery(endpointId, dueAt, deliveryId), change, { exists: true }),
  );
}

/** The first deliveries of an endpoint that are to be attempted at some time, strongly consistent. */
export const firstDue = (table: Table, endpointId: number, most: number): Promise<DueDelivery[]> =>
  table.query<DueDelivery>(factKeys.dueDelivery(endpointId, '', '').pk, { most });

export const findDelivery = (table: Table, endpointId: number, deliveryId: string): Promise<Delivery | undefined> =>
  table.get<StoredDelivery>(factKeys.delivery(endpointId, deliveryId));

/** Deliveries of an endpoint, those of the newest facts first. */
export const deliveriesOf = (
  table: Table,
  endpointId: number,
  page: PageRequest,
  { now, status }: { readonly now: Date; readonly status?: DeliveryStatus },
): Promise<Page<Delivery>> =>
  keptPage(page, async ({ most, after }) => {
    const { pk } = factKeys.delivery(endpointId, '');
    const found = await table.query<StoredDelivery>(pk, { most, after, newestFirst: true });
    const items = found
      .filter((delivery) => delivery.expires_at > now.getTime() / 1_000)
      .filter((delivery) => status === undefined || delivery.status === status)
      .map((item) => ({ position: item.id, item }));
    return { items, next: found.length < most ? undefined : found.at(-1)!.id };
  });
