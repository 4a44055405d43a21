import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { baseCentsOf } from '#lib/service/programs/terms/commission-base.ts';
import { type Currency, decimalsOf } from '#lib/service/ground/values/currency.ts';
import { halfUp, proportionOf, scaled, toCents } from '#lib/service/ground/values/money.ts';
import type { Flag } from '#lib/service/programs/terms/rules.ts';
import {
  type CommissionTerms,
  type CommissionType,
  commissionTypes,
  type TermsVersion,
  type TierSales,
} from '#lib/service/programs/terms/terms.ts';

/** Decimals to which a commission rate is kept. */
const RATE_DECIMALS = 4;

const HIGHEST_RATE = 1_000_000_000;

/** A commission rate as it is kept: positive, to 4 decimals, half up; undefined when invalid. */
export function rateOf(sent: number): number | undefined {
  if (!(sent > 0 && sent <= HIGHEST_RATE)) return undefined;
  const rate = Number(scaled(sent, RATE_DECIMALS)) / 10 ** RATE_DECIMALS;
  return rate > 0 ? rate : undefined;
}

/** The parts of a payment on which its commission depends. */
export interface Payment {
  readonly amountCents: number;
  /** From which percent types are computed; absent = the whole amount. */
  readonly baseCents?: number;
  readonly currency: Currency;
  readonly isRecurring: boolean;
  readonly paidAt: Date;
  /** Payment time of the customer's first recorded sale; absent when this is the first. */
  readonly firstPurchaseAt?: string;
}

export const commissionStatuses = ['held', 'pending', 'approved', 'paid', 'rejected', 'reversed'] as const;
export type CommissionStatus = (typeof commissionStatuses)[number];
/** `duplicate`: the payment is counted by another sale. */
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
    | 'paid'
    | 'adjusted'
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

/** What a commission of any kind may have. */
interface AnyCommission {
  readonly id: number;
  readonly programId: number;
  readonly partnerId: number;
  /** Link of the customer's first click; absent where no link brought it. */
  readonly shortLink?: string;
  /** The customer; absent where none is involved. */
  readonly clickId?: string;
  readonly status: CommissionStatus;
  readonly amountCents: number;
  readonly deductedCents: number;
  readonly currency: Currency;
  readonly refundState: 'none' | 'partial' | 'full';
  readonly reversalReason?: RefundReason;
  readonly rejectionReason?: string;
  /** Reduced after it was paid; a payout that adjusts it clears the mark. */
  readonly needsReview?: boolean;
  /** What payouts have paid for it so far; absent = nothing. */
  readonly paidOutCents?: number;
  /** The payout that paid it first. */
  readonly payoutId?: number;
  readonly platformFee?: PlatformFee;
  /** On whose day its amounts count: of a sale the payment, of a lead the signup or the payment that settled it. */
  readonly occurredAt: string;
  readonly holdUntil: string;
  /** Rules that fitted when it was made; absent = none. */
  readonly flags?: readonly Flag[];
  /** When a rule held it; absent = none did. */
  readonly heldAt?: string;
  /** When a person released it. Until then its amount counts nowhere. */
  readonly releasedAt?: string;
  /** What refunds deducted before it was released; it counts without that. */
  readonly heldDeductedCents?: number;
  readonly approvedAt?: string;
  readonly paidAt?: string;
  readonly reversedAt?: string;
  readonly createdAt: string;
  /** How often it has changed, with its creation; absent = 1. */
  readonly version?: number;
  readonly history: readonly AuditRow[];
}

interface PlatformFee {
  readonly amountCents: number;
  readonly reducedCents: number;
  /** The part of it from before the commission was released; the fee counts without that. */
  readonly heldReducedCents?: number;
  readonly bps: number;
  readonly currency: Currency;
}

export interface SaleCommission extends AnyCommission {
  /** Absent: there were no other kinds when sales began to earn commissions. */
  readonly kind?: never;
  /** That the payment carried. */
  readonly code?: string;
  readonly clickId: string;
  readonly saleId: number;
  readonly transactionId: string;
  readonly commissionType: CommissionType;
  readonly commissionRate: number;
  /** The version of the terms by which it was computed. */
  readonly terms: TermsVersion;
  /** By which tiers chose the rate; absent where there are none. */
  readonly tierSales?: TierSales;
  readonly baseAmountCents: number;
  readonly platformFee: PlatformFee;
  /** An earlier payment became known, by which none is due for this one: it is worth nothing since. */
  readonly isOvertaken?: true;
}

