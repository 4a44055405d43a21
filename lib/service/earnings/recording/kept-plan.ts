import type { ListedCommission } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { groupOf, type Payout } from '#lib/service/earnings/payouts/payout.ts';
import type { Plan } from '#lib/service/earnings/recording/plan-payout.ts';
import type { Due } from '#lib/service/earnings/recording/planned-lines.ts';

type Lines = readonly Due<ListedCommission>[];

/** How long the rest of a plan may be used after the plan was made. */
const KEPT_MS = 60_000;

/**
 * The rest of the plan of a payout that a request of this container did not complete, so that the next request need not
 * read the whole index again. The plan may be outdated: each commission is read again before it is recorded.
 */
export class KeptPlan {
  #kept: { readonly payoutId: number; readonly lines: Lines; readonly atMs: number } | undefined;

  keep(payoutId: number, lines: Lines, now: Date): void {
    this.#kept = { payoutId, lines, atMs: now.getTime() };
  }

  /** The lines that the open payout must still record; undefined if there is no plan and a new one must be made. */
  takeFor({ payout, line, held }: Plan, now: Date): Lines | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept?.payoutId !== payout.id || now.getTime() - kept.atMs > KEPT_MS) return undefined;
    return linesFrom(kept.lines, payout.last, line?.amountCents).filter(({ partnerId }) => !held.has(partnerId));
  }
}

export const keptPlan = (): KeptPlan => new KeptPlan();

/** The lines from the last recorded one on. @param heldCents what the payout has already recorded of that line */
export function linesFrom(lines: Lines, last: Payout['last'], heldCents = 0): Lines {
  if (!last) return lines;
  const from = groupOf(last);
  return lines
    .filter((one) => groupOf(one) >= from)
    .map((one) => (groupOf(one) === from ? { ...one, heldCents } : one));
}
