import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionListing } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import type { World } from '#test/support/programs/world.ts';

type Item = Record<string, unknown>;

/** All items in the world's table, except those that an event writes even if it has no effect. */
export async function allItems(world: Pick<World, 'client' | 'tableName'>): Promise<Item[]> {
  // Leaves out counters, notes that an event arrived or became no sale, and the payers and ids of payments without
  // sale.
  return (await storedItems(world)).filter(
    ({ pk, clickId, transactionId, waiting, keptBy }) =>
      !/^(?:LAST_DELIVERY|UNSOLD|WINDOW#webhook)#/.test(String(pk)) &&
      !(String(pk).startsWith('PAYER#') && clickId === undefined) &&
      !(String(pk).startsWith('PAYMENT#') && [transactionId, waiting, keptBy].every((told) => told === undefined)),
  );
}

export async function storedItems({ client, tableName }: Pick<World, 'client' | 'tableName'>): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

const keyOf = ({ pk, sk }: Item): string => JSON.stringify([pk, sk]);

/**
 * Runs a function. Returns the items that it has written, as they are afterwards; if there are none, the items that it
 * removed.
 */
export async function leftBehind(
  world: Pick<World, 'client' | 'tableName'>,
  run: () => Promise<unknown>,
): Promise<Item[]> {
  const before = await allItems(world);
  await run();
  const after = await allItems(world);
  const missingIn = (all: readonly Item[]) => {
    const byKey = new Map(all.map((item) => [keyOf(item), item]));
    return (item: Item) => !isDeepStrictEqual(byKey.get(keyOf(item)), item);
  };
  const [changed, gone] = [after.filter(missingIn(before)), before.filter(missingIn(after))];
  return changed.length > 0 ? changed : gone;
}

const named = (names: unknown[]) => names.map(String).toSorted();

/** The attributes of a customer that the item of the customer's key repeats. */
const repeated = ({ partnerId, status, signupAt, firstPurchaseAt, customerKey }: Item) => ({
  partnerId,
  status,
  signupAt,
  firstPurchaseAt,
  customerKey,
});

/**
 * Expects what must be true of the table at any time, even after failures: a commission and its sale or lead refer to
 * each other; its index key contains the amount owed; every commission can be found by its id and is based on its
 * sale's amount; a customer who bought has a sale; customers who signed up or paid are in their partner's list; a lead
 * that counts has its event; the item of a customer key agrees with its customer; a customer lists its real sales;
 * refunds add up; and items about payments refer to items that exist.
 */
export async function expectNothingHalfWritten(world: Pick<World, 'client' | 'tableName'>): Promise<void> {
  const items = await allItems(world);
  const below = (sk: string) => items.filter((item) => item.sk === sk);
  const sales = below('SALE');

  const commissions = below('COMMISSION');
  const ofSales = commissions.filter(({ kind }) => kind === undefined);
  expect(named(ofSales.map(({ id, saleId, transactionId }) => [id, saleId, transactionId]))).toEqual(
    named(
      sales
        .filter(({ commissionState }) => commissionState === 'created')
        .map(({ id, commissionId, transactionId }) => [commissionId, id, transactionId]),
    ),
  );
  for (const commission of commissions) {
    const { gsi1pk, gsi1sk, gsi2pk, gsi2sk } = commission;
    expect({ gsi1pk, gsi1sk, gsi2pk, gsi2sk }).toEqual(commissionListing(commission as unknown as Commission));
  }
  const names = items.filter(({ pk, sk }) => String(pk).startsWith('COMMISSION#') && sk !== 'COMMISSION');
  expect(named(names.map(({ pk }) => pk))).toEqual(named(commissions.map(({ id }) => `COMMISSION#${String(id)}`)));

  const earnedByLeads = commissions.filter(({ kind }) => kind === 'lead');
  const earning = below('LEAD').filter(({ earned }) => earned === true);
  expect(named(earnedByLeads.map(({ leadId, clickId }) => [leadId, clickId]))).toEqual(
    named(earning.map(({ id, clickId }) => [id, clickId])),
  );

  const customers = below('CUSTOMER');
  const attributedTo = sales
    .filter(({ commissionState }) => commissionState === 'created' || commissionState === 'notDue')
    .map(({ attribution }) => (attribution as Item).clickId);
  const converted = customers.filter(({ status }) => status === 'conversion').map(({ clickId }) => clickId);
  expect(new Set(converted)).toEqual(new Set(attributedTo));

  for (const customer of customers.filter(({ isTest }) => !isTest)) {
    const { programId, partnerId, status, leadState, gsi2pk, gsi2sk } = customer;
    const isListed = status === 'conversion' || leadState !== undefined;
    const partners = `PARTNER#${String(programId)}#${String(partnerId)}#CUSTOMERS`;
    expect({ isListed: gsi2sk !== undefined, gsi2pk: gsi2sk && gsi2pk }).toEqual({
      isListed,
      gsi2pk: isListed && partnerId !== undefined ? partners : undefined,
    });
  }

  const leads = below('LEAD').map(({ clickId, state }) => [clickId, state]);
  const led = customers.filter(({ leadState }) => leadState !== undefined);
  expect(named(leads)).toEqual(named(led.map(({ clickId, leadState }) => [clickId, leadState])));

  for (const keyed of items.filter(({ pk }) => String(pk).startsWith('KEY#'))) {
    const customer = customers.find(({ clickId }) => clickId === keyed.clickId);
    expect(repeated(keyed)).toEqual(repeated(customer ?? {}));
  }
  const listed = items.filter(({ pk, sk }) => String(pk).startsWith('CUSTOMER#') && String(sk).startsWith('SALE#'));
  expect(named(listed.map(({ pk, sk }) => [pk, sk]))).toEqual(
    named(
      sales
        .filter(({ isTest }) => !isTest)
        .map(({ attribution, createdAt, transactionId }) => [
          `CUSTOMER#${String((attribution as Item).clickId)}`,
          `SALE#${String(createdAt)}#${String(transactionId)}`,
        ]),
    ),
  );
  expectSameCustomers([...ofSales, ...items.filter(({ sk }) => String(sk).startsWith('REFUND#'))], sales);
  expectRefundsAddUp(items, sales);
  expectSameBases(below('COMMISSION'), sales);
  expectCodesToBeClaimed(items);
  expectProcessorToLeadSomewhere(items, sales, customers);
}

/** Expects that each code has reserved its id at the payment processor, and that no other code has. */
function expectCodesToBeClaimed(items: readonly Item[]): void {
  const codes = items.filter(
    ({ pk, processorCodeId }) => String(pk).startsWith('CODE#') && processorCodeId !== undefined,
  );
  const claims = items.filter(({ pk }) => String(pk).startsWith('PROCESSOR_CODE#'));
  expect(named(claims.map(({ pk, code }) => [pk, code]))).toEqual(
    named(
      codes.map(({ programId, processorCodeId, code }) => [
        `PROCESSOR_CODE#${String(programId)}#${String(processorCodeId)}`,
        code,
      ]),
    ),
  );
}

/** Expects that a commission and refunds have the same customer and partner as their sale. */
function expectSameCustomers(ofSales: readonly Item[], sales: readonly Item[]): void {
  const attributions = new Map(sales.map(({ transactionId, attribution }) => [transactionId, attribution as Item]));
  const others = ofSales.filter(({ transactionId, clickId, partnerId, isTest }) => {
    const { clickId: customer, partnerId: partner } = attributions.get(transactionId) ?? {};
    return !isTest && (clickId !== customer || partnerId !== partner);
  });
  expect(others).toEqual([]);
}

/**
 * Expects that the refunds of a sale, some of which are negative, add up to its refunded total, and that each has a
 * sale.
 */
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

/** Expects that a commission is computed from the sale's full amount, or from the amount without tax. */
function expectSameBases(commissions: readonly Item[], sales: readonly Item[]): void {
  const bases = new Map(
    sales.map(({ transactionId, amountCents, baseCents }) => [transactionId, baseCents ?? amountCents]),
  );
  const namesOf = (items: readonly Item[]) => items.map(({ transactionId }) => transactionId);
  const others = commissions.filter(
    ({ transactionId, baseAmountCents }) => bases.get(transactionId) !== baseAmountCents,
  );
  expect(namesOf(others)).toEqual([]);
  const wrong = sales.filter(
    ({ amountCents, taxCents = 0, baseCents = amountCents }) =>
      baseCents !== amountCents && baseCents !== Number(amountCents) - Number(taxCents),
  );
  expect(namesOf(wrong)).toEqual([]);
}

/**
 * Expects that payments refer to sales of their program, payers to customers, and programs and accounts to each other.
 */
function expectProcessorToLeadSomewhere(
  items: readonly Item[],
  sales: readonly Item[],
  customers: readonly Item[],
): void {
  const below = (prefix: string) => items.filter(({ pk }) => String(pk).startsWith(prefix));
  const ids = new Set(sales.map(({ programId, transactionId }) => `${String(programId)} ${String(transactionId)}`));
  const payments = items.filter(({ pk }) => /^(?:[A-Z]+_)?PAYMENT#/.test(String(pk)));
  const sold = payments.filter(({ transactionId }) => transactionId !== undefined);
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

/** Returns the program id in a key such as `PAYMENT#3#pi_1`. */
const programOf = (pk: unknown): string => String(pk).split('#')[1]!;
