import { type IntegrationFacts, type Readiness, readinessOf } from '#lib/service/reports/figures/readiness.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import { countsOfLastDay } from '#lib/service/ground/counters/counter-readings-items.ts';
import { lastDeliveryOf } from '#lib/service/conversions/processors/deliveries-items.ts';
import { findChains, keyedTestsOf, lastRealEvents } from '#lib/service/reports/figures/integration-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

export interface Integration {
  readonly facts: IntegrationFacts;
  readonly readiness: Readiness;
  /** Real events of the last 24 hours. */
  readonly lastDay: Pick<EventCounts, 'clicks' | 'leads' | 'sales'>;
}

/** Returns the progress of a program's integration. Only a few items are read, even if there are many events. */
export async function integrationOf({ table, now }: Deps, programId: number): Promise<Integration> {
  const [program, { apiSale: lastApiSaleAt, ...lastRealAt }, keyedTests, chains, lastDay, delivery] = await Promise.all(
    [
      findProgram(table, programId),
      lastRealEvents(table, programId),
      keyedTestsOf(table, programId),
      findChains(table, programId),
      countsOfLastDay(table, programId, now),
      lastDeliveryOf(table, programId),
    ],
  );
  if (!program) throw new Error(`Program ${programId} does not exist, though its caller does`);
  const { forwardedPaymentAt } = delivery ?? {};
  const facts: IntegrationFacts = { program, lastRealAt, lastApiSaleAt, forwardedPaymentAt, keyedTests, ...chains };
  return { facts, readiness: readinessOf(facts), lastDay };
}
