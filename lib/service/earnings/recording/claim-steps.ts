import { historyBytes, MOST_HISTORY_BYTES } from '#lib/service/earnings/commissions/commissions-items.ts';
import { groupOf } from '#lib/service/earnings/payouts/payout.ts';
import { MOST_CLAIMED_A_STEP } from '#lib/service/earnings/payouts/payouts-items.ts';
import type { Claimable } from '#lib/service/earnings/recording/claims-to-record.ts';

/**
 * Divides the commissions of a payout into steps. Each step has as many commissions as fit into one transaction
 * together with their lines.
 */
export class ClaimSteps {
  readonly #source: AsyncGenerator<readonly Claimable[]>;
  #waiting: Claimable[] = [];
  #isOver = false;

  constructor(source: AsyncGenerator<readonly Claimable[]>) {
    this.#source = source;
  }

  /**
   * Returns the commissions of the next step.
   * @param begun the last line that the payout has recorded (see `groupOf`); undefined if there is none
   */
  async next(begun: string | undefined): Promise<{ readonly step: readonly Claimable[]; readonly isLast: boolean }> {
    // Reads one commission more than a step can have, to find out whether this step is the last one.
    while (!this.#isOver && this.#waiting.length <= MOST_CLAIMED_A_STEP) {
      const { value, done = false } = await this.#source.next();
      if (done) this.#isOver = true;
      else this.#waiting.push(...(value as readonly Claimable[]));
    }
    const fits = this.#fitting(begun);
    const step = this.#waiting.slice(0, fits);
    this.#waiting = this.#waiting.slice(fits);
    return { step, isLast: this.#isOver && this.#waiting.length === 0 };
  }

  #fitting(begun: string | undefined): number {
    const lines = new Set<string>();
    let [writes, bytes] = [0, 0];
    const tooMany = this.#waiting.findIndex(({ before, part }, index) => {
      const line = groupOf(part);
      // Adding to a line that an earlier step has recorded takes two writes: one for the claim, and one for the line's
      // sums.
      if (!lines.has(line)) writes += line === begun ? 2 : 1;
      lines.add(line);
      writes += 1;
      bytes += historyBytes(before);
      return writes > MOST_CLAIMED_A_STEP || (index > 0 && bytes > MOST_HISTORY_BYTES);
    });
    return tooMany === -1 ? this.#waiting.length : tooMany;
  }
}