/** What a settled lead earns, once per customer. */
export interface LeadCommission extends AnyCommission {
  readonly kind: 'lead';
  readonly terms: TermsVersion;
  readonly clickId: string;
  readonly leadId: number;
}

/** What an owner grants, such as a bonus. */
export interface ManualCommission extends AnyCommission {
  readonly kind: 'manual';
  readonly reason: string;
}

export type Commission = SaleCommission | LeadCommission | ManualCommission;

export const commissionKinds = ['sale', 'lead', 'manual'] as const;

/** What the commission is for. */
export const kindOf = ({ kind }: Commission): (typeof commissionKinds)[number] => kind ?? 'sale';

/** Whether a rule has held it, and nobody has released it: whatever became of it then, it counts nowhere. */
export const isInReview = ({ heldAt, releasedAt }: Pick<Commission, 'heldAt' | 'releasedAt'>): boolean =>
  heldAt !== undefined && releasedAt === undefined;

/** What the platform charges for a commission, and what refunds took off it: nothing while it is in review. */
export const chargedFee = ({
  platformFee: { amountCents, reducedCents },
  ...commission
}: SaleCommission): Pick<PlatformFee, 'amountCents' | 'reducedCents'> =>
  isInReview(commission) ? { amountCents: 0, reducedCents: 0 } : { amountCents, reducedCents };

/** The commission as one of a sale; undefined for one of another kind. */
export const ofSale = (commission: Commission): SaleCommission | undefined =>
  commission.kind === undefined ? commission : undefined;

/** Ids of a new commission and of the sale that earns it. */
export interface CommissionNames {
  /** Of the commission. */
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

/** @throws RangeError when the terms pay nothing that can be computed */
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

/**
 * A recurring commission is due for every payment, or for those in the first months from the first purchase; any other
 * for a payment that is not a renewal.
 */
export function commissionIsDue(
  terms: Pick<CommissionTerms, 'commissionType' | 'durationMonths'>,
  payment: Pick<Payment, 'isRecurring' | 'paidAt' | 'firstPurchaseAt'>,
): boolean {
  if (!terms.commissionType.startsWith('recurring_')) return !payment.isRecurring;
  if (!terms.durationMonths || !payment.firstPurchaseAt) return true;
  return payment.paidAt < addCalendarMonths(new Date(payment.firstPurchaseAt), terms.durationMonths);
}

/**
 * Percent types in the sale's currency, fixed types in the program's whatever the sale.
 * @throws RangeError when the terms pay nothing that can be computed (a rate that is not positive)
 */
export function commissionAmount(
  terms: Pick<CommissionTerms, 'commissionType' | 'commissionRate' | 'currency'>,
  payment: Pick<Payment, 'amountCents' | 'baseCents' | 'currency'>,
): { amountCents: number; currency: Currency } {
  const rate = scaled(terms.commissionRate, RATE_DECIMALS);
  if (rate <= 0n || !commissionTypes.includes(terms.commissionType)) {
    throw new RangeError(`No commission can be computed from ${terms.commissionType} ${terms.commissionRate}`);
  }
  const unit = 10n ** BigInt(RATE_DECIMALS);
  if (terms.commissionType.endsWith('percent')) {
    return {
      amountCents: toCents(halfUp(BigInt(baseCentsOf(payment)) * rate, 100n * unit)),
      currency: payment.currency,
    };
  }
  const { currency } = terms;
  return { amountCents: toCents(halfUp(10n ** BigInt(decimalsOf(currency)) * rate, unit)), currency };
}

export const platformFeeCents = (amountCents: number, bps: number): number => proportionOf(amountCents, bps, 10_000);

export const holdUntil = (createdAt: Date, days: number): Date => new Date(createdAt.getTime() + days * DAY_MS);

/** The same day of a later month, in UTC; a day that the month lacks becomes its last. */
export function addCalendarMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== date.getUTCDate()) moved.setUTCDate(0);
  return moved;
}

/** Whether the sales by which tiers chose the rate may still grow. */
export const awaitsMonth = ({ tierSales }: SaleCommission): boolean => tierSales?.rates !== undefined;
