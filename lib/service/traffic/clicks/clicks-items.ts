import type { QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { Customer, Visit } from '#lib/service/traffic/customers/customer.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { feedOf, indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** Finds a stored click, including clicks of bots and previews. */
export const findClick = async (table: Table, clickId: string): Promise<Customer | undefined> =>
  clickId === MATCHES_NOTHING ? undefined : table.get<Customer>(keys.customer(clickId));

/** Stores the first click and the customer it creates as one item in one write. */
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
}

export const logLaterClick = (table: Table, click: LaterClick): Promise<void> =>
  table.put(keys.laterClick(click.clickId, click.createdAt, click.id), {
    ...click,
    ...indexKeys.event(click.programId, 'click', 'EVENTS', click.createdAt, click.id),
  });

/** Changes the quality of a click. @param click a later click if it has `createdAt`, otherwise the first click */
export const setQuality = async (
  table: Table,
  { clickId, id, createdAt }: Pick<LaterClick, 'clickId' | 'id'> & { readonly createdAt?: string },
  quality: QualityOfClick['quality'],
): Promise<void> => {
  const key = createdAt === undefined ? keys.customer(clickId) : keys.laterClick(clickId, createdAt, id);
  await table.update(key, { set: { quality } }, { exists: true });
};

/** Later clicks of a customer, oldest first. */
export const laterClicksOf = (table: Table, clickId: string, most: number): Promise<LaterClick[]> =>
  table.query<LaterClick>(keys.customer(clickId).pk, { prefix: 'CLICK#', most });
