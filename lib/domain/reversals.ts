import type { RefundReason } from '#lib/domain/commission.ts';
import { sumOf } from '#lib/domain/money.ts';

/** What a card processor reports of money that goes back to the customer, or comes back. */
export type Reversal =
  /** The total refunded of one charge so far. */
  | { readonly kind: 'refund'; readonly chargeId: string; readonly totalCents: number }
  | { readonly kind: 'disputeOpened'; readonly disputeId: string; readonly amountCents: number }
  | { readonly kind: 'disputeWon'; readonly disputeId: string; readonly amountCents: number };

const sourceOf = (reversal: Reversal): string => (reversal.kind === 'refund' ? reversal.chargeId : reversal.disputeId);

const nameOf = (reversal: Reversal): string => `${reversal.kind} ${sourceOf(reversal)}`;

/**
 * Reversals that wait for their sale, with one more. Of one charge the highest total is kept, and each state of a
 * dispute once: so however often the processor reports a payment, what waits for it stays small.
 */
export function withWaiting(waiting: readonly Reversal[], reversal: Reversal): readonly Reversal[] {
  const at = waiting.findIndex((one) => nameOf(one) === nameOf(reversal));
  const existing = waiting[at];
  if (!existing) return [...waiting, reversal];
  const isHigher =
    existing.kind === 'refund' && reversal.kind === 'refund' && reversal.totalCents > existing.totalCents;
  return isHigher ? waiting.with(at, reversal) : waiting;
}

/** A payment has a few of them. All that is known of one has to go into an item, and into one transaction with its sale. */
const MOST_CHARGES_AND_DISPUTES = 20;

/** Whether a reversal is of one charge or dispute too many. @param waiting what the sale does not know yet */
export function isOneTooMany(
  reversal: Reversal,
  sale: RefundedPart | undefined,
  waiting: readonly Reversal[],
): boolean {
  const { charges = {}, disputes = {} } = sale?.reversals ?? {};
  const known = new Set([...Object.keys(charges), ...Object.keys(disputes), ...waiting.map(sourceOf)]);
  return known.size >= MOST_CHARGES_AND_DISPUTES && !known.has(sourceOf(reversal));
}

/**
 * What was taken back of a sale, apart by its source: a refund total never hides a dispute, nor the reverse. Each
 * part only ever grows or moves on, so the order in which reversals arrive means nothing.
 */
export interface Reversals {
  /** The highest total of the refund calls of the API. */
  readonly apiCents: number;
  /** The highest total of each charge. */
  readonly charges: Readonly<Record<string, number>>;
  readonly disputes: Readonly<Record<string, Dispute>>;
}

/**
 *     (none) ──opened──→ open ──won──→ won
 *        └──won──→ wonEarly ──opened──↑
 */
interface Dispute {
  readonly amountCents: number;
  readonly state: 'open' | 'won' | 'wonEarly';
}

/** The parts of a sale that say what was taken back of it. */
export interface RefundedPart {
  /** Taken back so far: refunds and open disputes together, at most the sale. */
  readonly refundedCents: number;
  readonly refundReason?: RefundReason;
  /** Absent until the processor reports a refund or dispute: until then the total is all there is. */
  readonly reversals?: Reversals;
}

interface Refundable extends RefundedPart {
  readonly amountCents: number;
}

const reversalsOf = ({ reversals, refundedCents }: Refundable): Reversals =>
  reversals ?? { apiCents: refundedCents, charges: {}, disputes: {} };

/** Refunds alone. The API and the processor may both report the same money, so the higher of the two counts. */
const refundsCents = ({ apiCents, charges }: Reversals): number => Math.max(apiCents, sumOf(Object.values(charges)));

const disputedCents = ({ disputes }: Reversals): number =>
  sumOf(Object.values(disputes).map(({ amountCents, state }) => (state === 'open' ? amountCents : 0)));

/** What refunds alone have taken back of a sale. */
export const refundedAloneCents = (sale: Refundable): number => refundsCents(reversalsOf(sale));

const refundedPart = ({ amountCents, refundReason }: Refundable, reversals: Reversals): RefundedPart => {
  const disputed = disputedCents(reversals);
  const refundedCents = Math.min(amountCents, refundsCents(reversals) + disputed);
  return { refundedCents, refundReason: reasonOf(refundedCents, disputed, reversals, refundReason), reversals };
};

function reasonOf(refundedCents: number, disputed: number, { disputes }: Reversals, former: RefundReason | undefined) {
  if (refundedCents === 0) return undefined;
  if (disputed > 0) return 'chargeback';
  // A chargeback that came through the API stays one.
  return Object.keys(disputes).length > 0 ? 'refund' : (former ?? 'refund');
}

/** A sale whose refund total the API reports. Without reports of the processor the total is all that is kept. */
export const refundedByApi = (sale: Refundable, totalCents: number, reason: RefundReason): RefundedPart => {
  const { reversals } = sale;
  if (!reversals) return { refundedCents: totalCents, refundReason: reason };
  return refundedPart({ ...sale, refundReason: reason }, { ...reversals, apiCents: totalCents });
};

export interface ReversalStep {
  readonly reason: RefundReason | 'dispute_won';
  readonly after: RefundedPart;
}

/** The states through which a reversal moves a sale; none when nothing is new. */
export function stepsOf(sale: Refundable, reversal: Reversal): ReversalStep[] {
  const reversals = reversalsOf(sale);
  if (reversal.kind === 'refund') {
    const { chargeId, totalCents } = reversal;
    if (totalCents <= (reversals.charges[chargeId] ?? 0)) return [];
    const charges = { ...reversals.charges, [chargeId]: totalCents };
    return [{ reason: 'refund', after: refundedPart(sale, { ...reversals, charges }) }];
  }
  const { disputeId, amountCents } = reversal;
  const inState = (state: Dispute['state']): RefundedPart =>
    refundedPart(sale, { ...reversals, disputes: { ...reversals.disputes, [disputeId]: { amountCents, state } } });
  const opened = { reason: 'chargeback', after: inState('open') } as const;
  const won = { reason: 'dispute_won', after: inState('won') } as const;
  const existing = reversals.disputes[disputeId]?.state;
  if (reversal.kind === 'disputeOpened') {
    if (existing === undefined) return [opened];
    return existing === 'wonEarly' ? [opened, won] : [];
  }
  if (existing === 'open') return [won];
  return existing === undefined ? [{ reason: 'dispute_won', after: inState('wonEarly') }] : [];
}
