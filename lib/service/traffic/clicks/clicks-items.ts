import type { QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { Customer, Visit } from '#lib/service/traffic/customers/customer.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { feedOf, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** Finds a stored click, including clicks of bots and previews. */
export const findClick = async (table: Table, clickId: string): Promise<Customer | undefined> =>
  clickId === MATCHES_NOTHING ? undefined : table.get<Customer>(keys.customer(clickId));

/** Stores a first click and the customer whom it creates. They are one item, so this is a single write. */
export const createCustomer = (table: Table, customer: Customer): Promise<void> =>
  table.put(
    keys.customer(customer.clickId),
    {
      ...customer,
      ...indexKeys.event(
        customer.programId,
        'click',
        feedOf({ isTest: customer.isTest }),
        customer.firstClickAt,
        customer.id,
      ),
    },
    { isNew: true },
  );

/** A later click of a known customer. It does not change the customer, who stays with the first partner. */
export interface LaterClick extends QualityOfClick {
  readonly id: number;
  readonly clickId: string;
  readonly programId: number;
  readonly partnerId: number;
  readonly shortLink: string;
  readonly createdAt: string;
  readonly visit: Visit;
  /** When the click expires, in Unix seconds. It is the same time as for the first click. */
  readonly expires_at?: number;
}

export const logLaterClick = (table: Table, click: LaterClick): Promise<void> =>
  table.put(keys.laterClick(click.clickId, click.createdAt, click.id), {
    ...click,
    ...indexKeys.event(click.programId, 'click', 'EVENTS', click.createdAt, click.id),
  });

/**
 * Changes what was not known when a click was stored.
 * @param click a later click if it contains `createdAt`, otherwise a first click
 */
export const correctClick = async (
  table: Table,
  { clickId, id, createdAt }: Pick<LaterClick, 'clickId' | 'id'> & { readonly createdAt?: string },
  set: QualityOfClick & Pick<LaterClick, 'expires_at'>,
): Promise<void> => {
  const key = createdAt === undefined ? keys.customer(clickId) : keys.laterClick(clickId, createdAt, id);
  await table.update(key, { set: { ...set } }, { exists: true });
};

/**
 * Removes the expiry of a later click, so that it stays as long as its customer. Does nothing if the click has already
 * expired.
 */
export async function keepLaterClick(table: Table, { pk, sk }: Key): Promise<void> {
  try {
    await table.update({ pk, sk }, { set: { expires_at: undefined } }, { exists: true });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Some of a customer's later clicks that will expire, and the position after which to continue. */
export async function expiringClicksOf(
  table: Table,
  clickId: string,
  after: string | undefined,
  most: number,
): Promise<{ readonly expiring: readonly Key[]; readonly next?: string }> {
  const { pk } = keys.customer(clickId);
  const found = await table.query<Key & LaterClick>(pk, { prefix: 'CLICK#', most, after });
  return {
    expiring: found.filter(({ expires_at }) => expires_at !== undefined),
    next: found.length < most ? undefined : found.at(-1)?.sk,
  };
}

/** Later clicks of a customer, oldest first. */
export const laterClicksOf = (table: Table, clickId: string, most: number): Promise<LaterClick[]> =>
  table.query<LaterClick>(keys.customer(clickId).pk, { prefix: 'CLICK#', most });
