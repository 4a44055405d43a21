import { payoutsFrozen, Refusal } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import { findPayout, payoutWorkList } from '#lib/service/earnings/payouts/payouts-items.ts';
import { continuePayout } from '#lib/service/earnings/recording/record-payout.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { giveBack } from '#lib/service/earnings/lines/return-line.ts';

/** A request works for less than this time. If a payout's last step is older, no request is working on it. */
const IDLE_MS = 30_000;

/**
 * Continues open payouts on which no request works, and the cancelling of failed or void lines. The oldest come first;
 * the next run continues where this one stops.
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

/** Continues one payout or line. If that fails, the error is logged and the others are still continued. */
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
