import { type Countable, incrementsOf } from '#lib/service/reports/counting/counters.ts';
import { incrementSum } from '#lib/service/reports/counting/increment-sum.ts';
import type { Counts } from '#lib/service/ground/counters/counter.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { customersWithLeadCommission } from '#lib/service/earnings/commissions/commissions-items.ts';
import { salesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { findLeadCommission } from '#lib/service/conversions/leads/leads-items.ts';
import { countablesOfSale } from '#lib/service/reports/counting/recount-items.ts';
import { everySale } from '#lib/service/conversions/sales/sales-items.ts';
import {
  type CatchingUp,
  correctCounters,
  type Wrong,
  wrongPartsOf,
  type WrongParts,
} from '#lib/service/reports/counting/correct-counters.ts';

/** Maximum wrong counters that are kept in memory and corrected together. */
const MOST_WRONG = 5_000;
/** Number of customers recounted at a time. */
const AT_ONCE = 25;

/**
 * Recounts every customer with a sale or a lead commission. There may be millions, so each is recounted separately when
 * its first sale is found, and corrections are made in portions.
 * @param most maximum of wrong parts in memory, and size of a page of sales
 * @throws Error if the counters are late or keep changing
 */
export async function rebuildCustomers(
  deps: OperatorDeps,
  programId: number,
  how: Partial<CatchingUp>,
  most = MOST_WRONG,
): Promise<void> {
  const { table } = deps;
  let wrong = new Map<string, Wrong>();
  const correct = async (): Promise<void> => {
    const found = wrong;
    wrong = new Map();
    await correctCounters(deps, programId, found, (before) => recount(deps, customersIn(before)), how);
  };
  for await (const sales of everySale(table, programId)) {
    for (const [name, part] of await recount(deps, await firstBuyers(deps, sales))) wrong.set(name, part);
    if (wrong.size >= most) await correct();
  }
  // The loop covers customers whose only commission comes from a lead. Other customers have been corrected above.
  for await (const clickIds of customersWithLeadCommission(table, programId)) {
    for (const [name, part] of await recount(deps, clickIds)) wrong.set(name, part);
    if (wrong.size >= most) await correct();
  }
  await correct();
}

/** Returns the customers whose first sale is one of these sales, so that each customer is processed once. */
async function firstBuyers({ table }: OperatorDeps, sales: readonly Sale[]): Promise<string[]> {
  const buyers = await Promise.all(
    sales.map(async ({ id, attribution }) => {
      if (!attribution) return [];
      for await (const [first] of salesOf(table, attribution.clickId, 1)) {
        if (first) return first.id === id ? attribution.clickId : [];
      }
      return [];
    }),
  );
  return buyers.flat();
}

const customersIn = (wrong: WrongParts): string[] => [
  ...new Set([...wrong.values()].flatMap(({ counter }) => (counter.of === 'customer' ? counter.clickId : []))),
];

async function recount(deps: OperatorDeps, clickIds: readonly string[]): Promise<WrongParts> {
  const { table } = deps;
  const wrong = new Map<string, Wrong>();
  for (let at = 0; at < clickIds.length; at += AT_ONCE) {
    table.forget();
    const found = await Promise.all(
      clickIds.slice(at, at + AT_ONCE).map(async (clickId) => {
        const counts = await countsOfCustomer(deps, clickId);
        return wrongPartsOf(deps, { counter: { of: 'customer', clickId }, counts });
      }),
    );
    for (const [name, part] of found.flat()) wrong.set(name, part);
  }
  return wrong;
}

/** The correct counts of a customer: from its lead's commission, its sales, their commissions and refunds. */
async function countsOfCustomer({ table }: OperatorDeps, clickId: string): Promise<Counts> {
  const sum = incrementSum();
  const addOwn = (countable: Countable): void => {
    const increments = incrementsOf(undefined, countable);
    sum.add(increments.filter(({ counter }) => counter.of === 'customer' && counter.clickId === clickId));
  };
  const earned = await findLeadCommission(table, clickId);
  if (earned) addOwn({ kind: 'commission', item: earned });
  for await (const sales of salesOf(table, clickId)) {
    for (const countables of await Promise.all(sales.map((sale) => countablesOfSale(table, sale)))) {
      countables.forEach(addOwn);
    }
  }
  return sum.increments()[0]?.counts ?? {};
}
