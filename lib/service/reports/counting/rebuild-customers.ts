import type { Counter } from '#lib/service/ground/counters/counter.ts';
import { incrementsOf } from '#lib/service/reports/counting/counters.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { salesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { findLeadCommission } from '#lib/service/conversions/leads/leads-items.ts';
import { countablesOfSale, earningCustomers } from '#lib/service/reports/counting/recount-items.ts';
import {
  type Comparison,
  correctDifferences,
  type Difference,
  differencesOf,
  NOTHING_CORRECTED,
} from '#lib/service/reports/counting/correct-counters.ts';
import { type EventSums, eventSum } from '#lib/service/reports/counting/event-sum.ts';
import type { Portion } from '#lib/service/reports/counting/rebuild-events.ts';
import type { UntilCounted } from '#lib/service/reports/counting/shared-probes.ts';

/** How many differences are kept in memory and corrected together at most. */
const MOST_WRONG = 5_000;
/** After this many pages of 100 sales, the position is stored even if no differences were found. */
const MOST_PAGES = 50;
/** How many customers are recounted at once. */
const AT_ONCE = 25;

/**
 * Corrects the money of every customer with a sale or a lead commission. There may be millions, so each customer is
 * recounted when its first sale is found, and corrections are made in portions.
 * @param after position up to which the customers are done
 * @param most maximum number of differences in memory
 * @throws CountersLate
 */
export async function* rebuildCustomers(
  deps: OperatorDeps,
  programId: number,
  after: string | undefined,
  untilCounted: UntilCounted,
  most = MOST_WRONG,
): AsyncGenerator<Portion> {
  let wrong: Difference[] = [];
  let pages = 0;
  let last: string | undefined;
  for await (const { at, clickIds } of earningCustomers(deps.table, programId, after)) {
    wrong.push(...(await differencesOf(deps, comparisonOf(deps, clickIds))));
    pages += 1;
    last = at;
    if (wrong.length < most && pages < MOST_PAGES) continue;
    // A correction takes some seconds. So a few differences are not corrected at once, but together with those of the
    // following pages.
    if (wrong.length > 0 && wrong.length < most) continue;
    yield { ...(await correctAll(deps, wrong, untilCounted)), at };
    wrong = [];
    pages = 0;
  }
  if (last !== undefined) yield { ...(await correctAll(deps, wrong, untilCounted)), at: last };
}

const correctAll = (deps: OperatorDeps, wrong: readonly Difference[], untilCounted: UntilCounted) =>
  wrong.length === 0
    ? NOTHING_CORRECTED
    : correctDifferences(deps, comparisonOf(deps, customersIn(wrong)), wrong, untilCounted);

const customersIn = (wrong: readonly Difference[]): string[] => [
  ...new Set(wrong.flatMap(({ counter }) => (counter.of === 'customer' ? counter.clickId : []))),
];

const comparisonOf = (deps: OperatorDeps, clickIds: readonly string[]): Comparison => ({
  counters: clickIds.map((clickId): Counter => ({ of: 'customer', clickId })),
  isCompared: () => true,
  recount: (differences) => recount(deps, differences ? customersIn(differences) : clickIds),
});

async function recount({ table }: OperatorDeps, clickIds: readonly string[]): Promise<EventSums> {
  const wanted = new Set(clickIds);
  const sum = eventSum((counter) => counter.of === 'customer' && wanted.has(counter.clickId));
  for (let at = 0; at < clickIds.length; at += AT_ONCE) {
    table.forget();
    await Promise.all(
      clickIds.slice(at, at + AT_ONCE).map(async (clickId) => {
        // Since it was listed, a sale may have moved to another customer.
        const add = (countable: Parameters<typeof sum.add>[0]): void => {
          const isOwn = incrementsOf(undefined, countable).some(
            ({ counter }) => counter.of === 'customer' && counter.clickId === clickId,
          );
          if (isOwn) sum.add(countable);
        };
        const earned = await findLeadCommission(table, clickId);
        if (earned) add({ kind: 'commission', item: earned });
        for await (const sales of salesOf(table, clickId)) {
          for (const countables of await Promise.all(sales.map((sale) => countablesOfSale(table, sale)))) {
            countables.forEach(add);
          }
        }
      }),
    );
  }
  return sum.sums();
}
