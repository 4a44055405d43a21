import {
  type ApiRefunds,
  apiTotalCents,
  type ToldRefund,
  withToldRefund,
} from '#lib/service/conversions/refunds/api-refunds.ts';
import type { RefundReason } from '#lib/service/earnings/commissions/commission.ts';
import { proportionOf, sumOf } from '#lib/service/ground/values/money.ts';

/** A card processor's report of money returned to the customer, or reclaimed from them. */
export type Reversal = InCurrency &
  (
    | RefundTotal
    | { readonly kind: 'disputeOpened'; readonly disputeId: string; readonly amountCents: number }
    | { readonly kind: 'disputeWon'; readonly disputeId: string; readonly amountCents: number }
  );

/** The total refunded of one charge so far. */
interface RefundTotal {
  readonly kind: 'refund';
  readonly chargeId: string;
  readonly totalCents: number;
}

/** The brand's server may record a payment in another currency than the one in which it was charged. */
interface InCurrency {
  /** Upper case; absent = that of the sale. */
  readonly currency?: string;
  /** The whole charge, in that currency, where the report tells it. */
  readonly chargeCents?: number;
}

const sourceOf = (reversal: Reversal): string => (reversal.kind === 'refund' ? reversal.chargeId : reversal.disputeId);

const nameOf = (reversal: Reversal): string => `${reversal.kind} ${sourceOf(reversal)}`;

/**
 * Reversals that wait for their sale, with one more. Of one charge the highest total is kept, and each state of a
 * dispute once: so repeated reports do not make the list grow.
 */
export function withWaiting(waiting: readonly Reversal[], reversal: Reversal): readonly Reversal[] {
  const at = waiting.findIndex((one) => nameOf(one) === nameOf(reversal));
  const existing = waiting[at];
  if (!existing) return [...waiting, reversal];
  const isHigher =
    existing.kind === 'refund' && reversal.kind === 'refund' && reversal.totalCents > existing.totalCents;
  return isHigher ? waiting.with(at, reversal) : waiting;
}

/** A payment has a few of them. All must fit into one item, and into one transaction with the sale. */
const MOST_CHARGES_AND_DISPUTES = 20;

/** Whether a reversal exceeds the limit of charges and disputes. @param waiting what the sale does not know yet */
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
 * Reversals of a sale by source, so that a refund total never hides a dispute, nor the reverse. What the processor tells
 * only grows or advances, so its order of arrival does not matter.
 */
export interface Reversals extends ApiRefunds {
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

/** The fields of a sale that record its reversals. */
export interface RefundedPart {
  /** Total reversed: refunds and open disputes together, at most the amount of the sale. */
  readonly refundedCents: number;
  readonly refundReason?: RefundReason;
  /**
   * Absent until the processor reports a refund or dispute, or a call of the API names or corrects a refund: until then
   * only the total is known.
   */
  readonly reversals?: Reversals;
}

/** Whether steps of refunds or disputes may be stored with a sale; a dispute that is won leaves nothing else. */
export const wasEverReversed = ({ refundedCents, reversals }: RefundedPart): boolean =>
  refundedCents > 0 || reversals !== undefined;

interface Refundable extends RefundedPart {
  readonly amountCents: number;
  readonly currency: string;
  /** Nothing of a duplicate counts, whatever was refunded of it. */
  readonly duplicateOf?: string;
}

const reversalsOf = ({ reversals, refundedCents }: Refundable): Reversals =>
  reversals ?? { apiCents: refundedCents, charges: {}, disputes: {} };

/** Refunds alone. The API and the processor may both report the same money, so the higher of the two counts. */
const refundsCents = (reversals: Reversals): number =>
  Math.max(apiTotalCents(reversals), sumOf(Object.values(reversals.charges)));

const disputedCents = ({ disputes }: Reversals): number =>
  sumOf(Object.values(disputes).map(({ amountCents, state }) => (state === 'open' ? amountCents : 0)));

/** A sale that counts no more, because another one is of the same payment. */
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
  // A chargeback that came through the API stays one.
  return Object.keys(disputes).length > 0 ? 'refund' : (former ?? 'refund');
}

/**
 * The sale after a refund call of the API; undefined when the call tells nothing new. Where calls tell only totals, and
 * the processor nothing, the total alone is stored.
 */
