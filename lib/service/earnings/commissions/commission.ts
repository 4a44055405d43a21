import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { type Day, DAY_MS } from '#lib/service/ground/values/day.ts';
import { baseCentsOf } from '#lib/service/programs/terms/commission-base.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { Flag } from '#lib/service/programs/terms/rules.ts';
import type { CommissionTerms, CommissionType, TermsVersion, TierSales } from '#lib/service/programs/terms/terms.ts';
import { commissionAmount, type Payment, platformFeeCents } from '#lib/service/programs/terms/commission-amount.ts';

export const commissionStatuses = ['held', 'pending', 'approved', 'paid', 'rejected', 'reversed'] as const;
export type CommissionStatus = (typeof commissionStatuses)[number];
/** Why the refunded total of a sale increases. `duplicate` means that another sale already records the same payment. */
export type RefundReason = 'refund' | 'chargeback' | 'duplicate';

/** One row of a commission's audit trail. */
export interface AuditRow {
  readonly at: string;
  readonly actor: Actor;
  readonly action:
    | 'created'
    | 'released'
    | 'approved'
    | 'rejected'
    | 'reopened'
    | 'paid'
    | 'adjusted'
    | 'unpaid'
    | 'deducted'
    | 'reversed'
    | 'restored'
    | 'corrected'
    | 'recalculated';
  readonly from: CommissionStatus | null;
  readonly to: CommissionStatus;
  readonly amountCents: number;
  readonly reason: string | null;
}

/** The fields that all kinds of commissions have. */
interface AnyCommission {
  readonly id: number;
  readonly programId: number;
  readonly partnerId: number;
  /** The referral link of the customer's first click. Undefined if no link was involved. */
  readonly shortLink?: string;
  /** Click id of the customer. Undefined if there is none. */
  readonly clickId?: string;
  readonly status: CommissionStatus;
  readonly amountCents: number;
  readonly deductedCents: number;
  readonly currency: Currency;
  readonly refundState: 'none' | 'partial' | 'full';
  readonly reversalReason?: RefundReason;
  readonly rejectionReason?: string;
  /** Set if the commission was reduced after it was paid. A payout that adjusts the payment clears the flag. */
  readonly needsReview?: boolean;
  /** What payouts have paid for the commission, without lines that failed or became void. Undefined means nothing. */
  readonly paidOutCents?: number;
  /** The oldest payout that paid for the commission by a line that has not failed or become void. */
  readonly payoutId?: number;
  readonly platformFee?: PlatformFee;
  /**
   * The time that decides on which day the counters count the amounts. For a sale, this is the time of the payment; for
   * a lead, that of the signup or of the payment that settled the lead.
   */
  readonly occurredAt: string;
  readonly holdUntil: string;
  /** The rules that matched when the commission was created. Undefined if none did. */
  readonly flags?: readonly Flag[];
  /** When a rule held the commission for review. Undefined if none did. */
  readonly heldAt?: string;
  /** When a person released the commission from review. Until then, the counters do not count it. */
  readonly releasedAt?: string;
  /**
   * The sum that refunds deducted from the commission while a rule held it for review. From the release on, counters
   * count the commission less this amount.
   */
  readonly heldDeductedCents?: number;
  /** Set if a person reopened the commission. From then on only a person approves it, not the end of its hold. */
  readonly byHand?: true;
  /**
   * Refunds that were recorded while the commission was rejected are deducted when it is reopened. This contains their
   * deductions, by the day on which counters count them.
   */
  readonly lateDeductions?: Readonly<Record<Day, LateDeduction>>;
  readonly approvedAt?: string;
  readonly paidAt?: string;
  readonly reversedAt?: string;
  readonly createdAt: string;
  /** Number of changes including the creation. Undefined means 1. */
  readonly version?: number;
  readonly history: readonly AuditRow[];
}

/** What a reopening deducted from a commission and its platform fee. An amount is negative if it was given back. */
export interface LateDeduction {
  readonly deductionCents: number;
  readonly feeReductionCents: number;
}

interface PlatformFee {
  readonly amountCents: number;
  readonly reducedCents: number;
  /**
   * By how much refunds reduced the fee while a rule held the commission. Counters count the fee from the release on,
   * without this amount.
   */
  readonly heldReducedCents?: number;
  readonly bps: number;
  readonly currency: Currency;
}

