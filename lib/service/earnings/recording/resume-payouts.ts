import { payoutsFrozen, Refusal } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import { findPayout, payoutWorkList } from '#lib/service/earnings/payouts/payouts-items.ts';
import { continuePayout } from '#lib/service/earnings/recording/record-payout.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { giveBack } from '#lib/service/earnings/lines/return-line.ts';

/** A request works for less than this time, so no request works on a payout whose last step is older. */
const IDLE_MS = 30_000;

/**
 * Goes on with open payouts on which no request works, and with lines that still give back what they held. The oldest come
 * first; what this run does not reach is left to the next one.
 */
export async function resumePayouts(deps: Deps): Promise<void> {
  for await (const page of pagesOf(deps.table, payoutWorkList)) {
    for (const { pk, sk } of page) {
      if (deps.ending?.aborted) return;
      deps.table.forget();
      await resumed(deps, { pk, sk });
    }
  }
}

/** A failure does not stop the others. */
async function resumed(deps: Deps, key: Key): Promise<void> {
  try {
    const found = await deps.table.get<{ readonly payoutId: number } & Partial<PayoutLine>>(key);
    if (found?.returning) await giveBack(deps, found as PayoutLine, () => !deps.ending?.aborted);
    else if (found && found.status === undefined) await resumedPayout(deps, found.payoutId);
  } catch (error) {
    if (!isFrozen(error)) deps.log.error('payout_delayed', error, { pk: key.pk });
  }
}

/** Frozen payouts continue when the freeze ends. */
const isFrozen = (error: unknown): boolean => error instanceof Refusal && error.message === payoutsFrozen().message;

async function resumedPayout(deps: Deps, payoutId: number): Promise<void> {
  const payout = await findPayout(deps.table, payoutId);
  if (!payout) return;
  const { workedAt = payout.createdAt, createdBy } = payout;
  if (deps.now.getTime() - Date.parse(workedAt) < IDLE_MS) return;
  await continuePayout(deps, payout, createdBy);
}
