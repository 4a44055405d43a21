import {
  type ApiRefundCall,
  type ApiRefunds,
  apiTotalCents,
  withApiRefund,
} from '#lib/service/conversions/refunds/api-refunds.ts';
import type { RefundReason } from '#lib/service/earnings/commissions/commission.ts';
import { type InCurrency, inCurrencyOf } from '#lib/service/conversions/refunds/reported-currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';

/** A card processor's report of a refund, or of a dispute that takes or returns money. */
export type Reversal = InCurrency &
  (
    | RefundTotal
    | { readonly kind: 'disputeOpened'; readonly disputeId: string; readonly amountCents: number }
    | { readonly kind: 'disputeWon'; readonly disputeId: string; readonly amountCents: number }
  );

/** The total of one charge's refunds so far. */
interface RefundTotal {
  readonly kind: 'refund';
  readonly chargeId: string;
  readonly totalCents: number;
}

/**
 * Reversals of a sale by source, so that a total of refunds never hides a dispute, and a dispute never hides refunds.
 * Values from the processor only grow or advance, so their order of arrival does not matter.
 */
interface Reversals extends ApiRefunds {
  /** The highest reported total of refunds for each charge. */
  readonly charges: Readonly<Record<string, number>>;
  readonly disputes: Readonly<Record<string, Dispute>>;
}

/**
 * The state of a dispute. Its events may arrive in any order.
 *     (none) ──opened──→ open ──won──→ won
 *        └──won──→ wonEarly ──opened──↑
 */
interface Dispute {
  readonly amountCents: number;
  readonly state: 'open' | 'won' | 'wonEarly';
}

/** The fields of a sale that record its reversals. */
export interface RefundedPart {
  /** Total of refunds and open disputes, at most the amount of the sale. */
  readonly refundedCents: number;
  readonly refundReason?: RefundReason;
  /**
   * Reversals by source. Undefined until the processor reports a refund or dispute, or an API call sends a refund id or
   * a correction. Until then only the total is stored.
   */
  readonly reversals?: Reversals;
}

/** Whether refund steps may be stored for a sale. After a won dispute the total is zero again, but the steps remain. */
export const wasEverReversed = ({ refundedCents, reversals }: RefundedPart): boolean =>
  refundedCents > 0 || reversals !== undefined;

interface Refundable extends RefundedPart {
  readonly amountCents: number;
  readonly currency: string;
  /** Transaction id of the original, if the sale is a duplicate. A duplicate is always fully reversed. */
  readonly duplicateOf?: string;
}

const reversalsOf = ({ reversals, refundedCents }: Refundable): Reversals =>
  reversals ?? { apiCents: refundedCents, charges: {}, disputes: {} };

/**
 * Total of refunds without disputes. API and processor may both report the same refund, so the higher one of their
 * totals counts.
 */
const refundsCents = (reversals: Reversals): number =>
  Math.max(apiTotalCents(reversals), sumOf(Object.values(reversals.charges)));

const disputedCents = ({ disputes }: Reversals): number =>
  sumOf(Object.values(disputes).map(({ amountCents, state }) => (state === 'open' ? amountCents : 0)));

/** The fields of a sale that is a duplicate: its whole amount is reversed. */
export const duplicatePart = ({ amountCents, reversals }: Refundable): RefundedPart => ({
  refundedCents: amountCents,
  refundReason: 'duplicate',
  reversals,
});

function refundedPart(sale: Refundable, reversals: Reversals): RefundedPart {
  if (sale.duplicateOf !== undefined) return duplicatePart({ ...sale, reversals });
  const disputed = disputedCents(reversals);
  const refundedCents = Math.min(sale.amountCents, refundsCents(reversals) + disputed);
  return { refundedCents, refundReason: reasonOf(refundedCents, disputed, reversals, sale.refundReason), reversals };
}

function reasonOf(refundedCents: number, disputed: number, { disputes }: Reversals, former: RefundReason | undefined) {
  if (refundedCents === 0) return undefined;
  if (disputed > 0) return 'chargeback';
  // Stripe has reported no dispute, so a chargeback can only have been reported through our API. It remains the reason.
  return Object.keys(disputes).length > 0 ? 'refund' : (former ?? 'refund');
}

/**
 * The sale after a refund call of the API. Undefined if the call changes nothing. If the API sent only totals and the
 * processor nothing, only the total is stored.
 */
export function refundedByApi(sale: Refundable, call: ApiRefundCall, reason: RefundReason): RefundedPart | undefined {
  const before = reversalsOf(sale);
  const after = withApiRefund(before, call);
  if (after === undefined) return undefined;
  const isPlain = call.refundId === undefined && !call.isCorrection;
  if (isPlain && before.namedCents === undefined) {
    if (after.apiCents <= refundsCents(before)) return undefined;
    if (!sale.reversals) return { refundedCents: after.apiCents, refundReason: reason };
  }
  const { refundedCents } = refundedPart(sale, { ...before, ...after });
  const refundReason = reasonAfter(sale, refundedCents, call, reason);
  return refundedPart({ ...sale, refundReason }, { ...before, ...after });
}

/** The reason of the refunded total after a call. `chargeback` stays if the call only lowers another refund. */
function reasonAfter(sale: Refundable, refundedCents: number, call: ApiRefundCall, reason: RefundReason) {
  if (refundedCents === sale.refundedCents) return sale.refundReason;
  const isOfAnother = call.refundId !== undefined && call.recorded?.reason !== 'chargeback';
  const stays = refundedCents < sale.refundedCents && isOfAnother && sale.refundReason === 'chargeback';
  return stays ? sale.refundReason : reason;
}