export function refundedByApi(sale: Refundable, told: ToldRefund, reason: RefundReason): RefundedPart | undefined {
  const before = reversalsOf(sale);
  const after = withToldRefund(before, told);
  if (after === undefined) return undefined;
  const isPlain = told.refundId === undefined && !told.isCorrection;
  if (isPlain && before.namedCents === undefined) {
    if (after.apiCents <= refundsCents(before)) return undefined;
    if (!sale.reversals) return { refundedCents: after.apiCents, refundReason: reason };
  }
  const { refundedCents } = refundedPart(sale, { ...before, ...after });
  const refundReason = reasonAfter(sale, refundedCents, told, reason);
  return refundedPart({ ...sale, refundReason }, { ...before, ...after });
}

/** A chargeback stays one while other refunds are corrected. */
function reasonAfter(sale: Refundable, refundedCents: number, told: ToldRefund, reason: RefundReason) {
  if (refundedCents === sale.refundedCents) return sale.refundReason;
  const isOfAnother = told.refundId !== undefined && told.recorded?.reason !== 'chargeback';
  const stays = refundedCents < sale.refundedCents && isOfAnother && sale.refundReason === 'chargeback';
  return stays ? sale.refundReason : reason;
}

/** What the processor has told of a sale, in the sale's currency. */
export function toldReversalsOf({ reversals, currency, amountCents: chargeCents }: Refundable): Reversal[] {
  const { charges = {}, disputes = {} } = reversals ?? {};
  const told = { currency, chargeCents };
  return [
    ...Object.entries(charges).map(([chargeId, totalCents]): Reversal => ({
      kind: 'refund',
      chargeId,
      totalCents,
      ...told,
    })),
    ...Object.entries(disputes).flatMap(([disputeId, { amountCents, state }]): Reversal[] => [
      ...(state === 'wonEarly' ? [] : [{ kind: 'disputeOpened', disputeId, amountCents, ...told } as const]),
      ...(state === 'open' ? [] : [{ kind: 'disputeWon', disputeId, amountCents, ...told } as const]),
    ]),
  ];
}

/** What calls of the API have told of a sale, as a total. */
export const toldByApiCents = (sale: Refundable): number => apiTotalCents(reversalsOf(sale));

/** Whether the processor's reports alone keep the total of a sale above what calls of the API tell. */
export const isKeptUpByProcessor = (sale: Refundable): boolean => sale.refundedCents > apiTotalCents(reversalsOf(sale));

/** Whether the processor has told anything of a sale's reversals. */
export const isToldByProcessor = ({ reversals }: RefundedPart): boolean =>
  reversals !== undefined && [reversals.charges, reversals.disputes].some((told) => Object.keys(told).length > 0);

/** Whether a correction has surely changed what is stored of a sale's refunds. */
export const wasCorrected = (sale: RefundedPart): boolean =>
  sale.reversals?.takenBackCents !== undefined ||
  (sale.reversals !== undefined && sale.reversals.namedCents === undefined && !isToldByProcessor(sale));

/**
 * The sale with this total refunded, and with this sum of its named refunds; undefined when it has both. Where the
 * processor has told something, the total stays.
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
  const amountCents = isToldByProcessor(sale) ? apiTotalCents(before) : totalCents;
  const corrected =
    apiTotalCents(named) === amountCents ? named : withToldRefund(named, { amountCents, isCorrection: true });
  return refundedPart({ ...sale, refundReason: reason }, { ...named, ...corrected });
}

export interface ReversalStep {
  readonly reason: RefundReason | 'dispute_won';
  readonly after: RefundedPart;
}

/**
 * An amount in the currency of a sale: of a charge in another currency, the share that it has in the charge. Where the
 * charge is not known, as with most disputes, it counts as the whole sale.
 */
export function inCurrencyOf(
  { amountCents, currency }: Pick<Refundable, 'amountCents' | 'currency'>,
  told: InCurrency,
  cents: number,
): number {
  if (told.currency === undefined || told.currency === currency) return cents;
  return told.chargeCents
    ? proportionOf(amountCents, Math.min(cents, told.chargeCents), told.chargeCents)
    : amountCents;
}

/** The states through which a reversal moves a sale; none when nothing is new. */
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
