import type { Step } from '#lib/service/reports/figures/readiness.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { recordTestEvent, recordTestSale } from '#lib/service/reports/trial/record-test-event.ts';

const SALE = { amountCents: 100, saleType: 'payment', isRecurring: false } as const;

/** Stores one test event of a program as if it had been sent with the program's key. @returns its id */
export async function recordSingleTestEvent(deps: Deps, type: Step, programId: number): Promise<number> {
  // The test sale uses a currency that is always accepted, because the program's currency may no longer be accepted.
  if (type === 'sale')
    return recordTestSale(deps, { facts: { ...SALE, currency: deps.config.currencies[0] } }, programId);
  return (await recordTestEvent(deps, { type, keyProgramId: programId, fields: {} })).eventId;
}