export interface SaleCommission extends AnyCommission {
  /** Commissions of sales have no `kind`. */
  readonly kind?: never;
  /** The coupon code of the payment. */
  readonly code?: string;
  readonly clickId: string;
  readonly saleId: number;
  readonly transactionId: string;
  readonly commissionType: CommissionType;
  readonly commissionRate: number;
  /** The version of the terms that were applied. */
  readonly terms: TermsVersion;
  /** The sales figures by which the tier was chosen. Undefined if the terms have no tiers. */
  readonly tierSales?: TierSales;
  readonly baseAmountCents: number;
  readonly platformFee: PlatformFee;
  /**
   * Set if another payment that the customer made before this one became known later, and therefore no commission is
   * due for this sale any more. The amount is then zero.
   */
  readonly isOvertaken?: true;
}

/** A commission for a confirmed signup. Each customer earns the partner at most one such commission. */
export interface LeadCommission extends AnyCommission {
  readonly kind: 'lead';
  readonly terms: TermsVersion;
  readonly clickId: string;
  readonly leadId: number;
}

/** A commission that an owner granted without a sale, for example as a bonus. The amount of a deduction is negative. */
export interface ManualCommission extends AnyCommission {
  readonly kind: 'manual';
  readonly reason: string;
  /** The owner's own id for the commission, unique in the program. */
  readonly externalId?: string;
}

export type Commission = SaleCommission | LeadCommission | ManualCommission;

export const commissionKinds = ['sale', 'lead', 'manual'] as const;

/** The event that earned the commission. */
export const kindOf = ({ kind }: Commission): (typeof commissionKinds)[number] => kind ?? 'sale';

/**
 * Whether a rule held the commission for review and no person has released it. Counters do not count such a commission,
 * even if it was rejected or reversed later.
 */
export const isInReview = ({ heldAt, releasedAt }: Pick<Commission, 'heldAt' | 'releasedAt'>): boolean =>
  heldAt !== undefined && releasedAt === undefined;

/** The sum of what reopenings have deducted. */
export const lateDeductionOf = ({ lateDeductions = {} }: Pick<Commission, 'lateDeductions'>): LateDeduction => ({
  deductionCents: sumOf(Object.values(lateDeductions).map(({ deductionCents }) => deductionCents)),
  feeReductionCents: sumOf(Object.values(lateDeductions).map(({ feeReductionCents }) => feeReductionCents)),
});

/** The platform fee and by how much refunds reduced it. Both are zero while the commission is held for review. */
export const chargedFee = ({
  platformFee: { amountCents, reducedCents },
  ...commission
}: SaleCommission): Pick<PlatformFee, 'amountCents' | 'reducedCents'> =>
  isInReview(commission) ? { amountCents: 0, reducedCents: 0 } : { amountCents, reducedCents };

/** The commission if it was earned by a sale, otherwise undefined. */
export const ofSale = (commission: Commission): SaleCommission | undefined =>
  commission.kind === undefined ? commission : undefined;

/** The data, besides amounts, that a new commission copies from its sale. */
export interface CommissionNames {
  /** Id of the commission. */
  readonly id: number;
  readonly saleId: number;
  readonly programId: number;
  readonly partnerId: number;
  readonly shortLink?: string;
  readonly code?: string;
  readonly clickId: string;
  readonly transactionId: string;
  readonly occurredAt: string;
  readonly createdAt: string;
  readonly actor: Actor;
}

/** Creates the commission of a sale. @throws RangeError if the terms have an invalid type or rate */
export function newCommission(sale: CommissionNames, terms: CommissionTerms, payment: Payment): SaleCommission {
  const { amountCents, currency } = commissionAmount(terms, payment);
  const { actor, ...names } = sale;
  return {
    ...names,
    status: 'pending',
    commissionType: terms.commissionType,
    commissionRate: terms.commissionRate,
    terms: terms.version,
    tierSales: terms.tierSales,
    baseAmountCents: baseCentsOf(payment),
    amountCents,
    deductedCents: 0,
    currency,
    refundState: 'none',
    platformFee: {
      amountCents: platformFeeCents(payment.amountCents, terms.platformFeeBps),
      reducedCents: 0,
      bps: terms.platformFeeBps,
      currency: payment.currency,
    },
    holdUntil: holdUntil(new Date(sale.createdAt), terms.holdPeriodDays).toISOString(),
    history: [{ at: sale.createdAt, actor, action: 'created', from: null, to: 'pending', amountCents, reason: null }],
  };
}

export const holdUntil = (createdAt: Date, days: number): Date => new Date(createdAt.getTime() + days * DAY_MS);

/** Whether the sales figures by which the tier was chosen may still change. */
export const awaitsMonth = ({ tierSales }: SaleCommission): boolean => tierSales?.rates !== undefined;
