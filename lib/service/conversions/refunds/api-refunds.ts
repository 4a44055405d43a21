import type { RefundReason } from '#lib/service/earnings/commissions/commission.ts';

/** What the refund calls of the API have told of a sale. */
export interface ApiRefunds {
  /** The highest total that calls without a refund's id told, or what a correction made of it. */
  readonly apiCents: number;
  /** The sum of the refunds that calls named by their ids, as they are now; absent until a call names one. */
  readonly namedCents?: number;
  /** How much of that sum a correction of the total took back. */
  readonly takenBackCents?: number;
}

/** A refund that calls name by its id, as it is recorded. */
export interface NamedRefund {
  readonly amountCents: number;
  readonly reason: RefundReason;
}

/** The amount that one refund call tells. */
export interface ToldRefund {
  /** Of the named refund alone; without an id, the total so far. */
  readonly amountCents: number;
  readonly refundId?: string;
  /** What is recorded of the named refund. */
  readonly recorded?: NamedRefund;
  /** The amount replaces the recorded one, and may be lower. */
  readonly isCorrection?: boolean;
}

/** Of totals and of the sum of named refunds the higher one counts. */
export const apiTotalCents = ({ apiCents, namedCents = 0, takenBackCents = 0 }: ApiRefunds): number =>
  Math.max(apiCents, namedCents - takenBackCents);

/** What the calls have told after one more; undefined when it tells nothing new. */
export function withToldRefund(before: ApiRefunds, told: ToldRefund): ApiRefunds | undefined {
  const { amountCents, refundId, recorded, isCorrection } = told;
  const { apiCents, namedCents, takenBackCents = 0 } = before;
  if (refundId !== undefined) {
    if (recorded?.amountCents === amountCents) return undefined;
    const step = amountCents - (recorded?.amountCents ?? 0);
    // A correction of the total has taken back what the single refunds give back afterwards.
    const left = Math.max(0, takenBackCents + Math.min(0, step));
    return { apiCents, namedCents: (namedCents ?? 0) + step, takenBackCents: left || undefined };
  }
  if (!isCorrection) return amountCents > apiCents ? { ...before, apiCents: amountCents } : undefined;
  const takenBack = Math.max(0, (namedCents ?? 0) - amountCents);
  // What the named refunds explain is not told as a total, too: they may be corrected afterwards.
  const total = amountCents > (namedCents ?? 0) ? amountCents : 0;
  if (total === apiCents && takenBack === takenBackCents) return undefined;
  return { apiCents: total, namedCents, takenBackCents: takenBack || undefined };
}
