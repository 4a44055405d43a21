import { type Code, codeName } from '#lib/service/programs/links/code.ts';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { codeListing, everyCode } from '#lib/service/programs/links/codes-items.ts';
import { commissionListing } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import { commissionNamedBy } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { customerPartnerListing } from '#lib/service/traffic/customers/customers-items.ts';
import type { Condition } from '#lib/service/ground/table/expressions.ts';
import { type IndexKey, indexKeys, type Key, keys, type PartnerIndexKey } from '#lib/service/ground/table/keys.ts';
import { everyListedCustomer } from '#lib/service/reports/lists/listed-customers-items.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import { everyPayoutId, splitOlderPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** Where an item is listed, beside its other attributes. */
type Listed<Item> = Item & Partial<IndexKey & PartnerIndexKey>;

/**
 * Lists everything that a partner of a program reads, and unsettled commissions with what they hold, as far as earlier
 * versions did not. Repeating it is safe.
 */
export async function correctListings(table: Table, programId: number): Promise<void> {
  for await (const page of pagesOf(table, indexKeys.commission(programId, '', 0).gsi1pk)) {
    await Promise.all(page.map((name) => correctCommission(table, commissionNamedBy(name))));
    table.forget();
  }
  for await (const page of everyListedCustomer(table, programId)) {
    await Promise.all(page.map((placed) => correctCustomer(table, placed)));
  }
  for await (const code of everyCode(table, programId)) await correctCode(table, code);
  for await (const ids of everyPayoutId(table, programId)) {
    for (const id of ids) await splitOlderPayout(table, id);
    table.forget();
  }
}

async function correctCommission(table: Table, key: Key): Promise<void> {
  const commission = await table.get<Commission>(key);
  if (!commission) return;
  await correct(table, key, commission, commissionListing(commission), { equals: { history: commission.history } });
}

const correctCustomer = (
  table: Table,
  { position, customer }: { readonly position: string; readonly customer: Customer },
): Promise<void> => {
  const { leadState, partnerId } = customer;
  const listing = { ...customerPartnerListing(customer), gsi2sk: position };
  return correct(table, keys.customer(customer.clickId), customer, listing, { equals: { leadState, partnerId } });
};

const correctCode = (table: Table, code: Code): Promise<void> =>
  correct(table, keys.code(code.programId, codeName(code.code)), code, codeListing(code), { exists: true });

/** @param condition holds while the item is as it was read: whoever changes it lists it as well */
async function correct(
  table: Table,
  key: Key,
  item: Listed<object>,
  listing: Partial<Record<keyof (IndexKey & PartnerIndexKey), string | undefined>>,
  condition: Condition,
): Promise<void> {
  const names = Object.keys(listing) as (keyof typeof listing)[];
  if (names.every((name) => item[name] === listing[name])) return;
  try {
    await table.update(key, { set: listing }, condition);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
