import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import type { Provider } from '#lib/service/ground/values/provider.ts';
import type { CommissionTerms } from '#lib/service/programs/terms/terms.ts';
import type { TermsVersion } from '#lib/service/programs/terms/terms.ts';
import { isDay } from '#lib/service/ground/values/day.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { RefundedPart } from '#lib/service/conversions/refunds/reversals.ts';

export const subscriptionIntervals = ['monthly', 'quarterly', 'annual'] as const;

/** The caller's data on a sale. */
export interface SaleFacts {
  readonly transactionId: string;
  readonly amountCents: number;
  /** Part of the amount; absent = not known. */
  readonly taxCents?: number;
  readonly currency: Currency;
  readonly saleType: 'payment' | 'subscription';
  readonly isRecurring: boolean;
  readonly subscriptionId?: string;
  readonly subscriptionInterval?: (typeof subscriptionIntervals)[number];
  readonly productId?: string;
  readonly eventName?: string;
  /** JSON text. */
  readonly lineItems?: string;
  readonly provider?: Provider;
  readonly providerPaymentId?: string;
  readonly livemode?: boolean;
}

/** The same as the brand's server sent it: without currency, or in one that the installation may not take. */
export type SentFacts = Omit<SaleFacts, 'currency'> & { readonly currency?: string };

/** By what a payment is a renewal, in the order in which they are asked. */
export const renewalWords = ['subscription_id', 'sale_type', 'is_recurring', 'billing_reason'] as const;
export type RenewalBy = (typeof renewalWords)[number];

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
  /** By what it is a renewal; absent = it is none, or a test sale. */
  readonly renewalBy?: RenewalBy;
  /** A later invoice of a subscription, before which no payment is known: one that becomes known makes it a renewal. */
  readonly wouldRenew?: true;
  /** The transaction id of the sale that counts in its place: an event told that both are one payment. */
  readonly duplicateOf?: string;
  /** When it last changed; absent: when it was recorded. */
  readonly changedAt?: string;
  /** How often its row has changed, with its recording; absent = 1. */
  readonly version?: number;
  /** Under `excluding_tax`, the amount without the tax as far as it is known. Absent: commissions come from the whole amount. */
  readonly baseCents?: number;
  readonly attribution?: SaleAttribution;
  /** The program's code that the payment carried, whoever got the sale. */
  readonly code?: string;
  /** Identifiers that came with a test sale, and were not looked up; or the key that waits to be bound or confirmed with the commission. */
  readonly claimed?: { readonly customerKey?: string; readonly clickId?: string };
  readonly commissionState: CommissionState;
  readonly commissionId?: number;
  /** When the whole amount was refunded or reclaimed; absent while it is not. */
  readonly fullyRefundedAt?: string;
  /** When it was, and was taken back only in a later month: tiers go by what each month was at its end. */
  readonly formerFullRefunds?: readonly string[];
  /** Of the terms by which it is paid; absent on test sales. */
  readonly termsVersion?: TermsVersion;
  /** The terms of the sale's time, kept when the commission is missing. */
  readonly terms?: CommissionTerms;
}

/** When it last changed, or was recorded. */
export const changedAtOf = ({ createdAt, changedAt = createdAt }: Pick<Sale, 'createdAt' | 'changedAt'>): string =>
  changedAt;

/** Its commission is still to be made. */
export const lacksCommission = ({ commissionState }: Pick<Sale, 'commissionState'>): boolean =>
  commissionState === 'failed' || commissionState === 'noPartner';

/** A test sale: it looks up no customer and earns nothing. */
export const newTestSale = (
  facts: SaleFacts,
  {
    customerKey,
    clickId,
    paidAt,
    now,
    ...names
  }: Pick<Sale, 'id' | 'programId' | 'source' | 'keyed'> & {
    readonly customerKey?: string;
    readonly clickId?: string;
    readonly paidAt: Date;
    readonly now: Date;
  },
): Sale => ({
  ...facts,
  ...names,
  isTest: true,
  occurredAt: paidAt.toISOString(),
  createdAt: now.toISOString(),
  commissionState: 'test',
  refundedCents: 0,
  claimed: { customerKey: customerKey || undefined, clickId: clickId || undefined },
});

const LONGEST_PAST_MS = 30 * 86_400_000;
const LONGEST_AHEAD_MS = 5 * 60_000;
const ISO_WITH_OFFSET =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * `occurred_at` as a time. Undefined when absent; an Invalid Date when it is not an ISO 8601 time with offset, names
 * a day that does not exist, or lies outside the last 30 days and the next 5 minutes (both ends included).
 */
export function paymentTime(value: unknown, now: Date): Date | undefined {
  if (value === undefined) return undefined;
  const invalid = new Date(Number.NaN);
  const text = typeof value === 'string' ? value : '';
  const day = ISO_WITH_OFFSET.exec(text)?.[1] ?? '';
  if (!isDay(day)) return invalid;
  const time = new Date(text);
  const aheadMs = time.getTime() - now.getTime();
  return aheadMs >= -LONGEST_PAST_MS && aheadMs <= LONGEST_AHEAD_MS ? time : invalid;
}
