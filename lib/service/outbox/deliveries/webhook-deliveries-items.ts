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

/** An entry in the list of due deliveries. It is valid only while the delivery itself is due at the same time. */
export interface DueDelivery extends Expiring {
  readonly dueAt: string;
  readonly deliveryId: string;
  /** Copied from the delivery's field of the same name. */
  readonly isSlowed?: true;
}

/** The delivery of a fact to an endpoint, which must be created. */
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

/**
 * The condition that the delivery is as it was read: it has not ended, was not rescheduled, and its responses were not
 * erased. If it fails, the request reads the delivery again and decides again.
 */
const asRead = ({ status, nextAttemptAt, erasedAt }: Delivery): Condition => ({
  equals: { status, nextAttemptAt, erasedAt },
});

/**
 * Adds a delivery of a new fact. If the same stream record is processed again, the delivery exists already and stays
 * unchanged.
 */
export async function addDelivery(table: Table, added: NewDelivery): Promise<void> {
  const delivery = fresh(added);
  const existing = await lostTo('item', () => table.put(keyOf(delivery), delivery, { isNew: true }));
  await putDue(table, existing ? existing.item! : delivery);
}

/**
 * Makes a delivery due immediately, because a user has requested it. It is created if it does not exist. The caller
 * must call `wakeEndpoint` afterwards.
 */
export async function queueDelivery(table: Table, queued: NewDelivery): Promise<Delivery> {
  const delivery = fresh(queued);
  let before: StoredDelivery | undefined;
  for (;;) {
    const after: StoredDelivery = { ...delivery, ...(before && kept(before)) };
    const condition: Condition = before ? asRead(before) : { isNew: true };
    // All writes are in one transaction, because no one repeats an interrupted request.
    const lost = await lostTo('delivery', () =>
      table.transact([
        { name: 'delivery', key: keyOf(after), put: after, condition },
        { name: 'due', ...dueItem(after, delivery.nextAttemptAt!) },
      ]),
    );
    if (!lost) return after;
    // The delivery has changed: an attempt has finished, or another user has requested it too. It is read again and
    // decided again.
    before = lost.item;
  }
}

const kept = ({ createdAt, attempts, erasedAt, isSlowed }: Delivery) => ({ createdAt, attempts, erasedAt, isSlowed });

/**
 * Stores a delivery after an attempt.
 * @returns the delivery as it is stored: this one, or the one that another writer has stored first; undefined if it was
 * removed
 */
export async function replaceDelivery(table: Table, before: Delivery, after: Delivery): Promise<Delivery | undefined> {
  const lost = await lostTo('item', () => table.put(keyOf(after), after, asRead(before)));
  return lost ? lost.item : after;
}

/**
 * Removes an endpoint's responses to a fact, because they may contain personal data of the erased customer. If an
 * attempt is in progress, its result is not stored, and the attempt is made again.
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

/**
 * Makes a conditional write.
 * @returns undefined if the write succeeded; otherwise the item that failed its condition, if there was one
 */
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

/** Stores when a delivery is due next, unless it has ended. May be repeated. */
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
 * Stores the due entry of the next attempt, if there is one, and removes the present entry. The removal comes last, so
 * that an entry remains after an interruption.
 * @param left the delivery as it is stored now
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
 * Marks a delivery as one that waits because of its host's rate limit. Its due time stays the same, so that it remains
 * before later deliveries.
 */
export async function markSlowed(
  table: Table,
  endpointId: number,
  { dueAt, deliveryId, isSlowed }: DueDelivery,
): Promise<void> {
  if (isSlowed) return;
  const change = { set: { isSlowed: true } };
  const key = factKeys.delivery(endpointId, deliveryId);
  // The delivery was attempted or rescheduled in the meantime.
  if (await lostTo('item', () => table.update(key, change, { equals: { nextAttemptAt: dueAt } }))) return;
  // The entry of the due list is updated last, so that after an interruption the next run makes both writes again.
  await lostTo('item', () =>
    table.update(factKeys.dueDelivery(endpointId, dueAt, deliveryId), change, { exists: true }),
  );
}

/**
 * Returns the first entries of an endpoint's due deliveries, sorted by time. Some may be due only in the future.
 * Strongly consistent.
 */
export const firstDue = (table: Table, endpointId: number, most: number): Promise<DueDelivery[]> =>
  table.query<DueDelivery>(factKeys.dueDelivery(endpointId, '', '').pk, { most });

export const findDelivery = (table: Table, endpointId: number, deliveryId: string): Promise<Delivery | undefined> =>
  table.get<StoredDelivery>(factKeys.delivery(endpointId, deliveryId));

/** Deliveries of an endpoint, newest facts first. */
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
