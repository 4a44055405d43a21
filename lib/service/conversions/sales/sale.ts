import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';
import type { Provider } from '#lib/service/ground/values/provider.ts';
import type { CommissionTerms } from '#lib/service/programs/terms/terms.ts';
import type { TermsVersion } from '#lib/service/programs/terms/terms.ts';
import { isDay } from '#lib/service/ground/values/day.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { RefundedPart } from '#lib/service/conversions/refunds/reversals.ts';

export const subscriptionIntervals = ['monthly', 'quarterly', 'annual'] as const;

/** What the caller sends about a sale. */
export interface SaleFacts {
  readonly transactionId: string;
  readonly amountCents: number;
  /** Tax included in the amount. Undefined if unknown. */
  readonly taxCents?: number;
  readonly currency: Currency;
  readonly saleType: 'payment' | 'subscription';
  readonly isRecurring: boolean;
  readonly subscriptionId?: string;
  readonly subscriptionInterval?: (typeof subscriptionIntervals)[number];
  readonly productId?: string;
  readonly eventName?: string;
  /** Line items as JSON text. */
  readonly lineItems?: string;
  readonly provider?: Provider;
  readonly providerPaymentId?: string;
  readonly livemode?: boolean;
}

/** A sale as sent by the brand's server: the currency may be missing or unsupported. */
export type SentFacts = Omit<SaleFacts, 'currency'> & { readonly currency?: string };

/** The criteria that make a payment a renewal, in the order of evaluation. */
export const renewalWords = ['subscription_id', 'sale_type', 'is_recurring', 'billing_reason'] as const;
export type RenewalBy = (typeof renewalWords)[number];

/** State of a sale's commission. `sale repair` completes `failed` and `noPartner`. */
type CommissionState = 'created' | 'notDue' | 'failed' | 'noPartner' | 'test';

/** A recorded sale. Its item reserves the transaction id. Times are ISO 8601. */
export interface Sale extends SaleFacts, RefundedPart {
  readonly id: number;
  readonly programId: number;
  readonly source: 'api' | 'processor';
  readonly isTest?: boolean;
  readonly keyed?: boolean;
  readonly occurredAt: string;
  readonly createdAt: string;
  /** Why the sale is a renewal. Undefined if it is not one, or for a test sale. */
  readonly renewalBy?: RenewalBy;
  /**
   * Set for an invoice that Stripe reports as a later one of a subscription, while no earlier payment of the
   * subscription is known. As soon as one becomes known, the sale becomes a renewal.
   */
  readonly wouldRenew?: true;
  /** Transaction id of the sale that counts instead of this one. Set if an event shows that both are one payment. */
  readonly duplicateOf?: string;
  /** When the sale last changed. Undefined if it has not changed since it was recorded. */
  readonly changedAt?: string;
  /** Number of visible changes including the recording. Undefined means 1. */
  readonly version?: number;
  /**
   * Amount without tax, as far as the tax is known, in a program with `excluding_tax`. Undefined if commissions are
   * computed from the whole amount.
   */
  readonly baseCents?: number;
  readonly attribution?: SaleAttribution;
  /** The coupon code that the payment contained, even if the sale was attributed by another identifier. */
  readonly code?: string;
  /**
   * Identifiers that were sent with the sale but not used. For a test sale, no customer is looked up by them. If the
   * sale has no commission yet, the key is linked to the customer only when the commission is created.
   */
  readonly claimed?: { readonly customerKey?: string; readonly clickId?: string };
  readonly commissionState: CommissionState;
  readonly commissionId?: number;
  /** When the whole amount had been refunded or disputed. Undefined while a part of it has not been. */
  readonly fullyRefundedAt?: string;
  /** Former values of `fullyRefundedAt` that were removed in a later month. Tiers use the state at each month's end. */
  readonly formerFullRefunds?: readonly string[];
  /** Version of the terms by which the sale is paid. Undefined for test sales. */
  readonly termsVersion?: TermsVersion;
  /** The terms at the time of the sale. They are stored only while the commission is missing. */
  readonly terms?: CommissionTerms;
}

/** When the sale last changed or was recorded. */
export const changedAtOf = ({ createdAt, changedAt = createdAt }: Pick<Sale, 'createdAt' | 'changedAt'>): string =>
  changedAt;

/** Whether the sale's commission still has to be created. */
export const lacksCommission = ({ commissionState }: Pick<Sale, 'commissionState'>): boolean =>
  commissionState === 'failed' || commissionState === 'noPartner';

/** Creates a test sale. No customer is looked up for it, and it earns no commission. */
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
 * Parses `occurred_at`. Undefined if it was not sent. Returns an Invalid Date if the value is no ISO 8601 time with
 * offset, if its day does not exist, or if it is more than 30 days ago or more than 5 minutes ahead.
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

/**
 * Whether a sale with a payment's id is the program's record of this payment. Test sales share the ids of real ones, but
 * record no payment.
 */
export const recordsPaymentOf = (programId: number, sale: Pick<Sale, 'programId' | 'isTest'> | undefined): boolean =>
  sale?.programId === programId && !sale.isTest;
