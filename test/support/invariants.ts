import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { isDeepStrictEqual } from 'node:util';
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
  // Events are counted, and that they came or became no sale is noted, whatever they change.
  return items.filter(({ pk }) => !/^(?:LAST_DELIVERY|UNSOLD|WINDOW#webhook)#/.test(String(pk)));
}

/** Items that something wrote, changed or removed: as they are afterwards, or as they were. */
export async function leftBehind(
  world: Pick<World, 'client' | 'tableName'>,
  run: () => Promise<unknown>,
): Promise<Item[]> {
  const before = await allItems(world);
  await run();
  const after = await allItems(world);
  const missingIn = (all: readonly Item[]) => (item: Item) => !all.some((each) => isDeepStrictEqual(each, item));
  const [changed, gone] = [after.filter(missingIn(before)), before.filter(missingIn(after))];
  return changed.length > 0 ? changed : gone;
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
 * with a conversion has the sale that made it, a settled lead has its event, the item of a key agrees with its customer,
 * refunds add up, and what is known of the card processor leads to what is there.
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
  expectRefundsAddUp(items, sales);
  expectProcessorToLeadSomewhere(items, sales, customers);
}

/** The steps of a sale's refunds, of both signs, lead to its total; and each belongs to a sale. */
function expectRefundsAddUp(items: readonly Item[], sales: readonly Item[]): void {
  const refunds = items.filter(({ sk }) => String(sk).startsWith('REFUND#'));
  const totals = new Map(sales.map(({ transactionId }) => [transactionId, 0]));
  for (const { transactionId, amountCents } of refunds) {
    totals.set(transactionId, (totals.get(transactionId) ?? Number.NaN) + Number(amountCents));
  }
  expect(named([...totals])).toEqual(
    named(sales.map(({ transactionId, refundedCents }) => [transactionId, refundedCents])),
  );
}

/** A payment leads to a sale of its program, a payer to a customer, and programs and accounts to each other. */
function expectProcessorToLeadSomewhere(
  items: readonly Item[],
  sales: readonly Item[],
  customers: readonly Item[],
): void {
  const below = (prefix: string) => items.filter(({ pk }) => String(pk).startsWith(prefix));
  const ids = new Set(sales.map(({ programId, transactionId }) => `${String(programId)} ${String(transactionId)}`));
  const sold = below('PAYMENT#').filter(({ transactionId }) => transactionId !== undefined);
  expect(sold.filter(({ pk, transactionId }) => !ids.has(`${programOf(pk)} ${String(transactionId)}`))).toEqual([]);
  expect(sold.filter(({ waiting, expires_at: at }) => waiting !== undefined || at !== undefined)).toEqual([]);

  const known = new Set(customers.map(({ programId, clickId }) => `${String(programId)} ${String(clickId)}`));
  const payers = below('PAYER#');
  expect(payers.filter(({ pk, clickId }) => !known.has(`${programOf(pk)} ${String(clickId)}`))).toEqual([]);

  const linked = items
    .filter(({ sk, processor }) => sk === 'PROGRAM' && (processor as Item | undefined)?.accountId !== undefined)
    .map(({ id, processor }) => [(processor as Item).accountId, id]);
  const serving = below('PROCESSOR_ACCOUNT#').flatMap(({ accountId, programIds }) =>
    (programIds as number[]).map((id) => [accountId, id]),
  );
  expect(named(serving)).toEqual(named(linked));
}

/** Of `PAYMENT#3#pi_1`. */
const programOf = (pk: unknown): string => String(pk).split('#')[1]!;
