import type { WindowCheck } from '#lib/domain/attribution-window.ts';
import type { CommissionTerms } from '#lib/domain/commission.ts';
import type { Currency } from '#lib/domain/money.ts';
import type { RefundedPart } from '#lib/domain/takings.ts';

export const providers = [
  'stripe',
  'polar',
  'lemonsqueezy',
  'paddle',
  'paypal',
  'braintree',
  'chargebee',
  'manual',
  'other',
] as const;

export const subscriptionIntervals = ['monthly', 'quarterly', 'annual'] as const;

/** What a caller says about a sale. */
export interface SaleFacts {
  readonly transactionId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly saleType: 'payment' | 'subscription';
  readonly isRecurring: boolean;
  readonly subscriptionId?: string;
  readonly subscriptionInterval?: (typeof subscriptionIntervals)[number];
  readonly productId?: string;
  readonly eventName?: string;
  /** JSON text. */
  readonly lineItems?: string;
  readonly provider?: (typeof providers)[number];
  readonly providerPaymentId?: string;
  readonly livemode?: boolean;
}

/** Why this partner got this sale, with the values of the moment it was recorded. */
export interface SaleAttribution {
  readonly clickId: string;
  readonly customerKey?: string;
  readonly partnerId?: number;
  readonly shortLink: string;
  readonly resolvedBy: 'click_id' | 'email' | 'processor_customer' | 'customer_key';
  /** By which it was found; of an e-mail address, its mask. */
  readonly identifier: string;
  /** Click id of the customer for whom a browser had claimed the key that this sale moved to its own customer. */
  readonly keyTakenFrom?: string;
  /** Absent: not checked, a conversion was already recorded. */
  readonly window?: WindowCheck;
}

/** `failed` and `noPartner` wait for `sale repair`. */
type CommissionState = 'created' | 'notDue' | 'failed' | 'noPartner' | 'test';

/** A recorded sale: the claim on its transaction id. Times are ISO 8601, money in cents. */
export interface Sale extends SaleFacts, RefundedPart {
  readonly id: number;
  readonly programId: number;
  readonly source: 'api' | 'processor';
  readonly isTest?: boolean;
  readonly keyed?: boolean;
  readonly occurredAt: string;
  readonly createdAt: string;
  readonly attribution?: SaleAttribution;
  /** Identifiers that came with a test sale, and nobody looked up; or the key that waits to be bound with the commission. */
  readonly claimed?: { readonly customerKey?: string; readonly clickId?: string };
  readonly commissionState: CommissionState;
  readonly commissionId?: number;
  /** The terms of the sale's time, kept when the commission is missing. */
  readonly terms?: CommissionTerms;
}

const LONGEST_PAST_MS = 30 * 86_400_000;
const LONGEST_AHEAD_MS = 5 * 60_000;
const ISO_WITH_OFFSET = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/**
 * `occurred_at` as a time. Undefined when absent; an Invalid Date when it is not an ISO 8601 time with offset, names
 * a day that does not exist, or lies outside the last 30 days and the next 5 minutes (both ends included).
 */
export function paymentTime(value: unknown, now: Date): Date | undefined {
  if (value === undefined) return undefined;
  const invalid = new Date(Number.NaN);
  const parts = typeof value === 'string' ? ISO_WITH_OFFSET.exec(value) : null;
  if (!parts) return invalid;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const dayExists =
    month >= 1 && day >= 1 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month <= 12;
  if (!dayExists || hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return invalid;
  const time = new Date(value as string);
  const aheadMs = time.getTime() - now.getTime();
  return aheadMs >= -LONGEST_PAST_MS && aheadMs <= LONGEST_AHEAD_MS ? time : invalid;
}
