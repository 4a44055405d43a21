import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { World } from '#test/support/world.ts';

type Item = Record<string, unknown>;

/** Every item of the world's table. */
export async function allItems({ client, tableName }: Pick<World, 'client' | 'tableName'>): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

const named = (names: unknown[]) => names.map(String).toSorted();

/** The changing part of a customer, which the item of its key repeats. */
const repeated = ({ partnerId, status, signupAt, firstPurchaseAt, customerKey }: Item) => ({
  partnerId,
  status,
  signupAt,
  firstPurchaseAt,
  customerKey,
});

/**
 * What holds in the table at any moment, whatever failed before: a commission and its sale name each other, a customer
 * with a conversion has the sale that made it, a settled lead has its event, and the item of a key agrees with its
 * customer.
 */
export async function expectNothingHalfWritten(world: Pick<World, 'client' | 'tableName'>): Promise<void> {
  const items = await allItems(world);
  const below = (sk: string) => items.filter((item) => item.sk === sk);
  const sales = below('SALE');

  expect(named(below('COMMISSION').map(({ id, saleId, transactionId }) => [id, saleId, transactionId]))).toEqual(
    named(
      sales
        .filter(({ commissionState }) => commissionState === 'created')
        .map(({ id, commissionId, transactionId }) => [commissionId, id, transactionId]),
    ),
  );

  const customers = below('CUSTOMER');
  const attributedTo = sales
    .filter(({ commissionState }) => commissionState === 'created' || commissionState === 'notDue')
    .map(({ attribution }) => (attribution as Item).clickId);
  const converted = customers.filter(({ status }) => status === 'conversion').map(({ clickId }) => clickId);
  expect(new Set(converted)).toEqual(new Set(attributedTo));

  const leads = below('LEAD').map(({ clickId, state }) => [clickId, state]);
  const led = customers.filter(({ leadState }) => leadState !== undefined);
  expect(named(leads)).toEqual(named(led.map(({ clickId, leadState }) => [clickId, leadState])));

  for (const keyed of items.filter(({ pk }) => String(pk).startsWith('KEY#'))) {
    const customer = customers.find(({ clickId }) => clickId === keyed.clickId);
    expect(repeated(keyed)).toEqual(repeated(customer ?? {}));
  }
}
