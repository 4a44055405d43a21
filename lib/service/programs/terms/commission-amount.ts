import { baseCentsOf } from '#lib/service/programs/terms/commission-base.ts';
import { type Currency, decimalsOf } from '#lib/service/ground/values/currency.ts';
import { halfUp, proportionOf, scaled, toCents } from '#lib/service/ground/values/money.ts';
import { type CommissionTerms, commissionTypes } from '#lib/service/programs/terms/terms.ts';

/** Number of decimals of a commission rate. */
const RATE_DECIMALS = 4;

const HIGHEST_RATE = 1_000_000_000;

/** Rounds a commission rate half up to 4 decimals. Undefined if it is not a valid positive rate. */
export function rateOf(sent: number): number | undefined {
  if (!(sent > 0 && sent <= HIGHEST_RATE)) return undefined;
  const rate = Number(scaled(sent, RATE_DECIMALS)) / 10 ** RATE_DECIMALS;
  return rate > 0 ? rate : undefined;
}

/** The parts of a payment from which its commission is computed. */
export interface Payment {
  readonly amountCents: number;
  /** The amount from which percentages are computed. Undefined means the whole amount. */
  readonly baseCents?: number;
  readonly currency: Currency;
  readonly isRecurring: boolean;
  readonly paidAt: Date;
  /** Payment time of the customer's first recorded sale. Undefined if this is the first. */
  readonly firstPurchaseAt?: string;
}

/**
 * Whether a payment earns a commission. Recurring types pay for every payment, or for those within `durationMonths` of
 * the first purchase. Other types pay only for payments that are not renewals.
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
 * Computes the amount. Percent types use the sale's currency, fixed types always use the program's.
 * @throws RangeError if the type is unknown or the rate is not positive
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

/** Adds months in UTC. If the resulting month lacks the day, its last day is used. */
export function addCalendarMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== date.getUTCDate()) moved.setUTCDate(0);
  return moved;
}
