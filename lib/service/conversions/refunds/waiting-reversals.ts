import type { RefundedPart, Reversal } from '#lib/service/conversions/refunds/reversals.ts';

/**
 * Adds a reversal to those that wait for their sale. Only the highest total of each charge is kept, and each state of a
 * dispute once, so that repeated reports do not make the list grow.
 */
export function withWaiting(waiting: readonly Reversal[], reversal: Reversal): readonly Reversal[] {
  const at = waiting.findIndex((one) => nameOf(one) === nameOf(reversal));
  const existing = waiting[at];
  if (!existing) return [...waiting, reversal];
  const isHigher =
    existing.kind === 'refund' && reversal.kind === 'refund' && reversal.totalCents > existing.totalCents;
  return isHigher ? waiting.with(at, reversal) : waiting;
}

/**
 * Maximum number of charges and disputes of a payment. All must fit into one item, and into one transaction with the
 * sale.
 */
const MOST_CHARGES_AND_DISPUTES = 20;

/**
 * Whether a reversal exceeds the limit of charges and disputes.
 * @param waiting reversals that are not yet applied to the sale
 */
export function isOneTooMany(
  reversal: Reversal,
  sale: RefundedPart | undefined,
  waiting: readonly Reversal[],
): boolean {
  const { charges = {}, disputes = {} } = sale?.reversals ?? {};
  const known = new Set([...Object.keys(charges), ...Object.keys(disputes), ...waiting.map(sourceOf)]);
  return known.size >= MOST_CHARGES_AND_DISPUTES && !known.has(sourceOf(reversal));
}

const sourceOf = (reversal: Reversal): string => (reversal.kind === 'refund' ? reversal.chargeId : reversal.disputeId);

const nameOf = (reversal: Reversal): string => `${reversal.kind} ${sourceOf(reversal)}`;