/** The processor's reports that are stored with a sale, converted to the sale's currency. */
export function reportedReversalsOf({ reversals, currency, amountCents: chargeCents }: Refundable): Reversal[] {
  const { charges = {}, disputes = {} } = reversals ?? {};
  const reported = { currency, chargeCents };
  return [
    ...Object.entries(charges).map(([chargeId, totalCents]): Reversal => ({
      kind: 'refund',
      chargeId,
      totalCents,
      ...reported,
    })),
    ...Object.entries(disputes).flatMap(([disputeId, { amountCents, state }]): Reversal[] => [
      ...(state === 'wonEarly' ? [] : [{ kind: 'disputeOpened', disputeId, amountCents, ...reported } as const]),
      ...(state === 'open' ? [] : [{ kind: 'disputeWon', disputeId, amountCents, ...reported } as const]),
    ]),
  ];
}

/**
 * The sale after it has taken over what API calls refunded of a duplicate. Totals are not added up, because both records
 * may have got the same one; refunds with ids are. Undefined if that changes nothing.
 * @param movedCents the sum of those refunds with ids of the duplicate that the sale lacks
 */
export function withApiRefundsOf(
  sale: Refundable,
  duplicate: Refundable,
  movedCents: number,
): RefundedPart | undefined {
  const { apiCents, takenBackCents = 0 } = reversalsOf(duplicate);
  const { currency, amountCents: chargeCents, refundReason: reason = 'refund' } = duplicate;
  const centsOf = (cents: number) => inCurrencyOf(sale, { currency, chargeCents }, cents);
  const amountCents = Math.min(centsOf(apiCents), sale.amountCents);
  const total = amountCents > 0 ? refundedByApi(sale, { amountCents }, reason) : undefined;
  if (movedCents === 0) return total;
  const before = reversalsOf({ ...sale, ...total });
  const takenBack = (before.takenBackCents ?? 0) + centsOf(takenBackCents);
  const namedCents = (before.namedCents ?? 0) + movedCents;
  const after = { ...before, namedCents, takenBackCents: takenBack || undefined };
  const part = refundedPart(sale, after);
  return part.refundedCents === sale.refundedCents ? part : refundedPart({ ...sale, refundReason: reason }, after);
}

/** The refunded total according to the API's calls. */
const apiRefundedCents = (sale: Refundable): number => apiTotalCents(reversalsOf(sale));

/** Whether reports of the processor make the refunded total higher than the API's calls. */
export const isRaisedByProcessor = (sale: Refundable): boolean => sale.refundedCents > apiRefundedCents(sale);

/** Whether the processor has reported a refund or dispute of the sale. */
export const isReportedByProcessor = ({ reversals }: RefundedPart): boolean =>
  reversals !== undefined && [reversals.charges, reversals.disputes].some((amounts) => Object.keys(amounts).length > 0);

/**
 * Whether a correction has changed the stored refunds of a sale. A result of false is not certain: some corrections
 * leave no trace.
 */
export const wasCorrected = (sale: RefundedPart): boolean =>
  sale.reversals?.takenBackCents !== undefined ||
  (sale.reversals !== undefined && sale.reversals.namedCents === undefined && !isReportedByProcessor(sale));

/**
 * Sets the refunded total and the sum of refunds with ids to what they were before. Undefined if both are unchanged. If
 * the processor has reported a refund or dispute, the total stays as it is.
 */
export function withRestoredTotal(
  sale: Refundable,
  { namedCents, totalCents }: { readonly namedCents: number; readonly totalCents: number },
  reason: RefundReason,
): RefundedPart | undefined {
  const before = reversalsOf(sale);
  const isNamed = namedCents !== (before.namedCents ?? 0);
  if (!isNamed && totalCents === sale.refundedCents) return undefined;
  if (!isNamed && !sale.reversals && totalCents > 0) return { refundedCents: totalCents, refundReason: reason };
  const named = isNamed ? { ...before, namedCents } : before;
  const amountCents = isReportedByProcessor(sale) ? apiTotalCents(before) : totalCents;
  const corrected =
    apiTotalCents(named) === amountCents ? named : withApiRefund(named, { amountCents, isCorrection: true });
  return refundedPart({ ...sale, refundReason: reason }, { ...named, ...corrected });
}

export interface ReversalStep {
  readonly reason: RefundReason | 'dispute_won';
  readonly after: RefundedPart;
}

/** The steps in which a report changes the sale's refunded total. Empty if nothing changes. */
export function stepsOf(sale: Refundable, reversal: Reversal): ReversalStep[] {
  const reversals = reversalsOf(sale);
  if (reversal.kind === 'refund') {
    const { chargeId } = reversal;
    const totalCents = inCurrencyOf(sale, reversal, reversal.totalCents);
    if (totalCents <= (reversals.charges[chargeId] ?? 0)) return [];
    const charges = { ...reversals.charges, [chargeId]: totalCents };
    return [{ reason: 'refund', after: refundedPart(sale, { ...reversals, charges }) }];
  }
  const { disputeId } = reversal;
  const amountCents = inCurrencyOf(sale, reversal, reversal.amountCents);
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
